package dev.weir.bench.cluster.program;

import dev.weir.bench.cluster.injection.CarMessages;
import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.InjectionPlan;
import dev.weir.bench.cluster.injection.MessageLatencies;
import dev.weir.bench.cluster.injection.Messages;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.options.ProcessorOptions;
import dev.weir.bench.cluster.options.RumiOptions;
import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.load.Pace;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.IntervalStats;
import dev.weir.bench.program.Names;
import dev.weir.bench.program.ProgramText;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.verify.Verdict;
import dev.weir.cluster.GroupOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** One run of a processor program: warm-up, measured round, verdict and output. */
final class ProcessorRun {
  /** At a rate, a round of the warm-up takes a second divided by this. */
  private static final int WARM_UP_SHARE = 4;

  private static final int WARM_UP_STEP = 2_048;

  private final String program;
  private final ProcessorOptions options;
  private final ProcessorSetup setup;
  private final ExcelOutput excel;
  private final PrintWriter out;
  private final Messages messages;

  /**
   * A run.
   *
   * @param excel null for none
   */
  ProcessorRun(
      String program,
      ProcessorOptions options,
      ProcessorSetup setup,
      ExcelOutput excel,
      PrintWriter out) {
    this.program = program;
    this.options = options;
    this.setup = setup;
    this.excel = excel;
    this.out = out;
    this.messages =
        new CarMessages(setup.encoding(), options.rumi.emptyMessage.on(), setup.kind().odometer());
  }

  /** Prints what is about to run. */
  void describe() {
    RumiOptions rumi = options.rumi;
    GroupOptions group = setup.group();
    out.printf(
        "%s: %s messages, %s, %s, %s%n",
        program,
        ProgramText.number(rumi.count),
        rumi.rate > 0
            ? ProgramText.number(rumi.rate) + "/s"
            : "saturated, " + options.weir.window + " without a reply",
        setup.encoding(),
        rumi.emptyMessage.on() ? "empty" : "full");
    out.printf("processor: %s; optimized for %s%n", setup.describe(), options.weir.optimizeFor);
    out.printf(
        "persistence %s, clustering %s, acknowledged when %s%n",
        group.isPersistence() ? "on" : "off",
        setup.isClustered() ? "on, transport " + Names.of(group.getReplication()) : "off",
        Names.of(group.getAckLevel()));
    out.printf("threads: %s%n", setup.threads().describe());
  }

  /** Runs warm-up and measured round, blocking the caller, and prints the result. */
  Verdict run(ProcessorUnderTest processor) throws IOException, InterruptedException {
    RumiOptions rumi = options.rumi;
    InjectionPlan warmUp = warmUp(processor);
    MessageLatencies latencies =
        new MessageLatencies(rumi.noLatencyWrites.on() ? 0 : Math.toIntExact(rumi.count));
    Injection injection = new Injection(warmUp.next(rumi.count), messages, latencies);
    System.gc();
    IntervalStats stats =
        rumi.printIntervalStats.on() ? IntervalStats.start(latencies.recording(), out) : null;
    RoundResult result;
    try {
      result = processor.run(injection);
    } finally {
      if (stats != null) {
        stats.stop();
      }
    }
    print(result, injection, latencies.recording().histogram());
    write(result, latencies);
    Verdict verdict = result.tally().verdict();
    out.printf("verdict: %s%n", verdict);
    return verdict;
  }

  /** Does the same work in short rounds until the warm-up time is over; returns the last plan. */
  private InjectionPlan warmUp(ProcessorUnderTest processor) throws InterruptedException {
    RumiOptions rumi = options.rumi;
    long endNs = System.nanoTime() + rumi.warmupTime * 1_000_000_000L;
    InjectionPlan plan = plan();
    MessageLatencies thrownAway = new MessageLatencies(0);
    processor.run(new Injection(plan, messages, thrownAway));
    while (System.nanoTime() < endNs) {
      plan = plan.next(warmUpStep());
      processor.run(new Injection(plan, messages, thrownAway));
    }
    return plan;
  }

  private long warmUpStep() {
    long perShare = (long) options.rumi.rate / WARM_UP_SHARE;
    return options.rumi.rate > 0 ? Math.max(1, Math.min(WARM_UP_STEP, perShare)) : WARM_UP_STEP;
  }

  private InjectionPlan plan() {
    return options.rumi.rate > 0
        ? InjectionPlan.paced(1, 1, options.rumi.rate)
        : InjectionPlan.saturated(1, 1, options.weir.window);
  }

  private void print(RoundResult result, Injection injection, Histogram latenciesNs) {
    if (!options.rumi.outputThroughput.on()) {
      out.println("Wire-to-Wire Latency Stats:");
      out.printf("  Count: %d%n", latenciesNs.getTotalCount());
      percentile("50th percentile", latenciesNs.getValueAtPercentile(50));
      percentile("99th percentile", latenciesNs.getValueAtPercentile(99));
      percentile("99.9th percentile", latenciesNs.getValueAtPercentile(99.9));
      percentile("Mean", latenciesNs.getMean());
    }
    out.printf("Throughput: %s messages/second%n", ProgramText.number(result.opsPerSec()));
    if (result.pace() != null) {
      printPace(result.pace(), result.opsPerSec(), injection.late());
    }
  }

  private void percentile(String name, double latencyNs) {
    out.printf(Locale.ROOT, "  %s: %.2f µs%n", name, latencyNs / 1000);
  }

  /** A missed rate is reported and fails nothing. */
  private void printPace(Pace pace, double donePerSec, long late) {
    Verdict kept = pace.verdict(donePerSec);
    out.printf(
        Locale.ROOT,
        "rate: %s; %s messages sent more than an interval late, the latest by %.1f µs%n",
        kept.isOk() ? "kept" : String.join("; ", kept.reasons()),
        ProgramText.number(late),
        pace.maxLagNs() / 1000.0);
  }

  private void write(RoundResult result, MessageLatencies latencies) throws IOException {
    if (!options.rumi.noLatencyWrites.on()) {
      Path file = options.rumi.persisterLogLocation.resolve(program + ".latencies");
      latencies.write(file);
      out.printf("latencies of all messages: %s (ns, big-endian 8-byte integers)%n", file);
    }
    if (excel != null) {
      LatencySummary us = latencies.recording().summary();
      if (options.rumi.outputThroughput.on()) {
        excel.write(result.opsPerSec());
      } else {
        excel.write(us.p50Us(), us.p99Us(), us.p999Us());
      }
      out.printf("written to %s of %s%n", options.rumi.outputCell, options.rumi.outputFile);
    }
  }
}
