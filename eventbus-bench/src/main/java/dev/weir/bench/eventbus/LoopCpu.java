package dev.weir.bench.eventbus;

import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time that the thread of an event loop has taken. */
final class LoopCpu {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long threadId;

  private LoopCpu(long threadId) {
    this.threadId = threadId;
  }

  /** Asks the event loop for its thread, blocking the caller. */
  static LoopCpu of(ContextInternal context) throws InterruptedException {
    return Stage.await(
        Stage.call(
            context, () -> Future.succeededFuture(new LoopCpu(Thread.currentThread().getId()))));
  }

  long threadId() {
    return threadId;
  }

  /** Since the thread began; of use as a difference. 0 where the system does not tell. */
  long timeNs() {
    return THREADS.isThreadCpuTimeSupported() ? Math.max(0, THREADS.getThreadCpuTime(threadId)) : 0;
  }
}
