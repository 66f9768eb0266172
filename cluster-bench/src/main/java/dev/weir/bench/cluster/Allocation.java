package dev.weir.bench.cluster;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the threads of the groups of this process allocate: those that handle messages, read links
 * and make the messages. The least of all rounds counts: what JE does now and then, a checkpoint,
 * is not of a message.
 */
final class Allocation {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private long before;
  private double leastPerMessage = Double.MAX_VALUE;

  void begin() {
    before = bytes();
  }

  void end(long messages) {
    leastPerMessage = Math.min(leastPerMessage, (bytes() - before) / (double) messages);
  }

  double perMessage() {
    return leastPerMessage;
  }

  private long bytes() {
    long sum = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (isOfMessages(thread)) {
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
