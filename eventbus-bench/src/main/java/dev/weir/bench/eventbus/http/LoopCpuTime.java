package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.fixture.ServiceFixture;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time that the thread of an event loop has taken. */
final class LoopCpuTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long threadId;

  private LoopCpuTime(long threadId) {
    this.threadId = threadId;
  }

  /** Asks the event loop for its thread, blocking the caller. */
  static LoopCpuTime of(ContextInternal context) throws InterruptedException {
    return ServiceFixture.await(
        ServiceFixture.call(
            context,
            () -> Future.succeededFuture(new LoopCpuTime(Thread.currentThread().getId()))));
  }

  long threadId() {
    return threadId;
  }

  /** Since the thread began; of use as a difference. 0 where the system does not tell. */
  long timeNs() {
    return THREADS.isThreadCpuTimeSupported() ? Math.max(0, THREADS.getThreadCpuTime(threadId)) : 0;
  }
}
