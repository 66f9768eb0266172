package dev.weir.queue;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import java.util.concurrent.atomic.AtomicInteger;

/** What became of one append; counts how often it was told. */
final class Outcome implements Completion {
  private final AtomicInteger told = new AtomicInteger();
  private volatile QueueException failure;

  @Override
  public void complete(QueueException failure) {
    this.failure = failure;
    told.incrementAndGet();
  }

  boolean isTold() {
    return told.get() > 0;
  }

  int timesTold() {
    return told.get();
  }

  boolean isAccepted() {
    return isTold() && failure == null;
  }

  /** Null if it was accepted. */
  Reason refusal() {
    return failure == null ? null : failure.reason();
  }

  QueueException failure() {
    return failure;
  }

  Outcome await() {
    Await.until("an append completes", this::isTold);
    return this;
  }
}
