package dev.weir.bench.persistence.queue;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.env.RunCost;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.Directories;
import dev.weir.bench.program.Names;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Durability;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Measures whether a message costs more when more messages wait. */
public final class QueueScenario implements Scenario {
  private static final String NAME = "queue";

  /** The backlog that others are compared with. */
  private static final long REFERENCE = 100_000;

  /** The reference first. */
  private static final List<Long> QUICK = List.of(REFERENCE, 1_000L, 1_000_000L);

  private static final List<Long> FULL = List.of(REFERENCE, 1_000L, 1_000_000L, 10_000_000L);
  private static final long STEADY_PROCESS = 300_000;
  private static final long STEADY_MACHINE = 100_000;
  private static final int QUICK_ROUNDS = 8;
  private static final int FULL_ROUNDS = 20;
  private static final int PREHEAT_PASSES = 10;

  /** The least time that a row is measured, in all rounds. */
  private static final long ROW_MS = 2_000;

  /** A round ends after that, however little time one work took: a device may be slow. */
  private static final long MOST_ROUND_NS = TimeUnit.SECONDS.toNanos(5);

  /** Messages beside the backlog at most: the check has a bit for each. */
  private static final long MOST_MESSAGES = 1L << 26;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  /** The kinds of work that are measured, in this order. */
  private enum Work {
    APPEND,
    DRAIN,
    STEADY
  }

  private final Map<Durability, Map<Work, Double>> references = new EnumMap<>(Durability.class);

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "weir-queue with a backlog of waiting messages. append: "
            + REFERENCE
            + " messages, or as many as wait, are added behind the backlog, with "
            + QueueFixture.WINDOW
            + " incomplete appends at most. drain: as many are taken from its front. A round"
            + " repeats both until each has taken its part of "
            + ROW_MS
            + " ms. steady: one message in, one out, while the backlog waits. The device has all"
            + " that was written before a round begins. flush os: Durability.PROCESS."
            + " flush disk: Durability.MACHINE (group commit). All messages come back from the"
            + " files (writeThrough), however few wait. x100k: median over that at a backlog of "
            + REFERENCE
            + ".");
  }

  @Override
  public void run(RunContext context) throws Exception {
    List<Long> backlogs = context.profile().pick(QUICK, FULL);
    for (Durability durability : QueueRows.durabilities(context)) {
      long warmUp = context.scaled(REFERENCE);
      context.preheat(
          PREHEAT_PASSES,
          () -> new Measured(context, 1, warmUp, warmUp, warmUp).measure(context, durability));
      context.progress().begin(NAME + " " + durability, backlogs.size());
      for (long backlog : backlogs) {
        report(context, durability, backlog);
      }
      context.progress().end();
    }
    if (context.profile().pick(true, false)) {
      context.note("A backlog of 10,000,000 is measured in the full profile only.");
    }
  }

  private void report(RunContext context, Durability durability, long backlog) throws Exception {
    long messages = context.scaled(backlog);
    long steady =
        context.scaled(durability == Durability.PROCESS ? STEADY_PROCESS : STEADY_MACHINE);
    long part = context.scaled(Math.min(REFERENCE, backlog));
    System.gc();
    RunCost.Meter cost = RunCost.start();
    Measured measured = new Measured(context, rounds(context), messages, part, steady);
    Verdict verdict = measured.measure(context, durability);
    RunCost costs = cost.stop();
    for (Work work : Work.values()) {
      Spread perSec = Spread.of(measured.perSec.get(work));
      Map<Work, Double> reference =
          references.computeIfAbsent(durability, any -> new EnumMap<>(Work.class));
      reference.putIfAbsent(work, perSec.median());
      Row row =
          QueueRows.row(context, Names.of(work), messages)
              .flush(QueueRows.flush(durability).toString())
              .rounds(measured.rounds)
              .operations(measured.count(work))
              .opsPerSec(perSec)
              .column("x100k", perSec.median() / reference.get(work))
              .column("disk MiB", measured.diskBytes >> 20)
              .extra("loop", "closed")
              .extra(Doubts.MEASURED_MS, measured.elapsedNs.get(work) / NANOS_PER_MILLI)
              .extra("durability", durability + ": " + QueueRows.flush(durability).meaning())
              .extra("diskBytes", measured.diskBytes)
              .extra("incompleteAppends", QueueFixture.WINDOW)
              .verdict(verdict);
      row.extras(measured.share(costs, work).toMap());
      context.report(row);
    }
    context.progress().step("backlog " + backlog);
  }

  private static int rounds(RunContext context) {
    return context.profile().pick(QUICK_ROUNDS, FULL_ROUNDS);
  }

  /** The rounds on one queue. */
  private static final class Measured {
    private final int rounds;
    private final long leastNs;
    private final long backlog;
    private final long part;
    private final long steady;
    private final Map<Work, double[]> perSec = new EnumMap<>(Work.class);
    private final Map<Work, Long> elapsedNs = new EnumMap<>(Work.class);
    private long diskBytes;

    Measured(RunContext context, int rounds, long backlog, long part, long steady) {
      this.rounds = rounds;
      long rowMs = context.scaled(ROW_MS);
      this.leastNs = TimeUnit.MILLISECONDS.toNanos(rowMs) / rounds(context);
      this.backlog = backlog;
      this.part = part;
      this.steady = steady;
      for (Work work : Work.values()) {
        perSec.put(work, new double[rounds]);
        elapsedNs.put(work, 0L);
      }
    }

    /** The works take turns within a round, so a row has its share of the pauses by its time. */
    RunCost share(RunCost all, Work work) {
      long allNs = elapsedNs.values().stream().mapToLong(Long::longValue).sum();
      double share = elapsedNs.get(work) / (double) allNs;
      return new RunCost(
          Math.round(share * all.gcPauseMs()),
          Math.round(share * all.gcCount()),
          all.stealPercent());
    }

    /** Messages of a pass; a round repeats passes until it has taken long enough. */
    long count(Work work) {
      return work == Work.STEADY ? steady : part;
    }

    Verdict measure(RunContext context, Durability durability) throws Exception {
      try (DataDirectory data = context.dataDirectory();
          QueueFixture queue = QueueFixture.open(data.path(), backlog + MOST_MESSAGES)) {
        Path directory = data.path();
        queue.append(backlog, durability);
        diskBytes = Directories.bytes(directory);
        for (int round = 0; round < rounds; round++) {
          Directories.forceFiles(directory);
          appendAndDrain(queue, durability, round);
        }
        for (int round = 0; round < rounds; round++) {
          Directories.forceFiles(directory);
          flow(queue, durability, round);
        }
        queue.drain(backlog);
        return queue.verdict();
      }
    }

    private void appendAndDrain(QueueFixture queue, Durability durability, int round) {
      long appendNs = 0;
      long drainNs = 0;
      long passes = 0;
      do {
        appendNs += queue.append(part, durability);
        drainNs += queue.drain(part);
        passes++;
      } while (goesOn(queue, Math.min(appendNs, drainNs), appendNs + drainNs));
      put(Work.APPEND, round, passes, appendNs);
      put(Work.DRAIN, round, passes, drainNs);
    }

    private void flow(QueueFixture queue, Durability durability, int round)
        throws InterruptedException {
      long flowNs = 0;
      long passes = 0;
      do {
        flowNs += QueueFlow.run(queue, steady, durability, 0).elapsedNs();
        passes++;
      } while (goesOn(queue, flowNs, flowNs));
      put(Work.STEADY, round, passes, flowNs);
    }

    /**
     * Whether a round needs another pass.
     *
     * @param shortestNs what the work with the least time has taken
     */
    private boolean goesOn(QueueFixture queue, long shortestNs, long allNs) {
      return shortestNs < leastNs
          && allNs < MOST_ROUND_NS
          && queue.appended() < MOST_MESSAGES - Math.max(part, steady);
    }

    private void put(Work work, int round, long passes, long tookNs) {
      perSec.get(work)[round] = passes * count(work) * NANOS_PER_SECOND / tookNs;
      elapsedNs.merge(work, tookNs, Long::sum);
    }
  }
}
