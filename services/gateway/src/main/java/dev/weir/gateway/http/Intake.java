package dev.weir.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests in handling, and can be closed to new ones. Any thread. */
public final class Intake {
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger ofPort;
  private final LongAdder taken;
  private final Promise<Void> drained = Promise.promise();
  private volatile boolean closed;

  /**
   * @param ofPort counts those of all gateways of a port
   * @param taken counts all that were let in by the gateways of a port
   */
  public Intake(AtomicInteger ofPort, LongAdder taken) {
    this.ofPort = ofPort;
    this.taken = taken;
  }

  /** False when the gateway drains; after true {@link #leave} must follow. */
  public boolean enter() {
    inFlight.incrementAndGet();
    ofPort.incrementAndGet();
    if (closed) {
      leave();
      return false;
    }
    taken.increment();
    return true;
  }

  public void leave() {
    ofPort.decrementAndGet();
    if (inFlight.decrementAndGet() == 0 && closed) {
      drained.tryComplete();
    }
  }

  public boolean isClosed() {
    return closed;
  }

  public int inFlight() {
    return inFlight.get();
  }

  /** Lets nothing more in; completes when nothing is in handling. */
  public Future<Void> drain() {
    closed = true;
    if (inFlight.get() == 0) {
      drained.tryComplete();
    }
    return drained.future();
  }
}
