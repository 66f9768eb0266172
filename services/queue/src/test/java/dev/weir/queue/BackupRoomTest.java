package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import dev.weir.testing.SmallDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Backups on a disk without much room. */
class BackupRoomTest extends QueueTestBase {
  private static final int MESSAGE = 4000;
  private static final int ALL = 5600;

  /** So few that there is room for a copy of them beside the store. */
  private static final int FEW = 1500;

  /** What a neighbour leaves on the disk. */
  private static final int FREE_BYTES = 64 << 10;

  private SmallDisk smallDisk;

  @BeforeEach
  void mount() throws Exception {
    smallDisk = SmallDisk.mount(directory.resolve("disk"), 48);
  }

  @AfterEach
  void unmount() throws Exception {
    if (smallDisk != null) {
      smallDisk.unmount();
    }
  }

  private Path disk() {
    return directory.resolve("disk");
  }

  private QueueStoreOptions on(Path disk) {
    return storeOptions().setDirectory(disk.resolve("data")).setMinFreeBytes(8 << 20);
  }

  private static void refused(QueueStore store, Path target) throws IOException {
    refused(target, () -> store.backup(target));
  }

  private static void refused(Path target, ThrowingCallable backup) throws IOException {
    QueueException refusal = catchThrowableOfType(QueueException.class, backup);
    assertThat(refusal).as("it is refused").isNotNull();
    assertThat(refusal.reason()).isEqualTo(Reason.DISK_FULL);
    try (Stream<Path> left = Files.list(target.getParent())) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .as("left behind")
          .noneMatch(name -> name.startsWith("copy"));
    }
  }

  @Test
  void aBackupOnTheDiskOfTheStoreNeverStopsTheStore() throws IOException {
    try (QueueStore store = QueueStore.open(on(disk()));
        DurableQueue<String> queue = openQueue(store)) {
      for (int from = 0; from < ALL; from += 100) {
        appendAll(queue, texts(from, from + 100, MESSAGE));
      }
      refused(store, disk().resolve("copy"));
      assertThat(append(queue, "one more").await().isAccepted()).isTrue();
    }
  }

  @Test
  void aBackupToADiskThatIsTooSmallLeavesNothingBehind() throws IOException {
    try (QueueStore store = QueueStore.open(on(directory));
        DurableQueue<String> queue = openQueue(store)) {
      for (int from = 0; from < 3 * ALL; from += 100) {
        appendAll(queue, texts(from, from + 100, MESSAGE));
      }
      refused(store, disk().resolve("copy"));
      assertThat(append(queue, "one more").await().isAccepted()).isTrue();
    }
  }

  /** Takes the room of a disk for itself as soon as the first bytes are copied. */
  private static final class Neighbour implements Progress {
    private final SmallDisk disk;
    private Path file;
    private long copied;

    Neighbour(SmallDisk disk) {
      this.disk = disk;
    }

    @Override
    public void bytes(long done, long total) {
      copied = done;
      if (file == null) {
        assertThat(done).isLessThan(total);
        try {
          file = disk.fillUp(FREE_BYTES);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  @Test
  void aBackupWhoseRoomGoesAwayMeanwhileEndsAndLeavesNothingBehind() throws IOException {
    try (QueueStore store = QueueStore.open(on(directory));
        DurableQueue<String> queue = openQueue(store)) {
      for (int from = 0; from < ALL; from += 100) {
        appendAll(queue, texts(from, from + 100, MESSAGE));
      }
      Neighbour neighbour = new Neighbour(smallDisk);
      Path target = disk().resolve("copy");

      refused(target, () -> store.backup(target, neighbour));

      assertThat(neighbour.copied).as("it had begun").isPositive();
      assertThat(append(queue, "one more").await().isAccepted()).isTrue();
      Files.delete(neighbour.file);
      assertThat(store.backup(target)).isPositive();
    }
  }

  @Test
  void aBackupBesideTheStoreWhoseRoomGoesAwayMeanwhileEndsAndTheStoreGoesOn() throws IOException {
    try (QueueStore store = QueueStore.open(on(disk()));
        DurableQueue<String> queue = openQueue(store)) {
      for (int from = 0; from < FEW; from += 100) {
        appendAll(queue, texts(from, from + 100, MESSAGE));
      }
      Neighbour neighbour = new Neighbour(smallDisk);
      Path target = disk().resolve("copy");

      refused(target, () -> store.backup(target, neighbour));

      Files.delete(neighbour.file);
      Await.until("the store goes on", () -> append(queue, "one more").await().isAccepted());
    }
  }

  @Test
  void theToolBacksUpAndRestores() {
    QueueStoreOptions options = on(directory);
    try (QueueStore store = QueueStore.open(options);
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 100, 100));
    }
    Path copy = disk().resolve("copy");
    Path again = directory.resolve("again");
    ToolRun.of("backup", options.getDirectory(), copy).ok();
    ToolRun.of("restore", copy, again).ok();
    assertThat(ToolRun.of("restore", copy, again).refused(3)).contains("is refused");
    try (QueueStore store = QueueStore.open(on(directory).setDirectory(again));
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drain(100)).isEqualTo(texts(0, 100, 100));
    }
  }
}
