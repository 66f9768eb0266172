package dev.weir.bench.persistence;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.env.Jitter;
import dev.weir.bench.env.RunCost;
import dev.weir.bench.load.Pace;
import dev.weir.bench.program.Directories;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.OpsPerSec;
import dev.weir.bench.report.RowBuilder;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueStoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** How long an append takes at half of what the queue can do, for a long time. */
final class SteadyScenario implements Scenario {
  static final String NAME = "steady";

  private static final long BACKLOG = 100_000;
  private static final long BUDGET_BYTES = 64L << 20;
  private static final long FILE_BYTES = 8L << 20;
  private static final long CAPACITY_MESSAGES = 2_000_000;
  private static final int FULL_FACTOR = 10;
  private static final int CAPACITY_ROUNDS = 3;
  private static final Duration QUICK = Duration.ofSeconds(5);
  private static final Duration FULL = Duration.ofMinutes(10);
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final double SHARE = 0.5;
  private static final double NANOS_PER_SECOND = 1e9;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "open loop at half of the capacity that the same queue has just shown (the slowest of "
        + CAPACITY_ROUNDS
        + " saturated rounds), one in, one out, with a backlog. us: from an append's intended time"
        + " to its completion";
  }

  @Override
  public void run(RunContext context) throws Exception {
    Settings settings = Settings.of(context);
    context.progress().begin(NAME, settings.durabilities().size());
    for (Durability durability : settings.durabilities()) {
      measure(context, settings, durability);
      context.progress().step(durability.toString());
    }
    context.progress().end();
  }

  private static void measure(RunContext context, Settings settings, Durability durability)
      throws Exception {
    long backlog = settings.scaled(BACKLOG);
    double capacity = capacity(context, settings, durability, backlog);
    double rate = SHARE * capacity;
    // The quick profile is short of time: it has five minutes for all scenarios.
    Duration time = context.profile().pick(QUICK, FULL);
    long messages = Math.max(1, settings.scaled((long) (rate * time.toSeconds())));
    long warmUp = Math.max(1, settings.scaled((long) (rate * WARM_UP.toSeconds())));
    Recording recording = Recording.concurrent();
    Path directory = Files.createTempDirectory(context.outputDir(), "data-");
    System.gc();
    RunCost.Meter cost = RunCost.start();
    try (QueueStage stage = open(directory, backlog + warmUp + messages);
        DiskWatch watch = DiskWatch.start(directory);
        Jitter jitter = Jitter.start()) {
      stage.append(backlog, durability);
      QueueFlow.run(stage, warmUp, durability, rate);
      stage.completions().recordInto(recording);
      QueueFlow flow = QueueFlow.run(stage, messages, durability, rate);
      stage.completions().recordInto(null);
      RunCost costs = cost.stop();
      double perSec = messages * NANOS_PER_SECOND / flow.elapsedNs();
      DrainedDisk drained = DrainedDisk.of(stage, directory, backlog, BUDGET_BYTES);
      RowBuilder row =
          context
              .row()
              .caseName("half-capacity")
              .path(QueueScenario.PATH)
              .flush(QueueScenario.flush(durability).toString())
              .backlog(backlog)
              .payloadBytes(QueueStage.BYTES)
              .rounds(1)
              .opsPerSec(OpsPerSec.of(perSec))
              .latency(recording)
              // Not the field operations, which is part of a row's identity: it differs by the run.
              .extra("messages", messages)
              .extra("loop", "open")
              .extra("capacityPerSec", capacity)
              .extra("seconds", flow.elapsedNs() / NANOS_PER_SECOND)
              .extra("budgetBytes", BUDGET_BYTES)
              .extra("diskHighBytes", watch.highestBytes())
              .extra("diskAfterBytes", drained.bytes())
              .extra("logFileBytes", FILE_BYTES)
              .extra("durability", durability.toString())
              .extra("maxHeapBytes", Runtime.getRuntime().maxMemory())
              .extra("jitterUs", jitter.summary().toMap())
              .verdict(drained.verdict().unless(flow.pace() != null, "the appender did not end"));
      addPace(row, flow.pace(), perSec);
      context.note(
          String.format(
              Locale.ROOT,
              "%s: %,.0f/s asked, half of %,.0f/s; %,.0f/s done for %.0f s; p99.9 %.1f ms; disk use over the budget of %d"
                  + " MiB: %.2f at most, %.2f when the backlog was gone.",
              durability,
              rate,
              capacity,
              perSec,
              flow.elapsedNs() / NANOS_PER_SECOND,
              recording.summary().p999Us() / 1000,
              BUDGET_BYTES >> 20,
              watch.highestBytes() / (double) BUDGET_BYTES,
              drained.bytes() / (double) BUDGET_BYTES));
      costs.toMap().forEach(row::extra);
      context.report(settings.addTo(row).build());
    } finally {
      Directories.delete(directory);
    }
  }

  /** A machine that is too slow for half of what it did before says so; it loses no message. */
  private static void addPace(RowBuilder row, Pace pace, double perSec) {
    if (pace != null) {
      row.extra("rate", pace.verdict(perSec).isOk() ? "kept" : "missed")
          .extra("targetPerSec", pace.targetPerSec())
          .extra("sentPerSec", pace.sentPerSec())
          .extra("maxSendLagUs", pace.maxLagNs() / 1000.0);
    }
  }

  private static QueueStage open(Path directory, long messages) {
    return new QueueStage(
        new QueueStoreOptions(directory).setLogFileBytes(FILE_BYTES),
        QueueStage.patient().setMaxBytes(BUDGET_BYTES),
        messages);
  }

  private static double capacity(
      RunContext context, Settings settings, Durability durability, long backlog) throws Exception {
    long messages =
        settings.scaled(context.profile().pick(CAPACITY_MESSAGES, FULL_FACTOR * CAPACITY_MESSAGES));
    Path directory = Files.createTempDirectory(context.outputDir(), "data-");
    try (QueueStage stage = open(directory, backlog + (1 + CAPACITY_ROUNDS) * messages)) {
      stage.append(backlog, durability);
      QueueFlow.run(stage, messages, durability, 0);
      double[] perSec = new double[CAPACITY_ROUNDS];
      for (int round = 0; round < CAPACITY_ROUNDS; round++) {
        long elapsedNs = QueueFlow.run(stage, messages, durability, 0).elapsedNs();
        perSec[round] = messages * NANOS_PER_SECOND / elapsedNs;
      }
      // A device takes more for a second or two than it can for long.
      return OpsPerSec.of(perSec).min();
    } finally {
      Directories.delete(directory);
    }
  }
}
