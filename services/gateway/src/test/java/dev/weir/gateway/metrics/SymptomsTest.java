package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.FlowFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of symptoms in docs/operations.md. */
class SymptomsTest {
  private static final Path OPERATIONS = Path.of("../../docs/operations.md");
  private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");

  /** The first cells of the table. */
  private static List<String> symptoms() throws IOException {
    String text = Files.readString(OPERATIONS);
    int begin = text.indexOf("## By symptom");
    return text.substring(begin, text.indexOf("\n## ", begin + 1))
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> line.split(" \\| ")[0])
        .toList();
  }

  private static void assertNamed(Stream<String> names) throws IOException {
    List<String> symptoms = symptoms();
    assertThat(names.filter(name -> symptoms.stream().noneMatch(row -> row.contains('`' + name))))
        .as("names without a row")
        .isEmpty();
  }

  @Test
  void eachAlertHasARow() throws IOException {
    String rules = Files.readString(AlertRules.FILE);
    assertNamed(ALERT.matcher(rules).results().map((MatchResult found) -> found.group(1)));
  }

  @Test
  void eachFailureHasARow() throws IOException {
    assertNamed(Stream.of(FlowFailure.values()).map(FlowFailure::name));
  }
}
