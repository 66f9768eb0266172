package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A message whose handler ends the process at once; the process is started again each time. */
@Tag("slow")
class KillingHandlerTest {
  private static final int MESSAGES = 300;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"NONE, 0", "KEY, 0", "QUEUE, 0", "NONE, 1"})
  @Timeout(300)
  void aMessageThatKillsTheProcessEachTimeIsADeadLetterAfterMaxDeliveries(
      DeliveryOrder order, int failures) {
    fill(order);
    Set<String> handled = new HashSet<>();
    List<String> kills = new ArrayList<>();
    int exitCode = KillingHandlerChild.KILLED;
    while (exitCode == KillingHandlerChild.KILLED) {
      assertThat(kills).hasSizeLessThan(8);
      try (ChildJvm child =
          ChildJvm.start(
              KillingHandlerChild.class, directory.toString(), order.name(), "" + failures)) {
        exitCode = child.exitCode();
        for (String line : child.lines()) {
          (line.startsWith(KillingHandlerChild.KILLS) ? kills : handled).add(line.split(" ")[0]);
        }
      }
    }
    assertThat(exitCode).isZero();
    // The first delivery may have begun within the time in which counts are written.
    assertThat(kills).hasSizeBetween(3 - failures, 4 - failures);
    assertThat(handled).hasSize(MESSAGES - 1);
    try (QueueDirectory closed = QueueDirectory.open(directory)) {
      assertThat(closed.summary("q").dead()).isEqualTo(1);
      assertThat(closed.summary("q").waiting()).isZero();
    }
  }

  private void fill(DeliveryOrder order) {
    try (QueueStore store = QueueStore.open(new QueueStoreOptions(directory));
        DurableQueue<byte[]> queue =
            store.queue(
                "q", Serde.BYTES, KillingHandlerChild.options(order), (attachment, reason) -> {})) {
      for (int i = 0; i < MESSAGES; i++) {
        String message = i == 100 ? KillingHandlerChild.KILLS : "m" + i;
        MessageOptions options = MessageOptions.NONE.withKey("k" + i % 7);
        Outcome outcome = new Outcome();
        queue.append(
            message.getBytes(StandardCharsets.UTF_8), options, Durability.PROCESS, outcome);
        assertThat(outcome.await().failure()).isNull();
      }
    }
  }
}
