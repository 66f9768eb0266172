package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.options.ByteBudget;
import dev.weir.queue.DurableQueueTest.GatedSerde;
import dev.weir.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DedupTest extends QueueTestBase {
  /** Longer than a test takes, however slow the machine is. */
  private static final long WINDOW_MS = 3_600_000;

  private final AtomicLong nowMs = new AtomicLong(System.currentTimeMillis());

  private static QueueOptions remembering(int ids) {
    return new QueueOptions().setDedupMaxIds(ids).setDedupWindowMs(WINDOW_MS);
  }

  private static Outcome append(DurableQueue<String> queue, String message, String id) {
    return append(queue, message, id, Durability.PROCESS);
  }

  private static Outcome append(
      DurableQueue<String> queue, String message, String id, Durability durability) {
    Outcome outcome = new Outcome();
    queue.append(message, MessageOptions.NONE.withId(id), durability, outcome);
    return outcome;
  }

  @Test
  void aMessageOfAKnownIdIsAcceptedAndNotAdded() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        outcomes.add(append(queue, text(i % 100, 50), "id" + i % 100));
      }
      outcomes.forEach(outcome -> assertThat(outcome.await().isAccepted()).isTrue());
      assertThat(new QueueReader<>(queue).drain(100)).isEqualTo(texts(0, 100, 50));
      assertThat(append(queue, "again", "id7").await().isAccepted()).isTrue();
      assertThat(append(queue, "again", "id7", Durability.MACHINE).await().isAccepted()).isTrue();
      assertThat(append(queue, "again", "id7", Durability.NONE).await().isAccepted()).isTrue();
      assertThat(queue.poll()).isNull();
      assertThat(queue.stats().duplicates()).isEqualTo(203);
      assertThat(outcomes).allMatch(outcome -> outcome.timesTold() == 1);
    }
  }

  @Test
  void idsAreKnownOverARestartAlsoOfMessagesThatAreGone() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      append(queue, "a", "1").await();
      append(queue, "b", "2").await();
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly("a");
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      append(queue, "a again", "1").await();
      append(queue, "b again", "2").await();
      append(queue, "c", "3").await();
      Delivery<String> b = queue.poll();
      List<String> left = new ArrayList<>();
      QueueReader<String> reader = new QueueReader<>(queue);
      if (b == null) {
        left.addAll(reader.drain(2));
      } else {
        left.add(b.message());
        assertThat(b.messageOptions().id()).isEqualTo("2");
        queue.acknowledge(b);
        left.addAll(reader.drain(1));
      }
      assertThat(left).containsExactly("b", "c");
    }
  }

  @Test
  void aKnownIdWithOtherContentIsRefusedAlsoAfterARestart() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      append(queue, "old", "unmarked").await();
      assertThat(appendMarked(queue, "a", "1", "content a").isAccepted()).isTrue();
      assertThat(appendMarked(queue, "b", "1", "content b").refusal())
          .isEqualTo(QueueException.Reason.ID_REUSED);
      assertThat(appendMarked(queue, "c", "\0odd\0", "content c").isAccepted()).isTrue();
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      assertThat(appendMarked(queue, "b", "1", "content b").refusal())
          .isEqualTo(QueueException.Reason.ID_REUSED);
      assertThat(appendMarked(queue, "a", "1", "content a").isAccepted()).isTrue();
      assertThat(append(queue, "a", "1").await().isAccepted()).isTrue();
      assertThat(appendMarked(queue, "x", "unmarked", "content x").isAccepted()).isTrue();
      assertThat(appendMarked(queue, "d", "\0odd\0", "content d").refusal())
          .isEqualTo(QueueException.Reason.ID_REUSED);
      assertThat(queue.stats().duplicates()).isEqualTo(3);
      assertThat(queue.stats().rejected()).isEqualTo(2);
      assertThat(new QueueReader<>(queue).drain(3)).containsExactly("old", "a", "c");
    }
  }

  private static Outcome appendMarked(
      DurableQueue<String> queue, String message, String id, String fingerprint) {
    Outcome outcome = new Outcome();
    MessageOptions options = MessageOptions.NONE.withId(id).withFingerprint(fingerprint);
    queue.append(message, options, Durability.PROCESS, outcome);
    return outcome.await();
  }

  @Test
  void onlyTheLastIdsAreKnown() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, remembering(10))) {
      for (int i = 0; i < 100; i++) {
        append(queue, text(i, 50), "id" + i).await();
      }
      append(queue, "new again", "id0").await();
      append(queue, "known", "id95").await();
      assertThat(queue.stats().duplicates()).isEqualTo(1);
      assertThat(queue.waiting()).isEqualTo(101);
    }
  }

  @Test
  void anIdIsForgottenWithTime() {
    try (QueueStore store =
            QueueStore.open(
                storeOptions()
                    .setClock(
                        () -> Instant.ofEpochMilli(nowMs.get()), () -> nowMs.get() * 1_000_000));
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      append(queue, "a", "1").await();
      nowMs.addAndGet(WINDOW_MS / 2);
      append(queue, "a", "1").await();
      nowMs.addAndGet(WINDOW_MS / 2 + 1);
      append(queue, "a", "1").await();
      assertThat(queue.stats().duplicates()).isEqualTo(1);
      assertThat(queue.waiting()).isEqualTo(2);
    }
  }

  @Test
  void aMessageThatWasRefusedMayComeAgain() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      Outcome refused = append(queue, TextSerde.UNWRITABLE, "1").await();
      assertThat(refused.refusal()).isEqualTo(QueueException.Reason.UNWRITABLE);
      assertThat(append(queue, "right", "1").await().isAccepted()).isTrue();
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly("right");
      QuietLog.takeErrors();
    }
  }

  @Test
  void aMessageThatCouldNotBeWrittenMayComeAgainAfterARestart() throws IOException {
    Path data = directory.resolve("data");
    Path killed = Files.createDirectory(directory.resolve("killed"));
    GatedSerde gated = new GatedSerde();
    AtomicReference<QueueException> refusal = new AtomicReference<>();
    try (QueueStore store = QueueStore.open(storeOptions().setDirectory(data));
        DurableQueue<String> queue = store.queue("q", gated, remembering(1000), NO_LOSSES);
        GatedSerde gate = gated) {
      append(queue, "before", "0");
      Await.until("the first is written", gated.entered::tryAcquire);
      append(queue, "neighbour", "2");
      queue.append(
          TextSerde.UNWRITABLE,
          MessageOptions.NONE.withId("1"),
          Durability.PROCESS,
          failure -> {
            // Between the transaction of its packet and the next one, which removes its id too.
            copyFiles(data, killed);
            refusal.set(failure);
          });
      gate.open.release(1_000_000);
      Await.until("it is refused", () -> refusal.get() != null);
      assertThat(refusal.get().reason()).isEqualTo(QueueException.Reason.UNWRITABLE);
    }
    QuietLog.takeErrors();
    for (Path left : List.of(killed, data)) {
      try (QueueStore store = QueueStore.open(storeOptions().setDirectory(left));
          DurableQueue<String> queue = openQueue(store, remembering(1000))) {
        append(queue, "neighbour again", "2").await();
        assertThat(append(queue, "right", "1").await().isAccepted()).isTrue();
        assertThat(new QueueReader<>(queue).drainAll())
            .as("%s", left.getFileName())
            .containsExactly("before", "neighbour", "right");
      }
    }
  }

  @Test
  void aDuplicateCompletesOnlyWhenTheFirstIsAsSafeAsTheDuplicateAsks() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      append(queue, "a", "1", Durability.NONE).await();
      Delivery<String> handled = new QueueReader<>(queue).next();
      // By now the first may have been written of itself; it is not written a second time.
      assertThat(append(queue, "a", "1", Durability.PROCESS).await().isAccepted()).isTrue();
      assertThat(queue.stats().writtenMessages()).isEqualTo(1);
      queue.acknowledge(handled);
      assertThat(append(queue, "a", "1", Durability.MACHINE).await().isAccepted()).isTrue();
      assertThat(queue.stats().duplicates()).isEqualTo(2);
    }
  }

  @Test
  void aDurableDuplicateOfAWrittenMessageWithoutDurabilitySurvivesTheProcess() throws IOException {
    Path copy = Files.createDirectory(directory.resolve("copy"));
    Path data = directory.resolve("data");
    try (QueueStore store = QueueStore.open(storeOptions().setDirectory(data));
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      append(queue, "a", "1", Durability.NONE).await();
      Await.until("it is written", () -> queue.stats().writtenMessages() == 1);
      assertThat(append(queue, "a", "1", Durability.PROCESS).await().isAccepted()).isTrue();
      copyFiles(data, copy);
    }
    try (QueueStore store = QueueStore.open(storeOptions().setDirectory(copy));
        DurableQueue<String> queue = openQueue(store, remembering(1000))) {
      assertThat(queue.waiting()).isEqualTo(1);
    }
  }

  /** What is on disk if the process is killed now. */
  private static void copyFiles(Path from, Path to) {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aSenderThatFailsDoesNotTakeTheMessageOfAnotherOneAlong() throws IOException {
    Path data = directory.resolve("data");
    Path away = directory.resolve("away");
    GatedSerde gated = new GatedSerde();
    try (QueueStore store = QueueStore.open(storeOptions().setDirectory(data));
        DurableQueue<String> queue = store.queue("q", gated, remembering(1000), NO_LOSSES);
        GatedSerde gate = gated) {
      append(queue, "before", "0");
      Await.until("the first is written", gated.entered::tryAcquire);
      assertThat(append(queue, "a", "1", Durability.NONE).isAccepted()).isTrue();
      Outcome durableA = append(queue, "a", "1");
      Outcome durableB = append(queue, "b", "2");
      assertThat(append(queue, "b", "2", Durability.NONE).isAccepted()).isTrue();
      Outcome durableC = append(queue, "c", "3");
      Files.move(data, away);
      gate.open.release(1_000_000);
      for (Outcome durable : List.of(durableA, durableB, durableC)) {
        assertThat(durable.await().refusal()).isEqualTo(QueueException.Reason.STORE_FAILED);
      }
      assertThat(append(queue, "a", "1").await().refusal())
          .isEqualTo(QueueException.Reason.STORE_FAILED);
      Files.move(away, data);
      Await.until("the store goes on", () -> store.fault() == null);
      assertThat(append(queue, "a", "1").await().isAccepted()).isTrue();
      assertThat(new QueueReader<>(queue).drainAll()).endsWith("a", "b");
      assertThat(queue.stats().bytes()).isZero();
    }
  }

  @Test
  void theIdsOfAllQueuesTakeAShareOfTheHeapWhateverTheirNumber() {
    // A quarter of it holds 5,000 ids of 24 characters.
    ByteBudget buffers = new ByteBudget(4 << 20);
    try (QueueStore store = QueueStore.open(storeOptions().setBufferBudget(buffers));
        DurableQueue<String> first = openQueue(store, "first", remembering(10_000_000), NO_LOSSES);
        DurableQueue<String> second =
            openQueue(store, "second", remembering(10_000_000), NO_LOSSES)) {
      for (DurableQueue<String> queue : List.of(first, second)) {
        for (int i = 0; i < 10_000; i++) {
          Outcome outcome =
              append(
                  queue,
                  "",
                  "id " + text(i, 21),
                  i % 1000 == 999 ? Durability.PROCESS : Durability.NONE);
          // So that what waits to be written is not refused for lack of room.
          assertThat(outcome.await().isAccepted()).isTrue();
        }
        append(queue, "", "id " + text(0, 21)).await();
        append(queue, "", "id " + text(9_999, 21)).await();
        append(queue, "", "id " + text(9_001, 21)).await();
        assertThat(queue.stats().duplicates()).isEqualTo(2);
      }
    }
  }

  @Test
  void withoutAWindowIdsAreOnlyCarried() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      append(queue, "a", "1").await();
      append(queue, "b", "1").await();
      assertThat(new QueueReader<>(queue).drain(2)).containsExactly("a", "b");
    }
  }
}
