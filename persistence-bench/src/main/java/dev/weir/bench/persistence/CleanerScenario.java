package dev.weir.bench.persistence;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.program.Directories;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.OpsPerSec;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A queue kept half full until several times its budget has gone through it. */
final class CleanerScenario implements Scenario {
  static final String NAME = "cleaner";

  private static final long QUICK_BUDGET_BYTES = 64L << 20;
  private static final long FULL_BUDGET_BYTES = 1L << 30;
  private static final long QUICK_FILE_BYTES = 8L << 20;
  private static final int TURNS = 5;
  private static final int SHARE_KEPT = 2;
  private static final double NANOS_PER_SECOND = 1e9;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "past the cleaner's steady state: weir-queue with a budget (maxBytes), kept half full"
        + " while "
        + TURNS
        + " times the budget goes through it, one in, one out, as fast as it goes. us: from an"
        + " append to its completion, "
        + QueueStage.WINDOW
        + " incomplete at most; max is the worst stall";
  }

  @Override
  public void run(RunContext context) throws Exception {
    Settings settings = Settings.of(context);
    long budgetBytes =
        settings.scaled(context.profile().pick(QUICK_BUDGET_BYTES, FULL_BUDGET_BYTES));
    long fileBytes =
        context.profile().pick(QUICK_FILE_BYTES, QueueStoreOptions.DEFAULT_LOG_FILE_BYTES);
    context.progress().begin(NAME, 2);
    for (Durability durability : settings.durabilities()) {
      measure(context, settings, durability, budgetBytes, fileBytes);
      context.progress().step(durability.toString());
    }
    context.progress().end();
  }

  private static void measure(
      RunContext context,
      Settings settings,
      Durability durability,
      long budgetBytes,
      long fileBytes)
      throws Exception {
    long backlog = Math.max(1, budgetBytes / QueueStage.BYTES / SHARE_KEPT);
    long messages = backlog * SHARE_KEPT * TURNS;
    Recording recording = Recording.concurrent();
    Path directory = Files.createTempDirectory(context.outputDir(), "data-");
    QueueStoreOptions storeOptions = new QueueStoreOptions(directory).setLogFileBytes(fileBytes);
    QueueOptions options = QueueStage.patient().setMaxBytes(budgetBytes).setWriteThrough(true);
    try {
      long highestBytes;
      DrainedDisk drained;
      double perSec;
      try (QueueStage stage = new QueueStage(storeOptions, options, backlog + messages);
          DiskWatch watch = DiskWatch.start(directory)) {
        stage.append(backlog, durability);
        stage.completions().recordInto(recording);
        perSec =
            messages * NANOS_PER_SECOND / QueueFlow.run(stage, messages, durability, 0).elapsedNs();
        stage.completions().recordInto(null);
        drained = DrainedDisk.of(stage, directory, backlog, budgetBytes);
        highestBytes = watch.highestBytes();
      }
      double budget = budgetBytes;
      double worstStallMs = recording.summary().maxUs() / 1000;
      context.note(
          String.format(
              Locale.ROOT,
              "%s: worst stall %.1f ms; disk use over the budget of %d MiB: %.2f at most, %.2f when"
                  + " the backlog was gone.",
              durability,
              worstStallMs,
              budgetBytes >> 20,
              highestBytes / budget,
              drained.bytes() / budget));
      context.report(
          settings
              .addTo(
                  context
                      .row()
                      .caseName("half-full")
                      .path(QueueScenario.PATH)
                      .flush(QueueScenario.flush(durability).toString())
                      .backlog(backlog)
                      .payloadBytes(QueueStage.BYTES)
                      .rounds(1)
                      .operations(messages)
                      .opsPerSec(OpsPerSec.of(perSec))
                      .latency(recording)
                      .extra("diskHighOverBudget", highestBytes / budget)
                      .extra("diskAfterOverBudget", drained.bytes() / budget)
                      .extra("loop", "closed")
                      .extra("worstStallMs", worstStallMs)
                      .extra("budgetBytes", budgetBytes)
                      .extra("writtenOverBudget", TURNS)
                      .extra("logFileBytes", fileBytes)
                      .extra("diskHighBytes", highestBytes)
                      .extra("diskAfterBytes", drained.bytes())
                      .extra("durability", durability.toString())
                      .extra("maxHeapBytes", Runtime.getRuntime().maxMemory())
                      .verdict(drained.verdict()))
              .build());
    } finally {
      Directories.delete(directory);
    }
  }
}
