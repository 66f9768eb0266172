package dev.weir.flow.impl;

import dev.weir.flow.ServiceObserver;
import dev.weir.flow.WeirObserver;
import dev.weir.flow.pool.FlowCounters;
import dev.weir.flow.pool.OverloadWatch;
import dev.weir.flow.pool.Sampler;
import dev.weir.flow.pool.Timing;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how long a sample of the messages of one service waits and is handled, and reports that
 * to the counters, the watch for overload, and the service's observers. Used on the service's event
 * loop.
 */
final class MessageTimer {
  private static final Logger LOG = LoggerFactory.getLogger(MessageTimer.class);

  private final String address;
  private final FlowCounters counters;
  private final OverloadWatch overload;
  private final Sampler sampler = new Sampler();

  /**
   * Empty while nobody observes the service. Replaced at each change: an observer may be removed
   * while it is told.
   */
  private Map<WeirObserver, ServiceObserver> observers = new IdentityHashMap<>();

  MessageTimer(String address, FlowCounters counters, OverloadWatch overload) {
    this.address = address;
    this.counters = counters;
    this.overload = overload;
  }

  /** Sets an observer's observer; null for none. */
  void observe(WeirObserver of, ServiceObserver observer) {
    Map<WeirObserver, ServiceObserver> changed = new IdentityHashMap<>(observers);
    if (observer == null) {
      changed.remove(of);
    } else {
      changed.put(of, observer);
    }
    observers = changed;
  }

  private boolean wanted() {
    return !observers.isEmpty() || overload.isOn();
  }

  /** For a message that starts on arrival; null if it is not timed. */
  Timing startedOnArrival() {
    return wanted() ? waiting() : null;
  }

  /** For a message that arrives and waits in memory; null if it is not timed. */
  Timing waiting() {
    if (!sampler.chooses()) {
      return null;
    }
    long nowNs = System.nanoTime();
    return new Timing(sampler.stands(nowNs), nowNs);
  }

  /** A message leaves the memory tier and starts; {@code timing} may be null. */
  void started(Timing timing) {
    if (timing != null) {
      timing.started(System.nanoTime());
      counters.waited(timing.waitedNs(), timing.messages);
    }
  }

  /**
   * For a message from disk that starts; null if it is not timed.
   *
   * @param sinceMs since when it has waited for a worker, ms since 1970
   */
  Timing startedFromDisk(long sinceMs) {
    long waitedMs = Math.max(0, System.currentTimeMillis() - sinceMs);
    long waitedNs = TimeUnit.MILLISECONDS.toNanos(waitedMs);
    counters.waited(waitedNs, 1);
    if (!wanted() || !sampler.chooses()) {
      return null;
    }
    long nowNs = System.nanoTime();
    Timing timing = new Timing(sampler.stands(nowNs), nowNs - waitedNs);
    timing.started(nowNs);
    return timing;
  }

  /** A handler's future is complete; {@code timing} may be null. */
  void handled(Timing timing, boolean succeeded) {
    if (timing == null || !wanted()) {
      return;
    }
    long handledNs = timing.handledNs(System.nanoTime());
    overload.handled(handledNs, timing.messages);
    observers.forEach(
        (of, each) -> {
          if (!report(each, timing, handledNs, succeeded)) {
            observe(of, null);
          }
        });
  }

  /** False if the observer failed. */
  private boolean report(
      ServiceObserver observer, Timing timing, long handledNs, boolean succeeded) {
    try {
      observer.handled(timing.waitedNs(), handledNs, succeeded, timing.messages);
      return true;
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.error("service {}: the observer failed and is removed", address, UserFailure.forLog(e));
      return false;
    }
  }
}
