package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.segment.SegmentDirectory;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store that writes its packets to segment files. */
class SegmentStoreTest extends DataDirectoryTestBase {
  private static final int MESSAGE = 10_000;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setMinFreeBytes(8 << 20).setSegmentThresholdBytes(4096);
  }

  private static QueueStore open(Path at) {
    return QueueStore.open(new QueueStoreOptions(at).setMinFreeBytes(1 << 20));
  }

  private List<Path> segments() {
    try {
      return SegmentDirectory.of(data());
    } catch (IOException e) {
      // The directory changes while it is listed.
      return List.of();
    }
  }

  private String format(Path at) throws IOException {
    return Files.readString(at.resolve(StoreDirectory.FORMAT_FILE)).trim();
  }

  private void fill(int from, int to) {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(from, to, MESSAGE));
    }
  }

  private List<String> drain(Path at) {
    try (QueueStore store = open(at);
        DurableQueue<String> queue = openQueue(store)) {
      return new QueueReader<>(queue).drain((int) queue.stats().recovered());
    }
  }

  private static List<String> drainPastLosses(DurableQueue<String> queue) {
    QueueReader<String> reader = new QueueReader<>(queue);
    List<String> found = new ArrayList<>();
    Await.until(
        "all is read",
        () -> {
          found.addAll(reader.drainAll());
          return queue.waiting() == 0;
        });
    return found;
  }

  @Test
  void largeMessagesAreReadBackFromSegments() {
    fill(0, 500);
    assertThat(segments()).hasSizeGreaterThan(3);
    assertThat(sizeOf(data())).isLessThan(2 * 500 * MESSAGE);
    assertThat(drain(data())).isEqualTo(texts(0, 500, MESSAGE));
    assertThat(segments()).isEmpty();
  }

  @Test
  void smallMessagesAreNot() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      append(queue, text(1, 100)).await();
      assertThat(segments()).isEmpty();
    }
    assertThat(format(data())).isEqualTo("2");
  }

  @Test
  void segmentsGoWhenTheirMessagesAreHandled() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 1000, MESSAGE));
      long before = store.stats().logBytes();
      int many = segments().size();
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(reader.drain(700)).isEqualTo(texts(0, 700, MESSAGE));
      Await.until("segments are deleted", () -> segments().size() <= many / 2);
      Await.until("they are not counted any more", () -> store.stats().logBytes() < before);
      assertThat(reader.drain(300)).isEqualTo(texts(700, 1000, MESSAGE));
      Await.until("all but one are deleted", () -> segments().size() <= 1);
    }
    assertThat(segments()).isEmpty();
  }

  @Test
  void aQueueThatNobodyReadsKeepsNoSegmentOfAnother() {
    try (QueueStore store = openStore();
        DurableQueue<String> slow = openQueue(store, "slow", new QueueOptions(), NO_LOSSES);
        DurableQueue<String> fast = openQueue(store, "fast", new QueueOptions(), NO_LOSSES)) {
      QueueReader<String> reader = new QueueReader<>(fast);
      for (int i = 0; i < 20; i++) {
        appendAll(slow, texts(i, i + 1, MESSAGE));
        appendAll(fast, texts(0, 100, MESSAGE));
        reader.drain(100);
      }
      Await.until("segments are deleted", () -> segments().size() <= 3);
      assertThat(slow.waiting()).isEqualTo(20);
    }
  }

  @Test
  void aPurgeOfAClosedQueueAndItsDeletionFreeSegments() {
    fill(0, 300);
    try (QueueMaintenance directory = QueueMaintenance.open(data())) {
      assertThat(directory.purge("q").messages()).isEqualTo(300);
    }
    assertThat(segments()).isEmpty();
    fill(0, 300);
    try (QueueStore store = openStore()) {
      store.deleteQueue("q");
      Await.until("segments are deleted", () -> segments().isEmpty());
    }
  }

  @Test
  void aKillLosesNothing() throws IOException {
    Path killed = directory.resolve("killed");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 300, MESSAGE));
      new QueueReader<>(queue).drain(100);
      KilledStore.awaitWritten(queue);
      KilledStore.copy(data(), killed);
      // Written, and named by nothing.
      Files.write(killed.resolve(SegmentDirectory.name(0x777)), new byte[10]);
    }
    // What was handled last may come again.
    List<String> found = drain(killed);
    assertThat(found).hasSizeGreaterThanOrEqualTo(200);
    assertThat(texts(0, 300, MESSAGE)).endsWith(found.toArray(String[]::new));
    assertThat(killed.resolve(SegmentDirectory.name(0x777))).doesNotExist();
  }

  @Test
  void aFlippedBitOfASegmentIsANamedLoss() throws IOException {
    fill(0, 300);
    Path segment = segments().get(1);
    LogDamage.flip(segment, (int) Files.size(segment) / 2, 1);

    ToolRun verified = ToolRun.of("verify", data());
    assertThat(verified.out()).contains("1 damaged").contains("checksum");
    assertThat(verified.exitCode()).isNotZero();

    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      List<String> found = drainPastLosses(queue);
      long lost = queue.stats().lost();
      // Those of one packet.
      assertThat(lost).isBetween(1L, 24L);
      assertThat(found).hasSize(300 - (int) lost).isSubsetOf(texts(0, 300, MESSAGE));
      assertThat(queue.stats().corruptPackets()).isEqualTo(1);
    }
  }

  @Test
  void aMissingSegmentIsANamedLoss() throws IOException {
    fill(0, 300);
    Files.delete(segments().get(1));

    assertThat(ToolRun.of("verify", data()).out()).contains("in a segment file");

    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(300, 310, MESSAGE));
      List<String> found = drainPastLosses(queue);
      assertThat(queue.stats().lost()).isPositive();
      assertThat(found).hasSize(310 - (int) queue.stats().lost());
      assertThat(found).isSubsetOf(texts(0, 310, MESSAGE));
    }
  }

  @Test
  void aBackupHasTheSegmentsOfItsMoment() throws IOException {
    Path copy = directory.resolve("copy");
    Path restored = directory.resolve("restored");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 300, MESSAGE));
      QueueReader<String> reader = new QueueReader<>(queue);
      reader.drain(100);
      KilledStore.awaitWritten(queue);
      assertThat(store.backup(copy)).isGreaterThan(200L * MESSAGE);
      reader.drain(200);
    }
    assertThat(format(copy)).isEqualTo("3");
    QueueMaintenance.restore(copy, restored, Progress.NONE);
    assertThat(format(restored)).isEqualTo("3");
    assertThat(ToolRun.of("verify", restored).ok().out()).endsWith("intact\n");
    List<String> found = drain(restored);
    assertThat(found).hasSizeGreaterThanOrEqualTo(200);
    assertThat(texts(0, 300, MESSAGE)).endsWith(found.toArray(String[]::new));
    assertThat(drain(copy)).isEqualTo(found);
  }

  @Test
  void theSegmentsOfABackupThatNoPacketIsInAreDeletedAndNotPutAway() throws IOException {
    Path copy = directory.resolve("copy");
    Path restored = directory.resolve("restored");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 300, MESSAGE));
      new QueueReader<>(queue).drain(300);
      KilledStore.awaitWritten(queue);
      // The writer does this between two transactions: what it had taken is committed.
      queue.deadLetters().list(0, 1);
      store.backup(copy);
    }
    QueueMaintenance.restore(copy, restored, Progress.NONE);
    for (Path each : List.of(restored, copy)) {
      assertThat(SegmentDirectory.of(each)).isNotEmpty();
      assertThat(drain(each)).isEmpty();
      assertThat(SegmentDirectory.of(each)).isEmpty();
      assertThat(each.resolve("damaged")).doesNotExist();
    }
  }

  @Test
  void aBackupWhileMessagesComeAndGoIsWholeAndInOrder() {
    Path copy = directory.resolve("copy");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      Thread copying = new Thread(() -> store.backup(copy));
      copying.start();
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; copying.isAlive() || i < 1000; i += 100) {
        appendAll(queue, texts(i, i + 100, MESSAGE));
        reader.drain(100);
      }
    }
    List<String> found = drain(copy);
    if (!found.isEmpty()) {
      String first = found.get(0);
      int number = Integer.parseInt(first.substring(0, first.indexOf(':')));
      assertThat(found).isEqualTo(texts(number, number + found.size(), MESSAGE));
    }
  }

  @Test
  void theToolExportsImportsAndCompacts() {
    fill(0, 100);
    Path lines = directory.resolve("lines");
    Path imported = directory.resolve("imported");
    ToolRun.of("export", data(), "--queue", "q", "--output", lines).ok();
    ToolRun.of("import", imported, lines).ok();
    ToolRun.of("compact", data()).ok();
    assertThat(ToolRun.of("verify", data()).ok().out()).endsWith("intact\n");
    assertThat(drain(imported)).isEqualTo(texts(0, 100, MESSAGE));
    assertThat(drain(data())).isEqualTo(texts(0, 100, MESSAGE));
  }

  @Test
  void aRepairedLogStillHasItsSegments() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 100, MESSAGE));
      for (int i = 0; i < 3000; i++) {
        append(queue, text(100 + i, 1000)).await();
      }
    }
    List<Path> logs = LogDamage.logs(data());
    assertThat(logs).hasSizeGreaterThan(2);
    LogDamage.flip(logs.get(1), 500_000, 1);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      List<String> first = new QueueReader<>(queue).drain(100);
      assertThat(first).isEqualTo(texts(0, 100, MESSAGE));
    }
  }

  @Test
  void aReleaseThatKnowsNoSegmentsRefusesTheDirectory() throws IOException {
    fill(0, 10);
    assertThat(format(data())).isEqualTo("3");
    assertThat(StoreDirectory.FORMAT_WITHOUT_SEGMENTS).isEqualTo(2);
    Files.writeString(data().resolve(StoreDirectory.FORMAT_FILE), "4\n");
    assertThatThrownBy(this::openStore)
        .isInstanceOfSatisfying(
            QueueException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.NEWER_FORMAT));
  }

  @Test
  void aFullSegmentDirectoryIsReportedAsTheStoresFiguresSay() throws IOException {
    fill(0, 100);
    try (QueueDirectory looked = QueueDirectory.open(data())) {
      StoreFigures figures = looked.figures();
      assertThat(figures.logBytes()).isGreaterThan(100L * MESSAGE);
      assertThat(figures.liveBytes()).isGreaterThan(100L * MESSAGE);
    }
  }
}
