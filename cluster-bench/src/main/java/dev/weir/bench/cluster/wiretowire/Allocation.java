package dev.weir.bench.cluster.wiretowire;

import com.sun.management.ThreadMXBean;
import dev.weir.bench.report.Spread;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures how much the threads of this process allocate for a message, with and without those that
 * only write a log: the median of the rounds, which has the usual share of the occasional work of
 * JE, such as checkpoints.
 */
final class Allocation {
  private static final String LOG_WRITER = "weir-persister-";

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private long before;
  private long writersBefore;
  private final List<Double> perMessage = new ArrayList<>();
  private final List<Double> ofProcessor = new ArrayList<>();

  void begin() {
    before = bytes("");
    writersBefore = bytes(LOG_WRITER);
  }

  void end(long messages) {
    long all = bytes("") - before;
    long writers = bytes(LOG_WRITER) - writersBefore;
    perMessage.add(all / (double) messages);
    ofProcessor.add((all - writers) / (double) messages);
  }

  /** Forgets the rounds of the warm-up. */
  void reset() {
    perMessage.clear();
    ofProcessor.clear();
  }

  private static double median(List<Double> rounds) {
    return Spread.of(rounds.stream().mapToDouble(Double::doubleValue).toArray()).median();
  }

  /** Bytes per message of all threads. */
  double perMessage() {
    return median(perMessage);
  }

  /** Bytes per message of all threads except those that only write a log. */
  double ofProcessorPerMessage() {
    return median(ofProcessor);
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
