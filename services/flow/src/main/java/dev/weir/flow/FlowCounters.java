package dev.weir.flow;

import java.util.concurrent.atomic.AtomicLong;

/** What a manager counts: one thread writes, any thread reads. */
final class FlowCounters {

  /** A counter with one writer: no atomic instruction is needed. */
  static final class Count {
    private final AtomicLong value = new AtomicLong();

    void add(long more) {
      value.setRelease(value.getPlain() + more);
    }

    void max(long other) {
      if (other > value.getPlain()) {
        value.setRelease(other);
      }
    }

    long get() {
      return value.getAcquire();
    }
  }

  private final AtomicLong published = new AtomicLong();

  /** Ends a change of what the one thread keeps in plain fields, so that others see it. */
  void publish() {
    published.setRelease(published.getPlain() + 1);
  }

  /** Before another thread reads such fields. */
  void refresh() {
    published.getAcquire();
  }

  final Count direct = new Count();
  final Count completed = new Count();
  final Count failed = new Count();
  final Count rejected = new Count();
  final Count dropped = new Count();
  final Count waitedNsTotal = new Count();
  final Count waitedNsMax = new Count();

  /** A wait that stands for so many. */
  void waited(long ns, int messages) {
    waitedNsTotal.add(ns * messages);
    waitedNsMax.max(ns);
  }
}
