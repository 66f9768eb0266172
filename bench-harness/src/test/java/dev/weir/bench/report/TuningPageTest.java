package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TuningPageTest {
  private static final Pattern ROWS = Pattern.compile("`(--full )?(scenario=[^`]+)`");

  private record Claim(boolean fullOnly, RowSelector rows) {
    private static Claim of(MatchResult found) {
      return new Claim(found.group(1) != null, RowSelector.parse(found.group(2)));
    }
  }

  @Test
  void eachClaimNamesRowsThatArePublished() throws IOException {
    Path root = BenchmarkReport.locate(Path.of("")).orElseThrow().getParent();
    List<Claim> claims =
        ROWS.matcher(Files.readString(root.resolve("docs/tuning.md")))
            .results()
            .map(Claim::of)
            .toList();
    assertThat(claims).hasSizeGreaterThan(20);
    List<Path> classes;
    try (Stream<Path> directories = Files.list(root.resolve(BenchmarkReport.RESULTS))) {
      classes = directories.filter(Files::isDirectory).toList();
    }
    for (Path machineClass : classes) {
      List<PublishedRun> runs = PublishedRun.readAll(machineClass);
      boolean full = runs.stream().allMatch(run -> run.text("profile").equals("full"));
      List<PublishedRow> rows = runs.stream().flatMap(run -> run.rows().stream()).toList();
      assertThat(claims)
          .as("rows in " + machineClass)
          .filteredOn(claim -> full || !claim.fullOnly)
          .allMatch(claim -> claim.rows.first(rows).isPresent());
    }
  }
}
