package dev.weir.bench.persistence;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.env.RunCost;
import dev.weir.bench.report.OpsPerSec;
import dev.weir.bench.report.RowBuilder;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Durability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Whether a message costs more when more of them wait. */
final class QueueScenario implements Scenario {
  static final String NAME = "queue";
  static final String PATH = "weir-queue";

  /** The backlog that others are compared with. */
  private static final long REFERENCE = 100_000;

  /** The reference first. */
  private static final List<Long> QUICK = List.of(REFERENCE, 1_000L, 1_000_000L);

  private static final List<Long> FULL = List.of(REFERENCE, 1_000L, 1_000_000L, 10_000_000L);
  private static final long ENOUGH = 1_000_000;
  private static final long STEADY_PROCESS = 300_000;
  private static final long STEADY_MACHINE = 100_000;
  private static final int LEAST_ROUNDS = 3;
  private static final int MOST_ROUNDS = 50;
  private static final int STEADY_ROUNDS = 3;
  private static final int WARM_UP_ROUNDS = 5;
  private static final double NANOS_PER_SECOND = 1e9;

  /** What is done with the queue, in this order. */
  private enum Work {
    APPEND("append"),
    STEADY("steady"),
    DRAIN("drain");

    private final String label;

    Work(String label) {
      this.label = label;
    }
  }

  private final Map<Durability, Map<Work, Double>> references = new EnumMap<>(Durability.class);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "weir-queue with so many messages waiting (backlog). append: the backlog is written, "
        + QueueStage.WINDOW
        + " appends incomplete at most; steady: one in, one out, with the backlog waiting; drain:"
        + " the backlog is taken, checked and acknowledged. flush os: Durability.PROCESS, disk:"
        + " Durability.MACHINE (group commit). All messages come back from the files (writeThrough),"
        + " however few wait. x100k: median over that at a backlog of "
        + REFERENCE;
  }

  @Override
  public void run(RunContext context) throws Exception {
    Settings settings = Settings.of(context);
    List<Long> backlogs = context.profile().pick(QUICK, FULL);
    for (Durability durability : List.of(Durability.PROCESS, Durability.MACHINE)) {
      long warmUp = settings.scaled(REFERENCE);
      context.progress().begin(NAME + " " + durability, backlogs.size() + 1);
      Measured thrownAway = new Measured(WARM_UP_ROUNDS, warmUp, warmUp);
      thrownAway.measure(context, durability);
      context.progress().step("warm-up");
      for (long backlog : backlogs) {
        report(context, settings, durability, backlog);
      }
      context.progress().end();
    }
    if (context.profile().pick(true, false)) {
      context.note("A backlog of 10,000,000 is measured in the full profile only.");
    }
  }

  private void report(RunContext context, Settings settings, Durability durability, long backlog)
      throws Exception {
    long messages = settings.scaled(backlog);
    long steady =
        settings.scaled(durability == Durability.PROCESS ? STEADY_PROCESS : STEADY_MACHINE);
    int rounds = (int) Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, ENOUGH / backlog));
    System.gc();
    RunCost.Meter cost = RunCost.start();
    Measured measured = new Measured(rounds, messages, steady);
    Verdict verdict = measured.measure(context, durability);
    Map<String, Object> costs = cost.stop().toMap();
    for (Work work : Work.values()) {
      OpsPerSec perSec = OpsPerSec.of(measured.perSec.get(work));
      Map<Work, Double> reference =
          references.computeIfAbsent(durability, any -> new EnumMap<>(Work.class));
      reference.putIfAbsent(work, perSec.median());
      RowBuilder row =
          context
              .row()
              .caseName(work.label)
              .path(PATH)
              .flush(flush(durability).toString())
              .backlog(messages)
              .payloadBytes(QueueStage.BYTES)
              .rounds(measured.perSec.get(work).length)
              .operations(work == Work.STEADY ? steady : messages)
              .opsPerSec(perSec)
              .column("x100k", perSec.median() / reference.get(work))
              .column("disk MiB", measured.diskBytes >> 20)
              .extra("loop", "closed")
              .extra("durability", durability + ": " + flush(durability).meaning())
              .extra("diskBytes", measured.diskBytes)
              .extra("maxHeapBytes", Runtime.getRuntime().maxMemory())
              .extra("incompleteAppends", QueueStage.WINDOW)
              .verdict(verdict);
      costs.forEach(row::extra);
      context.report(settings.addTo(row).build());
    }
    context.progress().step("backlog " + backlog);
  }

  static Flush flush(Durability durability) {
    return durability == Durability.MACHINE ? Flush.DISK : Flush.OS;
  }

  /** The rounds on one queue. */
  private static final class Measured {
    private final int rounds;
    private final long backlog;
    private final long steady;
    private final Map<Work, double[]> perSec = new EnumMap<>(Work.class);
    private long diskBytes;

    Measured(int rounds, long backlog, long steady) {
      this.rounds = rounds;
      this.backlog = backlog;
      this.steady = steady;
      perSec.put(Work.APPEND, new double[rounds]);
      perSec.put(Work.STEADY, new double[STEADY_ROUNDS]);
      perSec.put(Work.DRAIN, new double[rounds]);
    }

    Verdict measure(RunContext context, Durability durability) throws Exception {
      Path directory = Files.createTempDirectory(context.outputDir(), "data-");
      try (QueueStage stage =
          QueueStage.open(directory, rounds * backlog + STEADY_ROUNDS * steady)) {
        for (int round = 0; round < rounds; round++) {
          put(Work.APPEND, round, backlog, stage.append(backlog, durability));
          if (round == rounds - 1) {
            diskBytes = Directories.bytes(directory);
            measureSteady(stage, durability);
          }
          put(Work.DRAIN, round, backlog, stage.drain(backlog));
        }
        return stage.verdict();
      } finally {
        Directories.delete(directory);
      }
    }

    private void measureSteady(QueueStage stage, Durability durability)
        throws InterruptedException {
      for (int i = 0; i < STEADY_ROUNDS; i++) {
        put(Work.STEADY, i, steady, QueueFlow.run(stage, steady, durability, 0).elapsedNs());
      }
    }

    private void put(Work work, int round, long count, long elapsedNs) {
      perSec.get(work)[round] = count * NANOS_PER_SECOND / elapsedNs;
    }
  }
}
