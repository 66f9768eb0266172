package dev.weir.bench.persistence.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueFixtureTest {
  private static final long BACKLOG = 1_000;
  private static final long MESSAGES = 2_000;

  @TempDir Path directory;

  @Test
  void passesAllMessagesThroughAQueueWithABacklog() throws InterruptedException {
    try (QueueFixture stage = QueueFixture.open(directory, BACKLOG + 2 * MESSAGES)) {
      stage.append(BACKLOG, Durability.PROCESS);
      QueueFlow saturated = QueueFlow.run(stage, MESSAGES, Durability.MACHINE, 0);
      QueueFlow paced = QueueFlow.run(stage, MESSAGES, Durability.PROCESS, 100_000);

      assertThat(stage.waiting()).isEqualTo(BACKLOG);
      assertThat(saturated.pace()).isNull();
      assertThat(paced.pace().targetPerSec()).isEqualTo(100_000);
      stage.drain(BACKLOG);
      assertThat(stage.verdict().toString()).isEqualTo("OK");
    }
  }

  @Test
  void missesAMessageThatWasNotTaken() {
    try (QueueFixture stage = QueueFixture.open(directory, BACKLOG)) {
      stage.append(BACKLOG, Durability.PROCESS);
      stage.drain(BACKLOG - 1);

      assertThat(stage.verdict().toString()).contains("lost 1", "still waiting 1");
    }
  }
}
