package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.DurableQueue.Admission;
import dev.weir.queue.store.StoredQueue;
import dev.weir.testing.Await;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several queues of every kind in one store, each with several senders, all at once. */
@Tag("slow")
class StoreStressTest extends QueueTestBase {
  private static final int SENDERS = 3;
  private static final int EACH = 1000;

  private final long seed = System.nanoTime();

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(2048).setBatchBytes(8192).setAckFlushMs(2);
  }

  private static List<QueueOptions> kinds() {
    List<QueueOptions> kinds = new ArrayList<>();
    for (OverflowPolicy policy : OverflowPolicy.values()) {
      for (boolean writeThrough : new boolean[] {true, false}) {
        kinds.add(
            new QueueOptions()
                .setPolicy(policy)
                .setMaxBytes(100_000)
                .setWriteBufferBytes(20_000)
                .setReadAheadBytes(writeThrough ? 0 : 5000)
                .setWriteThrough(writeThrough));
      }
    }
    return kinds;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyMessageIsDeliveredOnceInOrderOrNamedAsNot(boolean interrupts) {
    List<Line> lines = new ArrayList<>();
    AtomicBoolean done = new AtomicBoolean();
    try (QueueStore store = openStore()) {
      for (QueueOptions options : kinds()) {
        lines.add(new Line(store, "q" + lines.size(), options));
      }
      List<CompletableFuture<Void>> senders = new ArrayList<>();
      lines.forEach(line -> senders.addAll(line.start()));
      List<CompletableFuture<Void>> consumers = new ArrayList<>();
      lines.forEach(line -> consumers.add(line.consume()));
      if (interrupts) {
        consumers.add(start(() -> interrupt(store, lines, done)));
      }
      senders.forEach(CompletableFuture::join);
      lines.forEach(Line::ended);
      done.set(true);
      consumers.forEach(CompletableFuture::join);
      lines.forEach(line -> line.compare(seed, interrupts));
    }
    try (QueueStore store = openStore()) {
      for (Line line : lines) {
        DurableQueue<String> queue = openQueue(store, line.name, new QueueOptions(), NO_LOSSES);
        List<String> again = new QueueReader<>(queue).drainAll();
        if (!interrupts) {
          assertThat(again).as("seed %s", seed).isEqualTo(line.left());
        }
        assertThat(queue.stats().bytes()).isZero();
      }
    }
  }

  /** Each interrupt costs the environment, which has to be opened anew. */
  private static void interrupt(QueueStore store, List<Line> lines, AtomicBoolean done) {
    for (int i = 1; i <= 5; i++) {
      long delivered = i * 1500L;
      Await.until(
          "the queues go on",
          () ->
              done.get()
                  || store.fault() == null
                      && lines.stream().mapToLong(line -> line.delivered).sum() > delivered);
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("weir-queue-"))
          .forEach(Thread::interrupt);
    }
  }

  private static CompletableFuture<Void> start(Runnable duty) {
    return CompletableFuture.runAsync(duty, task -> new Thread(task, "stress").start());
  }

  /** One queue with its senders and its consumer. */
  private final class Line {
    private final String name;
    private final StoredQueue<String> queue;
    private final QueueReader<String> reader;
    private final ConcurrentLinkedQueue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final AtomicLong offered = new AtomicLong();
    private final AtomicLong lostAttachments = new AtomicLong();
    private final ConcurrentHashMap<Integer, Integer> last = new ConcurrentHashMap<>();
    private final List<Delivery<String>> released = new ArrayList<>();
    private volatile boolean ended;
    private volatile long delivered;

    Line(QueueStore store, String name, QueueOptions options) {
      this.name = name;
      this.queue =
          (StoredQueue<String>)
              openQueue(
                  store, name, options, (attachment, reason) -> lostAttachments.incrementAndGet());
      this.reader = new QueueReader<>(queue);
    }

    List<CompletableFuture<Void>> start() {
      List<CompletableFuture<Void>> senders = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        int sender = i;
        senders.add(StoreStressTest.start(() -> send(sender)));
      }
      return senders;
    }

    private void send(int sender) {
      Random random = new Random(seed + sender);
      for (int i = 0; i < EACH; i++) {
        int kind = random.nextInt(4);
        String message = sender + "/" + i + "/" + kind + "x".repeat(random.nextInt(80));
        if (kind > 1) {
          Outcome outcome = new Outcome();
          outcomes.add(outcome);
          queue.append(message, kind == 2 ? Durability.PROCESS : Durability.MACHINE, outcome);
          if (random.nextInt(50) == 0) {
            outcome.await();
          }
        } else if (queue.offer(message, kind == 0 ? message : null, kind == 0)
            == Admission.ACCEPTED) {
          offered.incrementAndGet();
        }
      }
    }

    void ended() {
      outcomes.forEach(Outcome::await);
      ended = true;
    }

    CompletableFuture<Void> consume() {
      return StoreStressTest.start(
          () -> {
            Random random = new Random(seed);
            List<Delivery<String>> held = new ArrayList<>();
            while (!ended || queue.waiting() > 0) {
              Delivery<String> delivery = queue.poll();
              if (delivery != null) {
                take(delivery);
                held.add(delivery);
              }
              if (held.size() > 30 || delivery == null && !held.isEmpty()) {
                end(held.remove(random.nextInt(held.size())), random);
              }
            }
            held.forEach(delivery -> end(delivery, random));
          });
    }

    private void take(Delivery<String> delivery) {
      String[] parts = delivery.message().split("/");
      int number = Integer.parseInt(parts[1]);
      Integer before = last.put(Integer.valueOf(parts[0]), number);
      assertThat(before == null || before < number).as("order of %s", name).isTrue();
      delivered++;
      if (delivered % 100 == 0) {
        queue.check();
      }
    }

    private void end(Delivery<String> delivery, Random random) {
      boolean keep = !delivery.message().split("/")[2].startsWith("1");
      if (random.nextInt(300) == 0 && keep) {
        queue.release(delivery);
        released.add(delivery);
      } else {
        queue.acknowledge(delivery);
      }
    }

    List<String> left() {
      released.sort(Comparator.comparing(Delivery::sequence));
      return released.stream().map(Delivery::message).toList();
    }

    void compare(long seed, boolean interrupts) {
      queue.check();
      QueueStats stats = queue.stats();
      long accepted = outcomes.stream().filter(Outcome::isAccepted).count() + offered.get();
      assertThat(outcomes).allMatch(outcome -> outcome.timesTold() == 1);
      assertThat(stats.appended()).as("seed %s: %s", seed, stats).isEqualTo(accepted);
      assertThat(delivered + stats.dropped() + stats.lost()).isEqualTo(accepted);
      assertThat(stats.unacknowledged()).isZero();
      assertThat(stats.bytes() == 0).isEqualTo(released.isEmpty());
      if (!interrupts) {
        assertThat(stats.lost()).isZero();
        assertThat(stats.rejected()).isEqualTo(3L * EACH - accepted);
      }
    }
  }
}
