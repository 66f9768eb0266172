package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Bytes of the log that are no longer what was written; {@link SegmentRotTest} is with segments.
 */
class BitRotTest extends QueueTestBase {
  private static final int MESSAGE = 4000;
  private static final int ALL = 800;
  private static final QueueOptions WRITTEN =
      new QueueOptions().setWriteThrough(true).setReadAheadBytes(16 << 10);

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(4 << 10).setSegmentThresholdBytes(0);
  }

  void fill() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, ALL, MESSAGE));
    }
  }

  /** All that comes, and that nothing else of the packet was lost. */
  private static List<String> drain(DurableQueue<String> queue) {
    List<String> found = new ArrayList<>();
    Await.until(
        "the queue is empty: " + queue.stats(),
        () -> {
          Delivery<String> next = queue.poll();
          if (next != null) {
            found.add(next.message());
            queue.acknowledge(next);
          }
          return queue.waiting() == 0;
        });
    return found;
  }

  private static void onlyNeighboursAreLost(List<String> found, int number) {
    List<String> missing = new ArrayList<>(texts(0, ALL, MESSAGE));
    missing.removeAll(found);
    assertThat(missing.contains(text(number, MESSAGE))).as("%s is lost", number).isTrue();
    assertThat(missing.size()).as("messages lost").isLessThan(6);
    List<String> rest = new ArrayList<>(texts(0, ALL, MESSAGE));
    rest.removeAll(missing);
    assertThat(found.equals(rest)).as("the others came in order").isTrue();
  }

  @Test
  void aRottenPacketIsGivenUpAndItsNeighboursAreDelivered() throws IOException {
    fill();
    LogDamage.flip(directory, text(100, MESSAGE));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      List<String> found = drain(queue);
      onlyNeighboursAreLost(found, 100);
      assertThat(queue.stats().corruptPackets()).isEqualTo(1);
      assertThat(queue.stats().lost()).isEqualTo(ALL - found.size());
      Await.until("the store goes on", () -> store.fault() == null);
      appendAll(queue, List.of("one more"));
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(drain(queue)).containsExactly("one more");
    }
  }

  /** JE reads this file, whatever it is configured with. */
  private void noCheckpoints() throws IOException {
    Files.writeString(
        directory.resolve("je.properties"), "je.checkpointer.bytesInterval=" + (1 << 30) + "\n");
  }

  private static void offerAll(DurableQueue<String> queue) {
    for (int i = 0; i < ALL; i++) {
      queue.offer(text(i, MESSAGE), i, true);
    }
    Await.until("all is written", () -> queue.stats().writtenMessages() == ALL);
  }

  @Test
  void whatIsAttachedToMessagesThatRotWhileTheStoreIsOpenIsToldSo() throws IOException {
    noCheckpoints();
    ConcurrentLinkedQueue<Object> lost = new ConcurrentLinkedQueue<>();
    LossListener losses = (attachment, reason) -> lost.add(attachment + " " + reason);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, "q", WRITTEN, losses)) {
      offerAll(queue);
      // With a checkpoint, behind which nothing rots.
      store.engine().files().reclaim(true);
      LogDamage.flip(directory, text(100, MESSAGE));

      List<String> found = drain(queue);

      onlyNeighboursAreLost(found, 100);
      Await.until("all losses are reported", () -> lost.size() >= ALL - found.size());
      assertThat(lost).contains("100 " + Reason.CORRUPT).hasSize(ALL - found.size());
      Await.until("the store goes on", () -> store.fault() == null);
      appendAll(queue, List.of("one more"));
    }
  }

  @Test
  void whatRotsBehindTheLastCheckpointCostsItsNeighboursOnly() throws IOException {
    noCheckpoints();
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, WRITTEN)) {
      appendAll(queue, texts(0, ALL, MESSAGE));
      LogDamage.flip(directory, text(100, MESSAGE));

      List<String> found = drain(queue);

      onlyNeighboursAreLost(found, 100);
      Await.until("the store goes on", () -> store.fault() == null);
      appendAll(queue, List.of("one more"));
    }
  }

  /** The files with the messages, oldest first. */
  List<Path> bodyFiles() throws IOException {
    return LogDamage.logs(directory);
  }

  @Test
  void aFileThatIsGoneCostsWhatWasInIt() throws IOException {
    fill();
    Files.delete(bodyFiles().get(1));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      List<String> found = drain(queue);
      assertThat(found).hasSizeBetween(ALL / 3, ALL - 100);
      List<String> rest = texts(0, ALL, MESSAGE);
      rest.retainAll(found);
      assertThat(rest.equals(found)).as("the others came in order").isTrue();
      assertThat(queue.stats().lost()).isEqualTo(ALL - found.size());
    }
  }

  @Tag("slow")
  @Test
  void rotInWhatIsNoLongerNeededCostsNothing() throws IOException {
    fill();
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drain(ALL / 2)).hasSize(ALL / 2);
    }
    LogDamage.flip(directory, text(ALL / 2 - 10, MESSAGE));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      // The cleaner reads the damaged file.
      List<String> more = texts(ALL, 3 * ALL, MESSAGE);
      for (String text : more) {
        Await.until("it is appended", () -> append(queue, text).await().isAccepted());
      }
      List<String> all = new ArrayList<>(texts(ALL / 2, ALL, MESSAGE));
      all.addAll(more);
      assertThat(drain(queue).equals(all)).as("all comes in order").isTrue();
      assertThat(queue.stats().lost()).isZero();
    }
  }

  @Test
  void aSalvageThatWasInterruptedIsEndedOrForgotten() throws IOException {
    fill();
    Path salvage = Files.createDirectory(directory.resolve("salvage"));
    Files.writeString(salvage.resolve("00000000.jdb"), "half a copy");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isEqualTo(ALL);
    }
    assertThat(salvage).doesNotExist();
    // Complete, but not yet in its place: the old files are half gone.
    Files.createDirectory(salvage);
    Files.createDirectory(directory.resolve("damaged"));
    for (Path log : LogDamage.logs(directory)) {
      Files.copy(log, salvage.resolve(log.getFileName()));
    }
    Files.createFile(salvage.resolve("complete"));
    Files.move(
        LogDamage.logs(directory).get(0), directory.resolve("damaged").resolve("00000000.jdb"));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(drain(queue).equals(texts(0, ALL, MESSAGE))).isTrue();
    }
    assertThat(salvage).doesNotExist();
    assertThat(directory.resolve("salvaged")).doesNotExist();
  }
}
