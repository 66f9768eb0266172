package dev.weir.bench.persistence.queue;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.env.RunCost;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.Directories;
import dev.weir.bench.program.Names;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Durability;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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

  /** Rounds are short where few messages wait. */
  private static final int SMALL_FACTOR = 3;

  private static final int STEADY_ROUNDS = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  /** The kinds of work that are measured, in this order. */
  private enum Work {
    FILL,
    APPEND,
    DRAIN,
    STEADY,
    EMPTY
  }

  private final Map<Durability, Map<Work, Double>> references = new EnumMap<>(Durability.class);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "weir-queue with a backlog of waiting messages. fill: the backlog is written to"
        + " an empty queue, with "
        + QueueFixture.WINDOW
        + " incomplete appends at most. append: "
        + REFERENCE
        + " messages, or as many as wait, are added behind the backlog. drain: as many are"
        + " taken from its front. The device has all that was written before append and"
        + " steady begin. steady: one message in, one out, while the backlog waits. empty:"
        + " all messages are taken, checked and acknowledged. flush os: Durability.PROCESS."
        + " flush disk: Durability.MACHINE (group commit). All messages come back from the"
        + " files (writeThrough), however few wait. x100k: median over that at a backlog of "
        + REFERENCE
        + ".";
  }

  @Override
  public void run(RunContext context) throws Exception {
    List<Long> backlogs = context.profile().pick(QUICK, FULL);
    for (Durability durability : QueueRows.durabilities(context)) {
      long warmUp = context.scaled(REFERENCE);
      context.progress().begin(NAME + " " + durability, backlogs.size() + 1);
      Measured thrownAway = new Measured(rounds(context), warmUp, warmUp, warmUp);
      thrownAway.measure(context, durability);
      context.progress().step("warm-up");
      for (long backlog : backlogs) {
        report(context, durability, backlog);
      }
      context.progress().end();
    }
    if (context.profile().pick(true, false)) {
      context.note("A backlog of 10,000,000 is measured in the full profile only.");
    }
  }

  private static int rounds(RunContext context) {
    return context.profile().pick(QUICK_ROUNDS, FULL_ROUNDS);
  }

  private void report(RunContext context, Durability durability, long backlog) throws Exception {
    long messages = context.scaled(backlog);
    long steady =
        context.scaled(durability == Durability.PROCESS ? STEADY_PROCESS : STEADY_MACHINE);
    long part = context.scaled(Math.min(REFERENCE, backlog));
    int rounds = (backlog < REFERENCE ? SMALL_FACTOR : 1) * rounds(context);
    System.gc();
    RunCost.Meter cost = RunCost.start();
    Measured measured = new Measured(rounds, messages, part, steady);
    Verdict verdict = measured.measure(context, durability);
    Map<String, Object> costs = cost.stop().toMap();
    for (Work work : Work.values()) {
      Spread perSec = Spread.of(measured.perSec.get(work));
      Map<Work, Double> reference =
          references.computeIfAbsent(durability, any -> new EnumMap<>(Work.class));
      reference.putIfAbsent(work, perSec.median());
      Row row =
          QueueRows.row(context, Names.of(work), messages)
              .flush(QueueRows.flush(durability).toString())
              .rounds(measured.perSec.get(work).length)
              .operations(measured.count(work))
              .opsPerSec(perSec)
              .column("x100k", perSec.median() / reference.get(work))
              .column("disk MiB", measured.diskBytes >> 20)
              .extra("loop", "closed")
              .extra("durability", durability + ": " + QueueRows.flush(durability).meaning())
              .extra("diskBytes", measured.diskBytes)
              .extra("incompleteAppends", QueueFixture.WINDOW)
              .verdict(verdict);
      row.extras(costs);
      context.report(row);
    }
    context.progress().step("backlog " + backlog);
  }

  /** The rounds on one queue. */
  private static final class Measured {
    private final int rounds;
    private final long backlog;
    private final long part;
    private final long steady;
    private final Map<Work, double[]> perSec = new EnumMap<>(Work.class);
    private long diskBytes;

    Measured(int rounds, long backlog, long part, long steady) {
      this.rounds = rounds;
      this.backlog = backlog;
      this.part = part;
      this.steady = steady;
      perSec.put(Work.FILL, new double[1]);
      perSec.put(Work.APPEND, new double[rounds]);
      perSec.put(Work.DRAIN, new double[rounds]);
      perSec.put(Work.STEADY, new double[STEADY_ROUNDS]);
      perSec.put(Work.EMPTY, new double[1]);
    }

    /** Messages of a round. */
    long count(Work work) {
      return switch (work) {
        case FILL, EMPTY -> backlog;
        case APPEND, DRAIN -> part;
        case STEADY -> steady;
      };
    }

    Verdict measure(RunContext context, Durability durability) throws Exception {
      long messages = backlog + rounds * part + STEADY_ROUNDS * steady;
      try (DataDirectory data = context.dataDirectory();
          QueueFixture queue = QueueFixture.open(data.path(), messages)) {
        Path directory = data.path();
        put(Work.FILL, 0, queue.append(backlog, durability));
        diskBytes = Directories.bytes(directory);
        for (int round = 0; round < rounds; round++) {
          Directories.forceFiles(directory);
          put(Work.APPEND, round, queue.append(part, durability));
          put(Work.DRAIN, round, queue.drain(part));
        }
        for (int round = 0; round < STEADY_ROUNDS; round++) {
          Directories.forceFiles(directory);
          put(Work.STEADY, round, QueueFlow.run(queue, steady, durability, 0).elapsedNs());
        }
        put(Work.EMPTY, 0, queue.drain(backlog));
        return queue.verdict();
      }
    }

    private void put(Work work, int round, long elapsedNs) {
      perSec.get(work)[round] = count(work) * NANOS_PER_SECOND / elapsedNs;
    }
  }
}
