package dev.weir.flow;

import dev.weir.options.HeapExhaustion;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import java.util.ArrayDeque;

/**
 * Sends many replies to one request, at the rate at which the requester takes them. A request for a
 * stream has the headers {@value #ADDRESS}, where the replies go, {@value #CREDITS}, how many may
 * be on the way at once, and {@value #TIMEOUT_MS}, after what time without any life the stream is
 * given up. Each reply is sent there as a request and acknowledged by a reply when there is room
 * for another; the last has the header {@value #LAST}. Order is kept.
 *
 * <p>A handler writes, and completes its own future when {@link #end()} has; what that future gives
 * is not sent. A handler that fails ends the stream with its failure.
 *
 * <p>All methods are called on one thread at a time and do not block.
 */
public final class ReplyStream {
  /** The header with the address of the replies. */
  public static final String ADDRESS = "weir-stream";

  /** The header with the number of replies that may be on the way. */
  public static final String CREDITS = "weir-stream-credits";

  /** The header with the time in ms after which a stream without any life is given up. */
  public static final String TIMEOUT_MS = "weir-stream-timeout-ms";

  /** The header of the last reply. */
  public static final String LAST = "weir-stream-last";

  /** Who asked gives a stream up before its service does, and says so. */
  private static final long GRACE_MS = 10_000;

  private record Waiting(Object body, boolean last, Promise<Void> written) {}

  private final EventBus bus;
  private final String address;
  private final long timeoutMs;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private int credits;
  private boolean ended;
  private Throwable failure;

  private ReplyStream(EventBus bus, String address, int credits, long timeoutMs) {
    this.bus = bus;
    this.address = address;
    this.timeoutMs = timeoutMs;
    this.credits = credits;
  }

  /** True if a stream is asked for. */
  public static boolean isAskedFor(ServiceMessage<?> message) {
    return message.headers().contains(ADDRESS);
  }

  /**
   * The stream that a request asks for.
   *
   * @throws IllegalArgumentException if it asks for none
   */
  public static ReplyStream of(Vertx vertx, ServiceMessage<?> message) {
    String address = message.headers().get(ADDRESS);
    String credits = message.headers().get(CREDITS);
    String timeoutMs = message.headers().get(TIMEOUT_MS);
    if (address == null || credits == null || timeoutMs == null) {
      throw new IllegalArgumentException("the request asks for no stream");
    }
    return new ReplyStream(
        vertx.eventBus(), address, Integer.parseInt(credits), Long.parseLong(timeoutMs));
  }

  /**
   * Sends a reply when there is room.
   *
   * @param body as for the event bus; not to be changed before the future completes
   * @return completes when it is sent: a handler that waits for it holds one reply at a time; fails
   *     with {@link IllegalArgumentException} for a body without a codec, or when nobody wants
   *     more, and then so does every later call
   * @throws IllegalStateException after {@link #end()}
   */
  public Future<Void> write(Object body) {
    return add(body, false);
  }

  /**
   * Ends the stream behind all that was written.
   *
   * @return completes when the end is sent
   */
  public Future<Void> end() {
    return add(null, true);
  }

  /** Ends the stream with a last reply. */
  public Future<Void> end(Object body) {
    return add(body, true);
  }

  private Future<Void> add(Object body, boolean last) {
    if (ended) {
      throw new IllegalStateException("the stream has ended");
    }
    ended = last;
    if (failure != null) {
      return Future.failedFuture(failure);
    }
    Waiting next = new Waiting(body, last, Promise.promise());
    waiting.add(next);
    sendOn();
    return next.written.future();
  }

  private void sendOn() {
    while (!waiting.isEmpty() && failure == null && (credits > 0 || isEndOnly(waiting.peek()))) {
      Waiting next = waiting.poll();
      credits--;
      DeliveryOptions options = new DeliveryOptions().setSendTimeout(timeoutMs + GRACE_MS);
      if (next.last) {
        options.addHeader(LAST, "true");
      }
      Future<Message<Object>> acknowledged;
      try {
        acknowledged = bus.request(address, next.body, options);
      } catch (Throwable e) {
        // No codec for the body, most likely: the others have their turn.
        HeapExhaustion.report(e);
        credits++;
        next.written.fail(e);
        continue;
      }
      acknowledged.onSuccess(taken -> acknowledged()).onFailure(this::stopped);
      next.written.complete();
    }
  }

  /** An end without a body needs no room. */
  private static boolean isEndOnly(Waiting next) {
    return next.last && next.body == null;
  }

  private void acknowledged() {
    credits++;
    sendOn();
  }

  private void stopped(Throwable cause) {
    failure = cause;
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      next.written.fail(cause);
    }
  }
}
