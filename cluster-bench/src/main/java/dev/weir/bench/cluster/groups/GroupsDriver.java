package dev.weir.bench.cluster.groups;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.injection.CarMessages;
import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.InjectionPlan;
import dev.weir.bench.cluster.injection.MessageLatencies;
import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.bench.load.Clock;
import dev.weir.bench.load.Pace;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import dev.weir.processor.Encoding;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A driver for several groups at once, each with a client of its own. The calling thread sends to
 * all groups; one event loop takes all replies.
 */
final class GroupsDriver implements AutoCloseable {
  private static final long FULL_WAIT_NS = TimeUnit.MICROSECONDS.toNanos(20);

  private final Clock clock = Clock.system();
  private final Map<String, RemoteProcessor> groups = new LinkedHashMap<>();
  private final Map<String, List<Double>> perSec = new LinkedHashMap<>();
  private final MessageLatencies latencies = new MessageLatencies(0);
  private final Vertx vertx;
  private long next = 1;
  private final long eventLoop;
  private long elapsedNs;
  private long idleNs;
  private long repliesNs;
  private long overtaken;
  private long sentAgain;

  GroupsDriver(List<String> names, List<MemberAddress> members, int window) {
    // One event loop, because the latencies allow only one writer.
    vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    Promise<Long> thread = Promise.promise();
    vertx.runOnContext(started -> thread.complete(Thread.currentThread().getId()));
    eventLoop = thread.future().await();
    for (String name : names) {
      groups.put(name, new RemoteProcessor(vertx, name, members, window));
      perSec.put(name, new ArrayList<>());
    }
  }

  MessageLatencies latencies() {
    return latencies;
  }

  /** How many cars each group has been sent. */
  long sentToEach() {
    return next - 1;
  }

  /**
   * Runs one round on all groups.
   *
   * @param count cars for each group
   * @param ratePerSec for each group; 0 for as many as the window allows
   * @param window most cars of each group without a reply; only without a rate
   */
  RoundResult run(long count, double ratePerSec, int window) throws InterruptedException {
    InjectionPlan plan =
        ratePerSec > 0
            ? InjectionPlan.paced(next, count, ratePerSec)
            : InjectionPlan.saturated(next, count, window);
    next += count;
    for (RemoteProcessor group : groups.values()) {
      CarMessages cars = new CarMessages(Encoding.SBE_DIRECT, false, Kind.ES.odometer());
      group.begin(new Injection(plan, cars, latencies));
    }
    drive();
    return sum();
  }

  private void drive() throws InterruptedException {
    long startNs = clock.nanoTime();
    long eventLoopNs = cpuNs(eventLoop);
    while (!groups.values().stream().allMatch(RemoteProcessor::isOver)) {
      int sent = 0;
      long dueNs = Long.MAX_VALUE;
      for (RemoteProcessor group : groups.values()) {
        sent += group.doWork();
        dueNs = Math.min(dueNs, group.dueNs());
      }
      if (sent == 0) {
        long waitsFromNs = clock.nanoTime();
        if (dueNs - waitsFromNs > 0) {
          clock.awaitUntil(dueNs);
        } else {
          LockSupport.parkNanos(this, FULL_WAIT_NS);
        }
        idleNs += clock.nanoTime() - waitsFromNs;
      }
    }
    elapsedNs += clock.nanoTime() - startNs;
    repliesNs += cpuNs(eventLoop) - eventLoopNs;
  }

  private static long cpuNs(long threadId) {
    return Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId));
  }

  /**
   * How much of the time since the last {@link #reset} the busier of the two threads was at work,
   * in percent: the one that sends while it does not wait for room, the one that takes replies by
   * its CPU time.
   */
  double busyPercent() {
    double sending = elapsedNs - idleNs;
    return 100 * Math.max(sending, repliesNs) / Math.max(1, elapsedNs);
  }

  private RoundResult sum() {
    List<RoundResult> results = new ArrayList<>();
    Verdict failures = Verdict.ok();
    for (Map.Entry<String, RemoteProcessor> entry : groups.entrySet()) {
      RoundResult result = entry.getValue().result();
      perSec.get(entry.getKey()).add(result.opsPerSec());
      overtaken += result.tally().orderBreaks();
      sentAgain += entry.getValue().sentAgain();
      results.add(asPromised(result, entry.getValue().sentAgain()));
      String failure = entry.getValue().firstFailure();
      failures = failures.unless(failure == null, entry.getKey() + " fails: " + failure);
    }
    return sum(results).and(failures);
  }

  /**
   * The result judged by its tally and its rate. Each request that was sent again may cause one
   * reply out of order. Every reply contains the order in which its car was handled, so that order
   * is checked in any case.
   *
   * @param sentAgain how many requests were sent again
   */
  static RoundResult asPromised(RoundResult result, long sentAgain) {
    Tally tally = result.tally();
    Tally promised =
        new Tally(
            tally.expected(),
            tally.sent(),
            tally.received(),
            tally.failed(),
            tally.corrupt(),
            tally.duplicates(),
            Math.max(0, tally.orderBreaks() - sentAgain),
            tally.firstFailure());
    Verdict rate = result.verdict().only(Verdict.Kind.MISSED);
    return new RoundResult(
        result.loop(),
        promised,
        result.elapsedNs(),
        result.pace(),
        result.cpuNs(),
        promised.verdict().and(rate));
  }

  /** Adds up results of groups that were driven together; the slowest gives the time. */
  static RoundResult sum(List<RoundResult> results) {
    Tally tally = Tally.complete(0);
    Verdict verdict = Verdict.ok();
    long elapsedNs = 0;
    for (RoundResult result : results) {
      tally = tally.plus(result.tally());
      verdict = verdict.and(result.verdict());
      elapsedNs = Math.max(elapsedNs, result.elapsedNs());
    }
    RoundResult first = results.get(0);
    return new RoundResult(first.loop(), tally, elapsedNs, pace(results), 0, verdict);
  }

  private static Pace pace(List<RoundResult> results) {
    if (results.get(0).pace() == null) {
      return null;
    }
    double target = 0;
    double sent = 0;
    long lagNs = 0;
    for (RoundResult result : results) {
      target += result.pace().targetPerSec();
      sent += result.pace().sentPerSec();
      lagNs = Math.max(lagNs, result.pace().maxLagNs());
    }
    return new Pace(target, sent, lagNs);
  }

  /** Clears what {@link #perSec}, {@link #overtaken} and {@link #sentAgain} have so far. */
  void reset() {
    elapsedNs = 0;
    idleNs = 0;
    repliesNs = 0;
    overtaken = 0;
    sentAgain = 0;
    perSec.values().forEach(List::clear);
  }

  /** Replies since the last {@link #reset} that came after the reply to a later request. */
  long overtaken() {
    return overtaken;
  }

  /** Requests since the last {@link #reset} that were sent again. */
  long sentAgain() {
    return sentAgain;
  }

  /** Operations per second of each group in each round since the last {@link #reset}. */
  Map<String, List<Double>> perSec() {
    return perSec;
  }

  @Override
  public void close() {
    groups.values().forEach(RemoteProcessor::close);
    vertx.close().await();
  }
}
