package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import dev.weir.testing.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A damaged log on a disk that has no room for its copy. */
class SalvageRoomTest extends QueueTestBase {
  private static final int MESSAGE = 4000;
  private static final int ALL = 4600;

  private SmallDisk smallDisk;
  private Path ballast;

  @BeforeEach
  void mount() throws Exception {
    smallDisk = SmallDisk.mount(directory.resolve("disk"), 48);
    ballast = directory.resolve("disk").resolve("ballast");
  }

  @AfterEach
  void unmount() throws Exception {
    if (smallDisk != null) {
      smallDisk.unmount();
    }
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions()
        .setDirectory(directory.resolve("disk").resolve("data"))
        .setMinFreeBytes(8 << 20)
        .setPacketBytes(4 << 10)
        .setSegmentThresholdBytes(0);
  }

  /**
   * Room for appends, but not for a copy of what is there, not even in what is to be left free: JE
   * looks at the disk now and then only, and a copy that is quick would be through before.
   */
  private void fill() throws Exception {
    Files.write(ballast, new byte[14 << 20]);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      for (int from = 0; from < ALL; from += 100) {
        appendAll(queue, texts(from, from + 100, MESSAGE));
      }
    }
    LogDamage.flip(storeOptions().getDirectory(), text(100, MESSAGE));
  }

  private static int attempts(ErrorLines errors) {
    return (int)
        errors.details().stream().filter(line -> line.endsWith("is still unusable")).count();
  }

  @Test
  void itWaitsForRoomAndThenGoesOn() throws Exception {
    fill();
    try (ErrorLines errors = new ErrorLines();
        QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      Await.until(
          "it is said that there is no room",
          () -> errors.lines().stream().anyMatch(line -> line.contains("no room to copy it")));
      assertThat(append(queue, "refused").await().isAccepted()).isFalse();
      int lines = errors.lines().size();
      int attempts = attempts(errors);
      Await.until("it looks again, twice", () -> attempts(errors) >= attempts + 2);
      QueueException refusal =
          catchThrowableOfType(
              QueueException.class, () -> openQueue(store, "r", new QueueOptions(), NO_LOSSES));
      assertThat(refusal.reason()).isIn(Reason.DISK_FULL, Reason.STORE_FAILED);
      assertThat(errors.lines()).hasSize(lines);

      Files.delete(ballast);

      Await.until("the store goes on", () -> append(queue, "more").await().isAccepted());
      int all = (int) queue.waiting();
      assertThat(new QueueReader<>(queue).drain(10)).isEqualTo(texts(0, 10, MESSAGE));
      assertThat(all).isBetween(ALL - 5, ALL + 1);
    }
  }
}
