package dev.weir.bench.persistence.queue;

import dev.weir.bench.RunContext;
import dev.weir.bench.env.Jitter;
import dev.weir.bench.env.RunCost;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStoreOptions;
import java.io.IOException;
import java.util.Locale;

/**
 * A queue with a limited number of bytes on disk and a constant backlog, through which messages
 * flow: for each that is appended, one is taken. Measures how long appends take and how much disk
 * the queue uses.
 *
 * @param budgetBytes bytes on disk at most, as the queue counts them
 * @param logFileBytes size of a file
 * @param writeThrough whether all messages come from the files, however few wait
 */
record BudgetedQueue(
    Durability durability,
    long backlog,
    long budgetBytes,
    long logFileBytes,
    boolean writeThrough) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** For JE's cleaner, which looks every 2 s when nothing is written, and checkpoints later. */
  private static final long SHRINK_TIMEOUT_MS = 12_000;

  private static final int PREHEAT_PASSES = 8;

  /** So often the warm-up is repeated at most, until the compilers are idle. */
  private static final int WARM_UP_PASSES = 10;

  /** Messages of a pass of the preheat. */
  private static final long PREHEAT_MESSAGES = 200_000;

  /** A budget of fewer files than these does not bound their size. */
  private static final int FILES_IN_BUDGET = 8;

  /** The files are expected to shrink to this share of the budget when the backlog is gone. */
  private static final int SHRINK_SHARE = 4;

  /**
   * What was measured.
   *
   * @param latencies of appends, from the intended time if there was a rate
   * @param highestBytes the most that the directory held
   * @param afterBytes what the directory held some time after the backlog was gone
   * @param verdict on all messages that went through the queue
   */
  record Outcome(
      BudgetedQueue queue,
      long messages,
      QueueFlow flow,
      Recording latencies,
      long highestBytes,
      long afterBytes,
      RunCost cost,
      LatencySummary jitter,
      Verdict verdict) {

    double perSec() {
      return messages * NANOS_PER_SECOND / flow.elapsedNs();
    }

    double seconds() {
      return flow.elapsedNs() / NANOS_PER_SECOND;
    }

    double highOverBudget() {
      return highestBytes / (double) queue.budgetBytes;
    }

    double afterOverBudget() {
      return afterBytes / (double) queue.budgetBytes;
    }

    /** The use of the disk as a part of a note. */
    String diskNote() {
      return String.format(
          Locale.ROOT,
          "disk use over the budget of %d MiB: %.2f at most, %.2f when the backlog was gone.",
          queue.budgetBytes >> 20,
          highOverBudget(),
          afterOverBudget());
    }

    /** A row with everything but the number of messages. */
    Row row(RunContext context, String caseName) {
      Row row =
          QueueRows.row(context, caseName, queue.backlog)
              .flush(QueueRows.flush(queue.durability).toString())
              .rounds(1)
              .opsPerSec(Spread.of(perSec()))
              .latency(latencies)
              .extra(Doubts.MEASURED_MS, 1000 * seconds())
              .extra("budgetBytes", queue.budgetBytes)
              .extra("logFileBytes", queue.logFileBytes)
              .extra("diskHighBytes", highestBytes)
              .extra("xBudget", highOverBudget())
              .extra("diskAfterBytes", afterBytes)
              .extra("durability", queue.durability.toString())
              .extra("jitterUs", jitter.toMap())
              .verdict(verdict);
      row.extras(cost.toMap());
      return row;
    }
  }

  /**
   * Measures on a new queue, blocking the caller.
   *
   * @param warmUp messages that flow before, at the same rate, and again until the compilers are
   *     idle; 0 for none
   * @param ratePerSec appends per second, or 0 for as many as the queue takes
   */
  Outcome measure(RunContext context, long warmUp, long messages, double ratePerSec)
      throws Exception {
    Recording latencies = Recording.concurrent();
    System.gc();
    try (DataDirectory data = context.dataDirectory();
        QueueFixture queue = open(data, backlog + WARM_UP_PASSES * warmUp + messages);
        DiskWatch watch = DiskWatch.start(data.path(), queue::bytes);
        Jitter jitter = Jitter.start()) {
      queue.append(backlog, durability);
      if (warmUp > 0) {
        // The code that records is warmed up too. What the preheat compiled is compiled anew:
        // at a rate the packets are smaller, and threads wait in other places.
        queue.completions().recordInto(Recording.concurrent());
        context.preheat(WARM_UP_PASSES, () -> QueueFlow.run(queue, warmUp, durability, ratePerSec));
      }
      RunCost.Meter cost = RunCost.start();
      queue.completions().recordInto(latencies);
      QueueFlow flow = QueueFlow.run(queue, messages, durability, ratePerSec);
      queue.completions().recordInto(null);
      RunCost costs = cost.stop();
      LatencySummary noise = jitter.summary();
      queue.drain(backlog);
      long highestBytes = watch.highestBytes();
      Verdict verdict = queue.verdict().and(diskUse(highestBytes, watch.highestQueueBytes()));
      return new Outcome(
          this, messages, flow, latencies, highestBytes, awaitShrunk(data), costs, noise, verdict);
    }
  }

  /** Lets messages flow through queues like this one until the compilers are idle. */
  void preheat(RunContext context) throws Exception {
    long messages = context.scaled(PREHEAT_MESSAGES);
    context.preheat(PREHEAT_PASSES, () -> capacityPerSec(context, messages, 1));
  }

  /**
   * Lets messages flow as fast as the queue takes them, after a warm-up of as many.
   *
   * @return messages per second in the slowest round: a device takes more for a second or two than
   *     it can for long
   */
  double capacityPerSec(RunContext context, long messages, int rounds) throws Exception {
    try (DataDirectory data = context.dataDirectory();
        QueueFixture queue = open(data, backlog + (1 + rounds) * messages)) {
      queue.append(backlog, durability);
      QueueFlow.run(queue, messages, durability, 0);
      double[] perSec = new double[rounds];
      for (int round = 0; round < rounds; round++) {
        long elapsedNs = QueueFlow.run(queue, messages, durability, 0).elapsedNs();
        perSec[round] = messages * NANOS_PER_SECOND / elapsedNs;
      }
      return Spread.of(perSec).min();
    }
  }

  private QueueFixture open(DataDirectory data, long messages) {
    QueueOptions options = QueueFixture.patient().setMaxBytes(budgetBytes);
    return new QueueFixture(
        new QueueStoreOptions(data.path()).setLogFileBytes(logFileBytes),
        options.setWriteThrough(writeThrough),
        messages);
  }

  /**
   * Fails if the files had more bytes than the budget while what was in the queue took half of it
   * at most: what is done with must be within the rest. A queue that became fuller, because the
   * machine did not let the taker run, is not judged.
   */
  Verdict diskUse(long highestBytes, long highestQueueBytes) {
    boolean isBounded =
        budgetBytes >= FILES_IN_BUDGET * logFileBytes && highestQueueBytes <= budgetBytes / 2;
    return Verdict.ok()
        .unless(
            !isBounded || highestBytes <= budgetBytes,
            String.format(
                Locale.ROOT,
                "the files had %,d bytes, the budget is %,d",
                highestBytes,
                budgetBytes));
  }

  private long awaitShrunk(DataDirectory data) throws IOException, InterruptedException {
    return DiskWatch.awaitAtMost(data.path(), budgetBytes / SHRINK_SHARE, SHRINK_TIMEOUT_MS);
  }
}
