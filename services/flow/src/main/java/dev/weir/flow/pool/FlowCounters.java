package dev.weir.flow.pool;

import dev.weir.flow.ServiceStats;
import dev.weir.queue.QueueStats;
import java.util.concurrent.atomic.AtomicLong;

/** What a manager counts: one thread writes, any thread reads. */
public final class FlowCounters {

  /** A counter with one writer: no atomic instruction is needed. */
  public static final class Count {
    private final AtomicLong value = new AtomicLong();

    public void add(long more) {
      value.setRelease(value.getPlain() + more);
    }

    void max(long other) {
      if (other > value.getPlain()) {
        value.setRelease(other);
      }
    }

    public long get() {
      return value.getAcquire();
    }
  }

  private final AtomicLong published = new AtomicLong();

  /** Ends a change of what the one thread keeps in plain fields, so that others see it. */
  public void publish() {
    published.setRelease(published.getPlain() + 1);
  }

  /** Before another thread reads such fields. */
  public void refresh() {
    published.getAcquire();
  }

  public final Count direct = new Count();
  public final Count completed = new Count();
  public final Count failed = new Count();
  public final Count rejected = new Count();
  public final Count dropped = new Count();

  /** Requests whose requester had given up, or would before the handler was ready. */
  public final Count expired = new Count();

  public final Count waitedNsTotal = new Count();
  public final Count waitedNsMax = new Count();

  /**
   * Figures of this moment of a service.
   *
   * @param pool of the same manager
   * @param disk of its disk tier
   */
  public ServiceStats stats(Pool pool, QueueStats disk) {
    refresh();
    return new ServiceStats(
        pool.workers(),
        pool.busy(),
        pool.memoryMessages(),
        pool.memoryBytes(),
        disk.waiting(),
        disk.bytes(),
        direct.get() + disk.appended(),
        completed.get(),
        failed.get(),
        rejected.get() + disk.rejected(),
        dropped.get() + disk.dropped(),
        expired.get(),
        disk.appended(),
        disk.writtenMessages(),
        disk.writtenBytes(),
        disk.recovered(),
        disk.recoveredTransient(),
        waitedNsTotal.get(),
        waitedNsMax.get(),
        pool.paused(),
        disk.scheduled(),
        disk.retried(),
        disk.deadLetters());
  }

  /** A wait that stands for so many. */
  public void waited(long ns, int messages) {
    waitedNsTotal.add(ns * messages);
    waitedNsMax.max(ns);
  }
}
