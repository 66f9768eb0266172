package dev.weir.gateway;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the requests in handling, and can be closed to new ones. Any thread. */
final class Intake {
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Promise<Void> drained = Promise.promise();
  private volatile boolean closed;

  /** False when the gateway drains; after true {@link #leave} must follow. */
  boolean enter() {
    inFlight.incrementAndGet();
    if (closed) {
      leave();
      return false;
    }
    return true;
  }

  void leave() {
    if (inFlight.decrementAndGet() == 0 && closed) {
      drained.tryComplete();
    }
  }

  boolean isClosed() {
    return closed;
  }

  int inFlight() {
    return inFlight.get();
  }

  /** Lets nothing more in; completes when nothing is in handling. */
  Future<Void> drain() {
    closed = true;
    if (inFlight.get() == 0) {
      drained.tryComplete();
    }
    return drained.future();
  }
}
