package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An interrupt inside JE costs the environment; those of callers never get there. */
class InterruptTest extends QueueTestBase {

  @Test
  void anInterruptedCallerOpensAppendsAndClosesAsAnyOther() {
    Thread.currentThread().interrupt();
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      texts(0, 100, 30).forEach(text -> append(queue, text));
      queue.offer("offered", null, true);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(store.fault()).isNull();
      assertThat(new QueueReader<>(queue).drain(100)).isEqualTo(texts(0, 100, 30));
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly("offered");
    }
  }

  @Test
  void aCallerInterruptedAllTheTimeDoesNotHarmTheStore() {
    for (int round = 0; round < 5; round++) {
      int from = round * 200;
      AtomicBoolean done = new AtomicBoolean();
      List<Outcome> outcomes = new ArrayList<>();
      CompletableFuture<Void> end = new CompletableFuture<>();
      Thread caller =
          new Thread(
              () -> {
                try (QueueStore store = openStore();
                    DurableQueue<String> queue = openQueue(store)) {
                  outcomes.addAll(append(queue, texts(from, from + 200, 30)));
                  assertThat(store.fault()).isNull();
                } catch (Throwable e) {
                  end.completeExceptionally(e);
                }
                end.complete(null);
              });
      caller.start();
      Thread interrupter =
          new Thread(
              () -> {
                while (!done.get()) {
                  caller.interrupt();
                }
              });
      interrupter.start();
      try {
        Await.until("the caller ends", () -> !caller.isAlive());
      } finally {
        done.set(true);
      }
      end.join();
      assertThat(outcomes).hasSize(200).allMatch(Outcome::isAccepted);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drainAll()).isEqualTo(texts(0, 1000, 30));
    }
  }

  @Test
  void aStoreThreadThatIsInterruptedAllTheSameGoesOn() {
    QueueOptions block = new QueueOptions().setPolicy(OverflowPolicy.BLOCK);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, block.setReadAheadBytes(0))) {
      QueueReader<String> reader = new QueueReader<>(queue);
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        outcomes.add(append(queue, text(i, 200)));
        if (i % 100 == 0) {
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().startsWith("weir-queue-"))
              .forEach(Thread::interrupt);
        }
      }
      assertThat(reader.drain(2000)).isEqualTo(texts(0, 2000, 200));
      assertThat(outcomes).allMatch(outcome -> outcome.await().isAccepted());
      assertThat(queue.stats().lost()).isZero();
      assertThat(store.fault()).isNull();
    }
  }
}
