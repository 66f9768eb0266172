package dev.weir.group.duty;

import dev.weir.flow.FlowFailure;
import dev.weir.group.apply.OutgoingMessage;
import dev.weir.group.apply.PrimaryWork;
import dev.weir.group.wire.GroupCommand;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires the timers of a shard and sends its messages to other services while this member is its
 * primary. What there is to do is in the replicated state, and read there by a read that is
 * confirmed: so nothing is sent that may be undone. What was done is a message of the group. After
 * a failover the next primary finds what is left, and does it again.
 *
 * <p>All but {@link #wake} runs on one context.
 */
public final class PrimaryDuty {
  private static final Logger LOG = LoggerFactory.getLogger(PrimaryDuty.class);

  /** So many messages are read at a time. */
  private static final int WINDOW = 256;

  /** With so many on their way, further ones wait until some have arrived. */
  private static final int MOST_UNDER_WAY = 4 * WINDOW;

  private static final long RETRY_MS = 100;
  private static final long MAX_RETRY_MS = 10_000;
  private static final long MAX_WAIT_MS = 3_600_000;

  private final Vertx vertx;
  private final Context context;
  private final LongFunction<Future<PrimaryWork>> work;
  private final Function<Buffer, Future<Buffer>> group;
  private final MessageSender sender;
  private final int maxMessageBytes;
  private final AtomicBoolean awake = new AtomicBoolean();

  /** Numbers of messages that are on their way, or have arrived and are still in the state. */
  private final Set<Long> underWay = new HashSet<>();

  private final List<Long> arrived = new ArrayList<>();
  private boolean reading;
  private boolean reporting;
  private boolean primary;
  private volatile boolean closed;

  /** Messages with a lower number were read. */
  private long next;

  /** The wake-up that is set; -1 if none is. */
  private long timer = -1;

  private long timerNs;
  private String firing;
  private long firingMs;

  /**
   * @param work reads what there is to do from a message of that number on; fails on a member that
   *     is not primary
   * @param group sends a message to the group
   * @param maxMessageBytes of the group
   */
  public PrimaryDuty(
      Vertx vertx,
      LongFunction<Future<PrimaryWork>> work,
      Function<Buffer, Future<Buffer>> group,
      MessageSender sender,
      int maxMessageBytes) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.work = work;
    this.group = group;
    this.sender = sender;
    this.maxMessageBytes = maxMessageBytes;
  }

  /** How many messages {@code work} may bring. */
  public static int window() {
    return WINDOW;
  }

  /** There may be something to do. Any thread; does not block. */
  public void wake() {
    if (!closed && !awake.getAndSet(true)) {
      context.runOnContext(v -> read());
    }
  }

  /** Does nothing more. What is on its way may arrive, and is sent again by the next primary. */
  public void close() {
    closed = true;
  }

  private void read() {
    if (reading || closed) {
      return;
    }
    reading = true;
    awake.set(false);
    long from = next;
    work.apply(from)
        .onComplete(
            done -> {
              reading = false;
              if (done.succeeded()) {
                primary = true;
                handle(done.result(), from);
              } else {
                idle(done.cause());
              }
              if (awake.get()) {
                context.runOnContext(v -> read());
              }
            });
  }

  /** Another member is primary, or this one may not act yet. */
  private void idle(Throwable cause) {
    primary = false;
    next = 0;
    firing = null;
    if (!(cause instanceof ReplyException reply)) {
      LOG.warn("what a group has for its primary to do cannot be read; it is read again", cause);
      wakeIn(MAX_RETRY_MS);
    } else if (reply.failureCode() == FlowFailure.NOT_IN_SYNC.code()) {
      wakeIn(RETRY_MS);
    }
  }

  private void handle(PrimaryWork found, long from) {
    // A message before these is to be read again; that read is on its way.
    boolean isReset = next != from;
    for (OutgoingMessage message : found.messages()) {
      if (underWay.size() >= MOST_UNDER_WAY) {
        break;
      }
      next = isReset ? next : message.number() + 1;
      if (underWay.add(message.number())) {
        send(message, RETRY_MS);
      }
    }
    if (found.messages().size() == WINDOW && underWay.size() < MOST_UNDER_WAY) {
      wake();
    }
    if (found.timer() != null) {
      long waitMs = found.dueMs() - System.currentTimeMillis();
      if (waitMs > 0) {
        wakeIn(Math.min(waitMs, MAX_WAIT_MS));
      } else {
        fire(found.timer(), found.dueMs());
      }
    }
  }

  private void fire(String name, long dueMs) {
    if (name.equals(firing) && dueMs == firingMs) {
      // It is on its way; or the clock of the group is behind this one.
      wakeIn(RETRY_MS);
      return;
    }
    firing = name;
    firingMs = dueMs;
    group
        .apply(GroupCommand.timer(name, dueMs, maxMessageBytes))
        .onComplete(
            done ->
                context.runOnContext(
                    v -> {
                      if (done.failed()) {
                        wakeIn(RETRY_MS);
                      } else {
                        wake();
                      }
                    }));
  }

  /** An earlier wake-up stays: else other work that comes all the time would put it off. */
  private void wakeIn(long ms) {
    long atNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    if (timer >= 0 && timerNs - atNs <= 0) {
      return;
    }
    vertx.cancelTimer(timer);
    timerNs = atNs;
    timer =
        vertx.setTimer(
            ms,
            id ->
                context.runOnContext(
                    v -> {
                      if (timer == id) {
                        timer = -1;
                      }
                      firing = null;
                      wake();
                    }));
  }

  private void send(OutgoingMessage message, long retryMs) {
    sender
        .send(message)
        .onComplete(
            done ->
                context.runOnContext(
                    v -> {
                      if (done.succeeded()) {
                        arrived.add(message.number());
                        report();
                      } else {
                        failed(message, done.cause(), retryMs);
                      }
                    }));
  }

  private void failed(OutgoingMessage message, Throwable cause, long retryMs) {
    ReplyException refusal = MessageSender.refusal(cause);
    if (refusal == null) {
      retry(message, retryMs);
      return;
    }
    group
        .apply(
            GroupCommand.undelivered(
                message.number(), refusal.failureCode(), refusal.getMessage(), maxMessageBytes))
        .onComplete(
            done ->
                context.runOnContext(
                    v -> {
                      if (done.succeeded()) {
                        forget(List.of(message.number()), true);
                      } else {
                        retry(message, retryMs);
                      }
                    }));
  }

  private void retry(OutgoingMessage message, long retryMs) {
    if (closed || !primary) {
      forget(List.of(message.number()), false);
    } else {
      vertx.setTimer(retryMs, id -> context.runOnContext(v -> again(message, retryMs)));
    }
  }

  private void again(OutgoingMessage message, long retryMs) {
    if (closed || !primary) {
      forget(List.of(message.number()), false);
    } else {
      send(message, Math.min(2 * retryMs, MAX_RETRY_MS));
    }
  }

  /**
   * Asks the group to remove messages that have arrived. One command names as many as fit into a
   * message; a later command names the others.
   */
  private void report() {
    if (reporting || arrived.isEmpty()) {
      return;
    }
    reporting = true;
    int most = Math.min(arrived.size(), GroupCommand.mostSent(maxMessageBytes));
    List<Long> first = arrived.subList(0, most);
    List<Long> numbers = List.copyOf(first);
    first.clear();
    group
        .apply(GroupCommand.sent(numbers))
        .onComplete(
            done ->
                context.runOnContext(
                    v -> {
                      reporting = false;
                      reported(numbers, done.succeeded());
                    }));
  }

  private void reported(List<Long> numbers, boolean removed) {
    if (removed || closed || !primary) {
      forget(numbers, removed);
      report();
    } else {
      // The receivers have the messages: only the report is made again.
      arrived.addAll(numbers);
      vertx.setTimer(RETRY_MS, id -> context.runOnContext(v -> report()));
    }
  }

  /**
   * @param removed from the state; what is still there is sent again if this member is primary
   */
  private void forget(List<Long> numbers, boolean removed) {
    numbers.forEach(underWay::remove);
    next = removed ? next : 0;
    wake();
  }
}
