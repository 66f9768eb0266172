package dev.weir.bench.eventbus;

import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.OpenLoop;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceStats;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;

/**
 * One way of messages, both ends of it: sends them, and checks what the receiving end gets. Its
 * methods block the caller, which is none of Vert.x's threads; {@link #send} runs on the sender's
 * event loop.
 */
abstract class Lane implements Target {
  private static final Duration IDLE_PATIENCE = Duration.ofSeconds(20);
  private static final long IDLE_POLL_MS = 1;

  final Bodies bodies;
  private final ContextInternal sender;
  private Service service;
  private Arrivals arrivals;
  private long expected;

  Lane(ContextInternal sender, Bodies bodies) {
    this.sender = sender;
    this.bodies = bodies;
  }

  /** Names the service at the receiving end; there is none on the bare bus. */
  final void receivedBy(Service pool) {
    service = pool;
  }

  /** Called for each message at the receiving end. */
  final void arrived(Object body) {
    arrivals.accept(body);
  }

  /** The check of a round at the receiving end. */
  Arrivals arrivals(long operations) {
    return Arrivals.ordered(bodies, operations);
  }

  /** One round with that many messages on their way at any time. */
  final RoundResult closedRound(long operations, int inFlight) throws InterruptedException {
    begin(operations);
    return judged(new ClosedLoop(this, Load.of(operations), inFlight).run(Stage.on(sender)));
  }

  /** One round at a fixed rate, latency recorded from the intended send time. */
  final RoundResult openRound(long operations, double ratePerSec, Recording recording)
      throws InterruptedException {
    begin(operations);
    Load load = Load.of(operations).recordingInto(recording);
    Target onSender =
        (operation, startTimeNs, sink) ->
            sender.runOnContext(ignored -> send(operation, startTimeNs, sink));
    return judged(new OpenLoop(onSender, load, ratePerSec).run());
  }

  private void begin(long operations) {
    arrivals = arrivals(operations);
    expected += operations;
  }

  private RoundResult judged(RoundResult result) throws InterruptedException {
    Verdict pool = service == null ? Verdict.ok() : poolVerdict(statsWhenIdle());
    return result.and(arrivals.verdict()).and(pool);
  }

  /**
   * Waits until the receiving end has done all and has nothing left. Both: the figures are not of
   * one moment, so a message between queue and worker is in neither.
   */
  private ServiceStats statsWhenIdle() throws InterruptedException {
    long deadlineNs = System.nanoTime() + IDLE_PATIENCE.toNanos();
    ServiceStats stats = service.stats();
    while (!(idle(stats) && ended(stats) >= expected) && System.nanoTime() - deadlineNs < 0) {
      Thread.sleep(IDLE_POLL_MS);
      stats = service.stats();
    }
    return stats;
  }

  private static long ended(ServiceStats stats) {
    return stats.completed() + stats.failed() + stats.rejected() + stats.dropped();
  }

  private static boolean idle(ServiceStats stats) {
    return stats.busyWorkers() == 0 && stats.waitingInMemory() == 0 && stats.waitingOnDisk() == 0;
  }

  /** The service must have counted what was sent, and nothing else. */
  private Verdict poolVerdict(ServiceStats stats) {
    return Verdict.ok()
        .unless(idle(stats), "still at work")
        .unless(stats.accepted() == expected, "accepted " + stats.accepted())
        .unless(stats.completed() == expected, "completed " + stats.completed())
        .unless(stats.failed() == 0, "failed " + stats.failed())
        .unless(stats.rejected() == 0, "rejected " + stats.rejected())
        .unless(stats.dropped() == 0, "dropped " + stats.dropped())
        .and(furtherVerdict(stats, expected))
        .in("service after " + expected + " messages");
  }

  /**
   * What else the figures of the idle service must say.
   *
   * @param sent messages sent since the service was opened
   */
  Verdict furtherVerdict(ServiceStats stats, long sent) {
    return Verdict.ok();
  }

  /** The figures of the service, or null if there is none. */
  final ServiceStats stats() {
    return service == null ? null : service.stats();
  }
}
