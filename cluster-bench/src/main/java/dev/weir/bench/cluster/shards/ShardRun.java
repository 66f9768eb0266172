package dev.weir.bench.cluster.shards;

import dev.weir.bench.Preheat;
import dev.weir.bench.RunContext;
import dev.weir.bench.cluster.member.BusNode;
import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.steady.ReplyTimeline;
import dev.weir.bench.cluster.steady.TimelineText;
import dev.weir.bench.program.Directories;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Changes of the members of a sharded service under steady load, and the rows that say what they
 * cost. For one thread.
 */
final class ShardRun {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** At most so many passes before the first change, and before each further one. */
  private static final int FIRST_PASSES = 12;

  private static final int PASSES = 6;

  private final RunContext context;
  private final String scenario;
  private final ShardPlan plan;
  private final Recording unmeasured = Recording.singleWriter();
  private ShardCluster cluster;
  private KeyDriver driver;

  /** Of the next warm-up. */
  private int passes = FIRST_PASSES;

  /** Changes the members. */
  interface Change {
    /**
     * Returns when all shards are placed again.
     *
     * @return when the shards could begin to move
     */
    long make(ShardCluster cluster) throws IOException, InterruptedException;
  }

  /** All changes, one after another. */
  interface Work {
    void run(ShardRun run) throws Exception;
  }

  ShardRun(RunContext context, String scenario, ShardPlan plan) {
    this.context = context;
    this.scenario = scenario;
    this.plan = plan;
  }

  /**
   * Starts members and load, makes the changes, and reports a row for each kind of them. A failure
   * is part of the rows.
   *
   * @param names as {@link ShardCluster} takes them
   * @param classPath as {@link ShardCluster} takes it
   * @param rounds how often each kind of change is to be made
   * @param more adds to a row
   */
  void report(
      List<String> names,
      String classPath,
      List<ShardChange> changes,
      int rounds,
      Work work,
      Consumer<Row> more)
      throws Exception {
    Path directory = context.outputDir().resolve("data-" + scenario);
    Verdict verdict;
    try (ShardCluster started = new ShardCluster(plan, names, classPath, directory)) {
      cluster = started;
      cluster.awaitPlaced(ShardCluster.FIRST);
      verdict = drive(work);
      for (ShardChange change : changes) {
        verdict =
            verdict.unless(
                change.rounds() == rounds,
                change.name() + " was made " + change.rounds() + " times of " + rounds);
      }
      report(changes, verdict, more);
    }
    if (verdict.failed()) {
      context.note(scenario + ": data and output of the members are in " + directory);
    } else {
      Directories.delete(directory);
    }
  }

  private Verdict drive(Work work) throws Exception {
    try (KeyDriver driving =
        new KeyDriver(cluster.vertx(), plan.ratePerSec(), plan.keys(), plan.payloadBytes())) {
      driver = driving;
      driver.recordInto(unmeasured);
      Verdict verdict = Verdict.ok();
      try {
        work.run(this);
        driver.finish(PATIENCE);
      } catch (IOException e) {
        verdict = Verdict.fail(e.getMessage());
        driver.finish(Duration.ZERO);
      }
      verdict = verdict.and(driver.counts().verdict());
      return verdict.failed() ? verdict : verdict.and(BusNode.await(driver.readAll()));
    }
  }

  private void warmUp() throws IOException, InterruptedException {
    long end = driver.answered() + plan.warmUp();
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (driver.answered() < end) {
      cluster.events().checkRunning();
      if (System.nanoTime() - endNs > 0) {
        throw new IOException("the warm-up has not ended: " + driver.counts());
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  /** Makes a change once, and measures before, meanwhile and after. */
  void make(ShardChange kind, Change change) throws Exception {
    // A member of the last change may still be cold.
    Preheat.Outcome warm = context.preheat(passes, cluster::compiledMs, this::warmUp);
    context.note(scenario + ": " + kind.name() + ": " + warm.note());
    passes = PASSES;
    driver.awaitCaughtUp(PATIENCE);
    long fromNs = System.nanoTime();
    rest(kind.before());
    Map<String, Integer> replicas = cluster.replicas();
    driver.timeline().watchGaps();
    driver.watchWaits();
    driver.recordInto(kind.during());
    long changeNs = System.nanoTime();
    long movesNs = change.make(cluster);
    driver.awaitCaughtUp(PATIENCE);
    driver.recordInto(unmeasured);
    ReplyTimeline.Gap outage = driver.timeline().longestGap();
    double keyOutageMs = driver.longestWaitMs();
    int moved = gained(replicas, cluster.replicas());
    rest(kind.after());
    kind.add(
        new ShardChange.Round(
            fromNs,
            changeNs,
            movesNs,
            cluster.placedNs(),
            System.nanoTime(),
            outage,
            keyOutageMs,
            moved));
    context.progress().begin(scenario, 1);
    context.progress().step(String.format("%s: no reply for %.0f ms", kind.name(), outage.ms()));
    context.progress().end();
  }

  private void rest(Recording recording) throws InterruptedException {
    driver.recordInto(recording);
    TimeUnit.MILLISECONDS.sleep(plan.calmMs());
    driver.recordInto(unmeasured);
  }

  private static int gained(Map<String, Integer> before, Map<String, Integer> after) {
    return after.entrySet().stream()
        .mapToInt(now -> Math.max(0, now.getValue() - before.getOrDefault(now.getKey(), 0)))
        .sum();
  }

  private void report(List<ShardChange> changes, Verdict verdict, Consumer<Row> more)
      throws IOException {
    TimelineText text = new TimelineText(driver.timeline(), cluster.events().all());
    text.write(context.outputDir().resolve("timeline-" + scenario + ".csv"));
    for (ShardChange change : changes) {
      change.describe(text, plan.ratePerSec()).forEach(context::note);
      Row row = context.row();
      change.addTo(row, driver.counts(), text);
      row.path("event bus")
          .flush("os")
          .payloadBytes(plan.payloadBytes())
          .verdict(verdict)
          .extra("client", "outside")
          .extra("shards", plan.shards())
          .extra("copies", ShardPlan.COPIES)
          .extra("minInSync", ShardPlan.MIN_IN_SYNC)
          .extra("keys", plan.keys())
          .extra("ratePerSec", plan.ratePerSec())
          .extra("movePauseMs", plan.movePauseMs())
          .extra("sent", driver.counts().sent())
          .extra("answered", driver.counts().answered())
          .extra("requestsSentAgain", driver.sentAgain())
          .extra("childFlags", MemberProcess.flags())
          .extra(Doubts.MEASURED_MS, 1000.0 * driver.counts().sent() / plan.ratePerSec());
      more.accept(row);
      context.report(row);
    }
  }
}
