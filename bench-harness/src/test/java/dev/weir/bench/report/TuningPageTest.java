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
  private static final Pattern ROWS = Pattern.compile("`(scenario=[^`]+)`");

  @Test
  void eachClaimNamesRowsThatArePublished() throws IOException {
    Path root = BenchmarkReport.locate(Path.of("")).orElseThrow().getParent();
    List<String> claims =
        ROWS.matcher(Files.readString(root.resolve("docs/tuning.md")))
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();
    assertThat(claims).hasSizeGreaterThan(20);
    List<Path> classes;
    try (Stream<Path> directories = Files.list(root.resolve(BenchmarkReport.RESULTS))) {
      classes = directories.filter(Files::isDirectory).toList();
    }
    for (Path machineClass : classes) {
      List<PublishedRow> rows =
          PublishedRun.readAll(machineClass).stream().flatMap(run -> run.rows().stream()).toList();
      assertThat(claims)
          .as("rows in " + machineClass)
          .allMatch(claim -> RowSelector.parse(claim).first(rows).isPresent());
    }
  }
}
