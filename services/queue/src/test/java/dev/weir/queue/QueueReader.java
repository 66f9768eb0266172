package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The consumer of a queue. It waits for nothing but the queue's listener, so that a signal that
 * does not come fails the test.
 */
public final class QueueReader<T> {
  private final DurableQueue<T> queue;
  private final Semaphore readable = new Semaphore(0);

  public QueueReader(DurableQueue<T> queue) {
    this.queue = queue;
    queue.onReadable(readable::release);
  }

  Delivery<T> next() {
    Delivery<T> delivery = queue.poll();
    while (delivery == null) {
      boolean told = false;
      try {
        told = readable.tryAcquire(Await.DEADLINE_S, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      assertThat(told).as("queue is readable: %s", queue.stats()).isTrue();
      delivery = queue.poll();
    }
    return delivery;
  }

  List<Delivery<T>> next(int count) {
    List<Delivery<T>> taken = new ArrayList<>();
    while (taken.size() < count) {
      taken.add(next());
    }
    return taken;
  }

  /** Takes and acknowledges. */
  public List<T> drain(int count) {
    List<T> messages = new ArrayList<>();
    while (messages.size() < count) {
      Delivery<T> delivery = next();
      messages.add(delivery.message());
      queue.acknowledge(delivery);
    }
    return messages;
  }

  /** Takes and acknowledges all that waits. */
  List<T> drainAll() {
    List<T> messages = new ArrayList<>();
    while (queue.waiting() > 0) {
      messages.addAll(drain(1));
    }
    return messages;
  }
}
