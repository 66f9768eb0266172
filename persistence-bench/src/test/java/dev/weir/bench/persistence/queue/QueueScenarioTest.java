package dev.weir.bench.persistence.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.bench.persistence.PersistenceBench;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class QueueScenarioTest {
  private static final double SCALE = 0.005;

  /**
   * Half of what a row takes with that scale: a round ends early on a machine that stands still.
   */
  private static final double LEAST_MS = SCALE * 2_000 / 2;

  @TempDir private Path directory;

  @Test
  void everyRowIsMeasuredForAsLongAsThePageSaysHoweverFewMessagesWait() throws Exception {
    run("queue", "--set", "durability=PROCESS");

    JsonNode rows =
        new ObjectMapper().readTree(directory.resolve("results.json").toFile()).get("rows");
    assertThat(rows).isNotEmpty();
    assertThat(rows)
        .filteredOn(row -> row.get("scenario").asText().equals("queue"))
        .allSatisfy(
            row -> {
              assertThat(row.at("/extra/measuredMs").asDouble())
                  .as(row.toString())
                  .isGreaterThanOrEqualTo(LEAST_MS);
              assertThat(row.get("rounds").asInt()).as(row.toString()).isGreaterThan(1);
            });
  }

  @Test
  void messagesOfAnEarlierProcessAreAllFoundAndChecked() {
    run("recovery");
  }

  @Test
  void appendsAtARateAreMeasuredBesideAPlainFileAndCheckedInBoth() throws Exception {
    run("steady", "--set", "steady.seconds=1");

    assertThat(directory.resolve("results.csv"))
        .content()
        .contains("steady,half-capacity,weir-queue", "steady,half-capacity,file", "xp99");
  }

  @Test
  void messagesThatWentThroughAHalfFullQueueAreAllChecked() {
    run("cleaner");
  }

  private void run(String scenario, String... more) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(List.of("--scenario", scenario, "--set", "scale=" + SCALE));
    arguments.addAll(List.of("--out", directory.toString()));
    int exitCode =
        new PersistenceBench().execute(nowhere, nowhere, arguments.toArray(String[]::new));
    assertThat(exitCode).isZero();
  }
}
