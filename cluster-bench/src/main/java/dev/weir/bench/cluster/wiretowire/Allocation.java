package dev.weir.bench.cluster.wiretowire;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Measures how much the threads of this process allocate for a message, with and without those that
 * only write a log. The least of all rounds counts, because occasional work of JE, such as a
 * checkpoint, does not belong to a message.
 */
final class Allocation {
  private static final String LOG_WRITER = "weir-persister-";

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private long before;
  private long writersBefore;
  private double leastPerMessage = Double.MAX_VALUE;
  private double leastOfProcessor = Double.MAX_VALUE;

  void begin() {
    before = bytes("");
    writersBefore = bytes(LOG_WRITER);
  }

  void end(long messages) {
    long all = bytes("") - before;
    long writers = bytes(LOG_WRITER) - writersBefore;
    leastPerMessage = Math.min(leastPerMessage, all / (double) messages);
    leastOfProcessor = Math.min(leastOfProcessor, (all - writers) / (double) messages);
  }

  /** Bytes per message of all threads. */
  double perMessage() {
    return leastPerMessage;
  }

  /** Bytes per message of all threads except those that only write a log. */
  double ofProcessorPerMessage() {
    return leastOfProcessor;
  }

  private long bytes(String prefix) {
    long sum = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (isOfMessages(thread) && thread.getName().startsWith(prefix)) {
        sum += Math.max(0, threads.getThreadAllocatedBytes(thread.getId()));
      }
    }
    return sum;
  }

  private static boolean isOfMessages(Thread thread) {
    String name = thread.getName();
    return name.startsWith("weir-") || name.startsWith("hz.") || thread == Thread.currentThread();
  }
}
