package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.DurableQueue.Admission;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.store.QueueWork;
import dev.weir.queue.store.StoredQueue;
import dev.weir.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@link DurableQueue}, on a real directory. */
@SuppressWarnings("try") // Closing twice is what is tested.
class DurableQueueTest extends QueueTestBase {

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(1024).setBatchBytes(8192);
  }

  // ---- order

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messagesComeInTheOrderOfTheirAppendsAcrossMemoryAndDisk(boolean writeThrough) {
    QueueOptions small =
        new QueueOptions()
            .setReadAheadBytes(4096)
            .setWriteBufferBytes(100_000)
            .setMaxBytes(1 << 20)
            .setPolicy(OverflowPolicy.BLOCK)
            .setWriteThrough(writeThrough);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, small)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      List<String> sent = texts(0, 6000, 50);
      List<String> got = new ArrayList<>();
      for (int i = 0; i < sent.size(); i++) {
        String text = sent.get(i);
        boolean keep = i % 3 == 1;
        if (i % 3 == 0) {
          append(queue, text);
        } else if (queue.offer(text, null, keep) != Admission.ACCEPTED) {
          Await.until("room", () -> queue.offer(text, null, keep) == Admission.ACCEPTED);
        }
        if (i % 5 == 4) {
          got.addAll(reader.drain(2));
        }
      }
      got.addAll(reader.drain(sent.size() - got.size()));

      assertThat(got).isEqualTo(sent);
      assertThat(queue.poll()).isNull();
      assertThat(queue.stats().waiting()).isZero();
      assertThat(queue.stats().unacknowledged()).isZero();
      assertThat(queue.stats().bytes()).isZero();
      assertThat(queue.stats().bufferedBytes()).isZero();
    }
  }

  @Test
  void manyProducersEachKeepTheirOrderAndLoseNothing() {
    int producers = 4;
    int each = 3000;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      List<CompletableFuture<List<Outcome>>> sent = new ArrayList<>();
      for (int p = 0; p < producers; p++) {
        String suffix = "-" + p;
        sent.add(
            CompletableFuture.supplyAsync(
                () ->
                    texts(0, each, 20).stream().map(text -> append(queue, text + suffix)).toList(),
                task -> new Thread(task).start()));
      }
      Map<String, List<String>> got = new HashMap<>();
      QueueReader<String> reader = new QueueReader<>(queue);
      for (String message : reader.drain(producers * each)) {
        int dash = message.indexOf('-');
        got.computeIfAbsent(message.substring(dash), p -> new ArrayList<>())
            .add(message.substring(0, dash));
      }
      assertThat(got)
          .hasSize(producers)
          .allSatisfy((p, texts) -> assertThat(texts).isEqualTo(texts(0, each, 20)));
      sent.forEach(
          future ->
              assertThat(future.join())
                  .allSatisfy(outcome -> assertThat(outcome.await().timesTold()).isEqualTo(1)));
    }
  }

  @Test
  void twoQueuesOfOneStoreDoNotSeeEachOther() {
    try (QueueStore store = openStore();
        DurableQueue<String> left = openQueue(store, "left", new QueueOptions(), NO_LOSSES);
        DurableQueue<String> right = openQueue(store, "right", new QueueOptions(), NO_LOSSES)) {
      appendAll(left, texts(0, 100, 20));
      appendAll(right, texts(100, 150, 20));
      left.close();
      assertThat(new QueueReader<>(right).drainAll()).isEqualTo(texts(100, 150, 20));
    }
    try (QueueStore store = openStore();
        DurableQueue<String> left = openQueue(store, "left", new QueueOptions(), NO_LOSSES);
        DurableQueue<String> right = openQueue(store, "right", new QueueOptions(), NO_LOSSES)) {
      assertThat(right.waiting()).isZero();
      assertThat(new QueueReader<>(left).drainAll()).isEqualTo(texts(0, 100, 20));
    }
  }

  // ---- over a restart

  @Test
  void whatIsAcknowledgedNeverComesAgainAndTheRestComesInOrder() {
    List<String> left = new ArrayList<>(texts(0, 2000, 30));
    for (int round = 0; !left.isEmpty(); round++) {
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store)) {
        if (round == 0) {
          appendAll(queue, left);
        }
        assertThat(queue.waiting()).isEqualTo(left.size());
        List<Delivery<String>> taken = new QueueReader<>(queue).next(Math.min(700, left.size()));
        assertThat(taken.stream().map(Delivery::message)).isEqualTo(left.subList(0, taken.size()));
        for (int i = 0; i < taken.size(); i++) {
          if (i % 3 > 0 || round > 2) {
            queue.acknowledge(taken.get(i));
            queue.acknowledge(taken.get(i));
            left.remove(taken.get(i).message());
          }
        }
      }
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.stats().recovered()).isZero();
      assertThat(queue.stats().bytes()).isZero();
    }
  }

  @Test
  void theDeliveryCountGrowsOverRestarts() {
    for (int round = 1; round <= 4; round++) {
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store)) {
        if (round == 1) {
          appendAll(queue, texts(0, 3, 30));
        }
        List<Delivery<String>> taken = new QueueReader<>(queue).next(2);
        assertThat(taken).extracting(Delivery::deliveryCount).containsExactly(round, round);
        queue.release(taken.get(0));
        queue.acknowledge(taken.get(0));
        assertThat(queue.stats().unacknowledged()).isEqualTo(1);
      }
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).next(3))
          .extracting(Delivery::deliveryCount)
          .containsExactly(5, 5, 1);
    }
  }

  @Test
  void requestsAreGoneAfterARestartAndCounted() {
    List<Object> lost = new ArrayList<>();
    try (QueueStore store = openStore();
        DurableQueue<String> queue =
            openQueue(
                store, "q", new QueueOptions(), (attachment, reason) -> lost.add(attachment))) {
      for (int i = 0; i < 100; i++) {
        queue.offer(text(i, 30), i % 2 == 0 ? i : null, i % 2 == 1);
      }
      appendAll(queue, texts(100, 110, 30));
      Await.until("all is written", () -> queue.stats().bufferedBytes() == 0);
    }
    assertThat(lost).hasSize(50);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isEqualTo(60);
      assertThat(queue.stats().recovered()).isEqualTo(110);
      assertThat(queue.stats().recoveredTransient()).isEqualTo(50);
      assertThat(new QueueReader<>(queue).drainAll())
          .hasSize(60)
          .contains(text(1, 30), text(109, 30))
          .doesNotContain(text(0, 30));
      assertThat(queue.stats().bytes()).isZero();
    }
  }

  @Test
  void countsAreExactAfterARestartInTheMidstOfMixedPackets() {
    int[] kept = {0};
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      for (int i = 0; i < 500; i++) {
        queue.offer(text(i, 10 + i % 50), null, i % 3 > 0);
      }
      for (Delivery<String> delivery : new QueueReader<>(queue).next(333)) {
        int number =
            Integer.parseInt(delivery.message().substring(0, delivery.message().indexOf(':')));
        if (number % 4 > 0) {
          queue.acknowledge(delivery);
          kept[0] -= number % 3 > 0 ? 1 : 0;
        }
      }
      kept[0] += 500 - 167;
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isEqualTo(kept[0]);
      assertThat(queue.stats().recovered() - queue.stats().recoveredTransient()).isEqualTo(kept[0]);
      assertThat(new QueueReader<>(queue).drain(kept[0])).doesNotHaveDuplicates();
      assertThat(queue.poll()).isNull();
      assertThat(queue.stats().bytes()).isZero();
    }
  }

  @Test
  void aMessageToKeepThatWasTakenBeforeItWasWrittenIsKeptByACleanClose() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      try (BusyWriter busy = BusyWriter.hold(queue, reader)) {
        queue.offer("acknowledged", null, true);
        queue.offer("in work", null, true);
        queue.offer("given back", null, true);
        queue.offer("request", null, false);
        queue.offer("waiting", null, true);
        List<Delivery<String>> taken = reader.next(4);
        queue.acknowledge(taken.get(0));
        queue.release(taken.get(2));
        queue.release(taken.get(3));
      }
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drainAll())
          .containsExactly("in work", "given back", "waiting");
    }
  }

  @Test
  void sequencesGrowAndAreNeverUsedTwice() {
    long last = 0;
    for (int round = 0; round < 3; round++) {
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store)) {
        QueueReader<String> reader = new QueueReader<>(queue);
        for (int i = 0; i < 20; i++) {
          append(queue, text(i, 30));
          Delivery<String> delivery = reader.next();
          assertThat(delivery.sequence()).isGreaterThan(last);
          last = delivery.sequence();
          queue.acknowledge(delivery);
        }
      }
    }
  }

  @Test
  void acknowledgementsReachTheDiskInTimeThoughNothingIsAppended() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 50, 30));
      List<Delivery<String>> taken = new QueueReader<>(queue).next(50);
      Await.until("deliveries are written", () -> !hasUpkeep(queue));
      taken.subList(0, 45).forEach(queue::acknowledge);
      Await.until("acknowledgements are written", () -> !hasUpkeep(queue));
      Await.until("a copy shows them", () -> waitingInACopy() == 5);
    }
  }

  private static boolean hasUpkeep(DurableQueue<String> queue) {
    return (((StoredQueue<String>) queue).work() & QueueWork.UPKEEP) != 0;
  }

  private static boolean isOfStore(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".jdb") || name.equals(StoreDirectory.FORMAT_FILE);
  }

  /** What a killed process would have left at this moment. */
  private long waitingInACopy() {
    Path copy = directory.resolveSibling(directory.getFileName() + "-copy");
    try {
      Files.createDirectory(copy);
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.filter(DurableQueueTest::isOfStore).toList()) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
      try (QueueStore store = QueueStore.open(storeOptions().setDirectory(copy));
          DurableQueue<String> queue = openQueue(store)) {
        return queue.waiting();
      } finally {
        try (Stream<Path> files = Files.list(copy)) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
        Files.delete(copy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- memory and disk

  @Test
  void messagesConsumedBeforeTheirTurnAreNotWritten() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      try (BusyWriter busy = BusyWriter.hold(queue, reader)) {
        for (int i = 0; i < 200; i++) {
          queue.offer(text(i, 30), null, i % 2 == 0);
        }
        assertThat(reader.drain(200)).isEqualTo(texts(0, 200, 30));
      }
      queue.close();
      assertThat(queue.stats().writtenMessages()).isEqualTo(1);
      assertThat(queue.stats().appended()).isEqualTo(201);
    }
  }

  /** Keeps the writer busy with telling a sender. */
  private record BusyWriter(CountDownLatch latch) implements AutoCloseable {
    static BusyWriter hold(DurableQueue<String> queue, QueueReader<String> reader) {
      CountDownLatch latch = new CountDownLatch(1);
      queue.append(
          "first",
          Durability.PROCESS,
          failure -> {
            try {
              latch.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
      assertThat(reader.drain(1)).containsExactly("first");
      return new BusyWriter(latch);
    }

    @Override
    public void close() {
      latch.countDown();
    }
  }

  @Test
  void aPacketConsumedWhileItIsWrittenIsDeletedOrComesAgainAsItWasAcknowledged() {
    for (boolean acknowledge : new boolean[] {true, false}) {
      GatedSerde gated = new GatedSerde();
      try (QueueStore store = openStore();
          DurableQueue<String> queue =
              store.queue("gated" + acknowledge, gated, new QueueOptions(), NO_LOSSES);
          GatedSerde gate = gated) {
        QueueReader<String> reader = new QueueReader<>(queue);
        texts(0, 10, 30).forEach(text -> queue.offer(text, null, true));
        gate.entered.acquireUninterruptibly();
        List<Delivery<String>> taken = reader.next(10);
        if (acknowledge) {
          taken.forEach(queue::acknowledge);
          assertThat(queue.stats().bytes()).isZero();
        }
        ((StoredQueue<String>) queue).check();
      }
      try (QueueStore store = openStore();
          DurableQueue<String> queue =
              store.queue("gated" + acknowledge, new TextSerde(), new QueueOptions(), NO_LOSSES)) {
        assertThat(queue.waiting()).isEqualTo(acknowledge ? 0 : 10);
        List<Delivery<String>> again = new QueueReader<>(queue).next((int) queue.waiting());
        assertThat(again).allMatch(delivery -> delivery.deliveryCount() == 2);
      }
    }
  }

  /** Lets the writer in only when the test says so. */
  static final class GatedSerde implements Serde<String>, AutoCloseable {
    final Semaphore entered = new Semaphore(0);
    final Semaphore open = new Semaphore(0);
    private final Serde<String> serde = new TextSerde();

    @Override
    public int sizeBytes(String message) {
      return serde.sizeBytes(message);
    }

    @Override
    public void write(String message, ByteBuffer out) {
      entered.release();
      open.acquireUninterruptibly();
      serde.write(message, out);
    }

    @Override
    public String read(ByteBuffer in) {
      return serde.read(in);
    }

    @Override
    public void close() {
      open.release(1_000_000);
    }
  }

  @Test
  void attachmentsComeBackWithTheirMessagesFromDisk() {
    QueueOptions small = new QueueOptions().setReadAheadBytes(1024).setWriteThrough(true);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, small)) {
      // The last one is kept, so that those before it are written too.
      for (int i = 0; i < 1001; i++) {
        queue.offer(text(i, 30), i % 7 == 0 ? null : i, i % 2 == 0);
      }
      Await.until("all is written", () -> queue.stats().bufferedBytes() == 0);
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; i < 1001; i++) {
        Delivery<String> delivery = reader.next();
        assertThat(delivery.message()).isEqualTo(text(i, 30));
        assertThat(delivery.attachment()).isEqualTo(i % 7 == 0 ? null : (Object) i);
        queue.acknowledge(delivery);
      }
    }
  }

  @Test
  void theFiguresTellHowManyMessagesWereReadFromDisk() {
    QueueOptions options = new QueueOptions().setWriteThrough(true);
    QueueOptions small = new QueueOptions(options).setReadAheadBytes(1024);
    List<String> sent = texts(0, 1000, 30);
    try (QueueStore store = openStore();
        DurableQueue<String> kept = openQueue(store, "kept", options, NO_LOSSES);
        DurableQueue<String> read = openQueue(store, "read", small, NO_LOSSES)) {
      appendAll(kept, sent);
      appendAll(read, sent);
      assertThat(new QueueReader<>(kept).drainAll()).isEqualTo(sent);
      assertThat(new QueueReader<>(read).drainAll()).isEqualTo(sent);

      assertThat(kept.stats().readMessages()).isZero();
      assertThat(read.stats().readMessages()).isBetween(900L, 1000L);
    }
  }

  @Test
  void theListenerIsToldThoughTheMessageCameBeforeTheListener() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.poll()).isNull();
      append(queue, "early").await();
      CompletableFuture<String> thread = new CompletableFuture<>();
      queue.onReadable(() -> thread.complete(Thread.currentThread().getName()));
      assertThat(thread.join()).startsWith("weir-queue-");
      assertThat(queue.poll().message()).isEqualTo("early");
    }
  }

  @Test
  void whatListenersAndSendersThrowHarmsNobodyElse() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue =
            openQueue(
                store,
                "q",
                new QueueOptions(),
                (attachment, reason) -> {
                  throw new IllegalStateException("loss listener");
                })) {
      queue.onReadable(
          () -> {
            throw new IllegalStateException("listener");
          });
      queue.append(
          "throws",
          Durability.PROCESS,
          failure -> {
            throw new AssertionError("sender");
          });
      append(queue, "next").await();
      queue.offer("request", "requester", false);
      assertThat(new QueueReader<>(queue).drain(2)).containsExactly("throws", "next");
    }
  }

  // ---- closing

  @Test
  void closeTellsEverySenderExactlyOnceAndKeepsWhatItAccepted() {
    for (int round = 0; round < 10; round++) {
      ConcurrentLinkedQueue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
      long before;
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store)) {
        before = queue.waiting();
        List<Thread> senders = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
          Thread sender =
              new Thread(
                  () -> {
                    Outcome outcome;
                    do {
                      outcome = append(queue, "message");
                      outcomes.add(outcome);
                    } while (!outcome.isTold() || outcome.isAccepted());
                  });
          sender.start();
          senders.add(sender);
        }
        Await.until("appends", () -> outcomes.size() > 500);
        queue.close();
        for (Thread sender : senders) {
          Await.until("the sender sees the end", () -> !sender.isAlive());
        }
        assertThat(append(queue, "late").refusal()).isEqualTo(Reason.CLOSED);
      }
      assertThat(outcomes).allMatch(outcome -> outcome.timesTold() == 1);
      assertThat(outcomes)
          .allMatch(outcome -> outcome.isAccepted() || outcome.refusal() == Reason.CLOSED);
      long accepted = outcomes.stream().filter(Outcome::isAccepted).count();
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store)) {
        assertThat(queue.waiting()).isEqualTo(before + accepted);
      }
    }
  }

  @Test
  void aClosedQueueRefusesByNameAndMayBeOpenedAgain() {
    try (QueueStore store = openStore()) {
      DurableQueue<String> queue = openQueue(store);
      appendAll(queue, texts(0, 10, 30));
      Delivery<String> delivery = new QueueReader<>(queue).next();
      assertThatThrownBy(() -> openQueue(store)).hasMessage("queue q is open already");
      queue.close();
      queue.close();
      assertThat(queue.poll()).isNull();
      assertThat(append(queue, "x").refusal()).isEqualTo(Reason.CLOSED);
      assertThat(queue.offer("x", null, true)).isEqualTo(Admission.CLOSED);
      queue.acknowledge(delivery);

      DurableQueue<String> again = openQueue(store);
      assertThat(new QueueReader<>(again).drain(10)).isEqualTo(texts(0, 10, 30));
      store.close();
      assertThat(append(again, "x").refusal()).isEqualTo(Reason.CLOSED);
      assertThatThrownBy(() -> openQueue(store))
          .isInstanceOfSatisfying(
              QueueException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
    }
  }

  @Test
  void closingWritesAcknowledgementsAtOnceHoweverRarelyTheyAreFlushed() {
    QueueStoreOptions rare = storeOptions().setAckFlushMs(60_000);
    try (QueueStore store = QueueStore.open(rare);
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 10, 30));
      new QueueReader<>(queue).drain(7);
    }
    try (QueueStore store = QueueStore.open(rare);
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isEqualTo(3);
    }
  }

  @Test
  void queueAndStoreMayBeClosedBySeveralThreadsAtOnce() {
    for (int round = 0; round < 20; round++) {
      QueueStore store = openStore();
      DurableQueue<String> queue = openQueue(store);
      append(queue, "x");
      queue.offer("y", null, true);
      CompletableFuture<Void> first =
          CompletableFuture.runAsync(queue::close, task -> new Thread(task).start());
      CompletableFuture<Void> second =
          CompletableFuture.runAsync(store::close, task -> new Thread(task).start());
      queue.close();
      store.close();
      first.join();
      second.join();
    }
  }

  @Test
  void closingOnAThreadOfTheStoreIsRefused() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      CompletableFuture<String> refusal = new CompletableFuture<>();
      queue.append(
          "x",
          Durability.PROCESS,
          failure -> {
            try {
              queue.close();
              refusal.complete(null);
            } catch (IllegalStateException e) {
              refusal.complete(e.getMessage());
            }
          });
      assertThat(refusal.join()).isEqualTo("close is called on a thread of the store");
    }
  }
}
