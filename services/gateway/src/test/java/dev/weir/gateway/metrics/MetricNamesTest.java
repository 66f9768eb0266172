package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricNamesTest {
  private static final Path OPERATIONS = Path.of("../../docs/operations.md");

  @Test
  void eachNameIsThereOnceAndEndsInItsBaseUnit() {
    List<Metric> all = MetricNames.all();
    assertThat(all).extracting(Metric::name).doesNotHaveDuplicates();
    assertThat(all)
        .filteredOn(metric -> List.of("bytes", "seconds").contains(metric.unit()))
        .allSatisfy(metric -> assertThat(metric.name()).endsWith(metric.unit()));
    assertThat(all).allSatisfy(metric -> assertThat(metric.name()).matches("weir(\\.[a-z]+)+"));
  }

  @Test
  void theTableInTheDocumentationSaysWhatIsSo() throws IOException {
    assertThat(Files.readString(OPERATIONS)).contains(table());
  }

  /** To be pasted into the documentation when this test fails. */
  private static String table() {
    StringBuilder table = new StringBuilder("| name | type | unit | tags | meaning |\n");
    table.append("|---|---|---|---|---|\n");
    for (Metric metric : MetricNames.all()) {
      table.append(
          "| `%s` | %s | %s | %s | %s |%n"
              .formatted(
                  metric.prometheusName(),
                  metric.type().prometheusName(),
                  metric.unit(),
                  String.join(", ", metric.tags()),
                  metric.meaning()));
    }
    return table.toString();
  }
}
