package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.failover.FailoverOutcome.FailoverRound;
import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.bench.cluster.steady.ReplyTimeline;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Progress;
import dev.weir.cluster.GroupLogs;
import dev.weir.cluster.HostPort;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Runs the rounds of one fault on one group under constant load. For one thread. */
final class FailoverRun {
  private static final Duration START = Duration.ofSeconds(180);
  private static final Duration RECOVERY = Duration.ofSeconds(180);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The least time from the report of a new primary, or the strike, to the end of the fault. */
  private static final long SETTLE_MS = 500;

  private final FailoverPlan plan;
  private final ProcessCluster group;
  private final Progress progress;
  private final Recording before = Recording.singleWriter();
  private final Recording during = Recording.singleWriter();
  private final Recording after = Recording.singleWriter();
  private final List<FailoverRound> rounds = new ArrayList<>();
  private Vertx vertx;
  private CarDriver driver;
  private long probed;
  private String problem;

  FailoverRun(FailoverPlan plan, ProcessCluster group, Progress progress) {
    this.plan = plan;
    this.group = group;
    this.progress = progress;
  }

  /** Runs all rounds and stops the group. Failures are part of the outcome. */
  FailoverOutcome run() throws InterruptedException {
    progress.begin("failover " + plan.id(), plan.rounds());
    vertx = Vertx.vertx();
    try (ProcessCluster ending = group) {
      if (plan.usesArchive()) {
        ending.archiveClasses(START, this::ask);
      }
      ending.start(START);
      drive();
      problem = compareAtEnd();
    } catch (IOException | IllegalStateException e) {
      problem = e.getMessage();
    } finally {
      vertx.close().await();
      progress.end();
    }
    return new FailoverOutcome(plan, rounds, driven(), group.events(), problem);
  }

  /** Has the primary load what it needs for a request. */
  private void ask(String primary) throws IOException, InterruptedException {
    long endNs = System.nanoTime() + RECOVERY.toNanos();
    try (OldPrimaryProbe probe = new OldPrimaryProbe(vertx, group.address(primary))) {
      while (probe.accepted() == 0) {
        if (System.nanoTime() - endNs > 0) {
          throw new IOException("member " + primary + " does not answer");
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
      probed += probe.accepted();
    }
  }

  private FailoverOutcome.Driven driven() {
    return driver == null
        ? null
        : new FailoverOutcome.Driven(
            driver.counts(), driver.timeline(), driver.latencies(), before, after);
  }

  private void drive() throws IOException, InterruptedException {
    try (CarDriver driving = new CarDriver(vertx, holders(), plan.ratePerSec())) {
      driver = driving;
      driver.recordInto(during);
      TimeUnit.MILLISECONDS.sleep(plan.calmMs());
      if (plan.isLong()) {
        warmUp();
      }
      for (int i = 0; i < plan.rounds(); i++) {
        rounds.add(round());
        progress.step(String.format("outage %.0f ms", rounds.get(i).outage().ms()));
      }
      driver.finish(PATIENCE);
    }
  }

  /** A round that is not measured; that nothing is lost holds for it too. */
  private void warmUp() throws IOException, InterruptedException {
    FailoverRound round = round();
    if (round.logProblem() != null || round.acceptedByOld() > 0) {
      throw new IllegalStateException("in the round that is not measured: " + round);
    }
    List.of(before, after, driver.latencies()).forEach(Recording::reset);
  }

  /** The members that take clients. */
  private List<MemberAddress> holders() {
    return group.addresses().stream()
        .filter(member -> !member.name().equals(plan.fault().witness()))
        .toList();
  }

  private FailoverRound round() throws IOException, InterruptedException {
    GroupEvents events = group.events();
    GroupEvents.Primary old = events.awaitInSync(RECOVERY);
    driver.awaitCaughtUp(RECOVERY);
    driver.recordInto(before);
    TimeUnit.MILLISECONDS.sleep(plan.calmMs());
    driver.recordInto(during);
    driver.timeline().watchGaps();
    long strikeNs = System.nanoTime();
    plan.fault().begin().run(group, group.member(old.member()));
    try (OldPrimaryProbe probe = new OldPrimaryProbe(vertx, group.address(old.member()))) {
      double takeoverMs = endFault(old, strikeNs);
      if (plan.fault() == Fault.BOTH_KILL) {
        events.awaitPrimaryAfter(old.epoch(), RECOVERY);
      }
      GroupEvents.Primary now = events.awaitInSync(RECOVERY);
      driver.awaitCaughtUp(RECOVERY);
      long endNs = System.nanoTime();
      ReplyTimeline.Gap outage = driver.timeline().longestGap();
      driver.recordInto(after);
      TimeUnit.MILLISECONDS.sleep(plan.calmMs());
      driver.recordInto(during);
      String logProblem = compare();
      long acceptedByOld = now.member().equals(old.member()) ? 0 : probe.accepted();
      probe.settle(holders(), RECOVERY);
      probed += probe.accepted();
      return new FailoverRound(strikeNs, endNs, outage, takeoverMs, acceptedByOld, logProblem);
    }
  }

  /**
   * Ends the fault when the group goes on and the fault has lasted long enough.
   *
   * @return how long after the strike the group went on, ms; 0 if it could not
   */
  private double endFault(GroupEvents.Primary old, long strikeNs)
      throws IOException, InterruptedException {
    switch (plan.fault().until()) {
      case NEW_PRIMARY -> group.events().awaitPrimaryAfter(old.epoch(), RECOVERY);
      case ALONE -> group.events().awaitWithout(RECOVERY);
      case NOTHING -> {
        if (plan.faultNs() > 0) {
          outlast(strikeNs);
        }
        plan.fault().end().run(group, group.member(old.member()));
        return 0;
      }
    }
    double takeoverMs = (System.nanoTime() - strikeNs) / 1e6;
    outlast(strikeNs);
    plan.fault().end().run(group, group.member(old.member()));
    return takeoverMs;
  }

  private void outlast(long strikeNs) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
    TimeUnit.NANOSECONDS.sleep(plan.faultNs() - (System.nanoTime() - strikeNs));
  }

  /** Compares the logs of members that are in sync: both must have all answered cars. */
  private String compare() {
    long answered = driver.answered();
    GroupLogs.Comparison logs = group.compareLogs();
    if (!logs.agrees()) {
      return logs.difference();
    }
    return logs.to() >= answered
        ? null
        : answered + " cars were answered, but both logs have only " + logs.to() + ": " + logs;
  }

  /** Stops the group and compares the logs: both must have each car once. */
  private String compareAtEnd() throws IOException, InterruptedException {
    group.stop(group.events().awaitInSync(RECOVERY).member());
    GroupLogs.Comparison logs = group.compareLogs();
    if (!logs.isSame()) {
      return "after the end the logs differ: " + logs;
    }
    long sent = driver.counts().sent() + probed;
    return logs.to() == sent ? null : sent + " cars were sent, but the logs have " + logs.to();
  }

  /**
   * A client that knows only the old primary and repeats one request until that member answers. An
   * answer while another member is primary is a failure. The request is not a car, so the group
   * does not count it.
   */
  static final class OldPrimaryProbe implements AutoCloseable {
    private final ProcessorClient client;
    private final AtomicLong accepted = new AtomicLong();
    private volatile List<HostPort> members;

    OldPrimaryProbe(Vertx vertx, MemberAddress member) {
      members = List.of(HostPort.of(member.clients()));
      client = ProcessorClient.create(vertx, new ProcessorClientOptions(), () -> members);
      client.send(Buffer.buffer(new byte[1])).onSuccess(reply -> accepted.incrementAndGet());
    }

    /** Replies that the probe got. */
    long accepted() {
      return accepted.get();
    }

    /**
     * Lets the request go to any member, and waits for its answer. It may be in the logs already,
     * if it came just before the fault; after this it is there once.
     */
    void settle(List<MemberAddress> all, Duration timeout)
        throws IOException, InterruptedException {
      members = all.stream().map(each -> HostPort.of(each.clients())).toList();
      long endNs = System.nanoTime() + timeout.toNanos();
      while (accepted() == 0) {
        if (System.nanoTime() - endNs > 0) {
          throw new IOException("no member answers the request of the probe");
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
