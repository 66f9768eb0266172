package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Interrupts every thread there is on behalf of a store, JE's own too, which nobody should be able
 * to get hold of: files may have to be opened anew, but nothing is lost and nothing hangs.
 */
class InterruptEveryThreadTest extends QueueTestBase {
  private static final int ALL = 3000;
  private static final Set<String> HIT =
      Set.of("weir-queue-writer", "weir-queue-reader", "Cleaner-1", "Checkpointer", "INCompressor");
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(300);

  @BeforeEach
  void keepBackgroundThreadsBusy() throws IOException {
    Files.writeString(
        directory.resolve("je.properties"),
        """
        je.checkpointer.bytesInterval=100000
        je.cleaner.bytesInterval=100000
        je.cleaner.minUtilization=80
        """);
  }

  /** Interrupts the threads that are started while it is open. */
  private static final class Interrupter implements AutoCloseable {
    private final Set<Thread> others = new HashSet<>(Thread.getAllStackTraces().keySet());
    private final Set<String> names = new ConcurrentSkipListSet<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private final Thread thread = new Thread(this::run, "interrupter");
    private final long pauseNs;

    /**
     * @param pauseNs between two rounds: a thread interrupted all the time gets nothing done
     */
    Interrupter(long pauseNs) {
      this.pauseNs = pauseNs;
      others.add(thread);
      thread.start();
    }

    private void run() {
      while (!done.get()) {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
          if (!others.contains(thread)) {
            names.add(thread.getName());
            thread.interrupt();
          }
        }
        LockSupport.parkNanos(pauseNs);
      }
    }

    void end() {
      done.set(true);
      Await.until("the interrupter ends", () -> !thread.isAlive());
    }

    @Override
    public void close() {
      end();
    }
  }

  @Test
  void nothingIsLostWhenThreadsOfTheStoreAndOfJeAreInterrupted() {
    QueueOptions options = new QueueOptions().setPolicy(OverflowPolicy.BLOCK).setReadAheadBytes(0);
    try (Interrupter interrupter = new Interrupter(100 * PAUSE_NS);
        QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      List<String> found = new ArrayList<>();
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < ALL; i++) {
        outcomes.add(append(queue, text(i, 1000)));
        if (i % 100 == 99) {
          outcomes.get(i).await();
          found.addAll(reader.drain(50));
        }
      }
      Await.until(
          "every thread was hit: " + interrupter.names, () -> interrupter.names.containsAll(HIT));
      interrupter.end();
      found.addAll(reader.drain(ALL / 2));
      assertThat(found.equals(texts(0, ALL, 1000))).as("all came, in order").isTrue();
      assertThat(outcomes).allMatch(outcome -> outcome.await().isAccepted());
      assertThat(queue.stats().lost()).isZero();
    }
  }

  @Tag("slow")
  @Test
  void openingAndClosingWhileEveryThreadIsInterruptedFailsWithOneLineAtMost() {
    int appended = 0;
    int refused = 0;
    Set<String> hit = new HashSet<>();
    for (int round = 0; round < 40; round++) {
      try (Interrupter interrupter = new Interrupter(PAUSE_NS);
          QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store)) {
        interrupter.end();
        hit.addAll(interrupter.names);
        if (append(queue, text(appended, 30)).await().isAccepted()) {
          appended++;
        }
      } catch (QueueException e) {
        assertThat(e.reason()).isEqualTo(Reason.STORE_FAILED);
        assertThat(e.getMessage()).doesNotContain("\n");
        refused++;
      }
    }
    assertThat(hit).contains("weir-queue-call");
    System.out.println("interrupts: " + refused + " of 40 openings failed");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drainAll()).isEqualTo(texts(0, appended, 30));
    }
  }
}
