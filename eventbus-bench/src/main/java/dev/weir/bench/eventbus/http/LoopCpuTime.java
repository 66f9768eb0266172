package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.fixture.ServiceFixture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time used by the thread of an event loop. */
final class LoopCpuTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long threadId;

  private LoopCpuTime(long threadId) {
    this.threadId = threadId;
  }

  /** Asks the event loop for its thread, blocking the caller. */
  static LoopCpuTime of(Context context) throws InterruptedException {
    return ServiceFixture.await(
        ServiceFixture.call(
            context,
            () -> Future.succeededFuture(new LoopCpuTime(Thread.currentThread().getId()))));
  }

  /**
   * CPU time since the start of the thread, to be used as a difference; 0 if the JVM cannot tell.
   */
  long timeNs() {
    return THREADS.isThreadCpuTimeSupported() ? Math.max(0, THREADS.getThreadCpuTime(threadId)) : 0;
  }

  /**
   * CPU time of the two event loops for one request with its answer, in microseconds; 0 if the JVM
   * cannot tell.
   */
  record RequestCpu(double clientUs, double serverUs) {
    private static final double NANOS_PER_MICRO = 1e3;

    static RequestCpu of(long clientNs, long serverNs, long operations) {
      double nanos = NANOS_PER_MICRO * Math.max(1, operations);
      return new RequestCpu(clientNs / nanos, serverNs / nanos);
    }
  }
}
