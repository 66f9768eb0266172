package dev.weir.flow;

import dev.weir.options.HeapExhaustion;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import java.util.ArrayDeque;
import java.util.List;

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
 * <p>Any thread, such as the one on which a handler with {@link RunOn#WORKER} runs; nothing blocks.
 * Replies that are written by one thread keep its order.
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

  /** True while a thread sends; what others add meanwhile, it sends too. */
  private boolean sending;

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
    Waiting next = new Waiting(body, last, Promise.promise());
    synchronized (this) {
      if (ended) {
        throw new IllegalStateException("the stream has ended");
      }
      ended = last;
      if (failure != null) {
        return Future.failedFuture(failure);
      }
      waiting.add(next);
    }
    sendOn(0);
    return next.written.future();
  }

  /**
   * Sends what there is room for, on one thread at a time. Nothing is sent under the lock: a future
   * that completes calls its listeners.
   *
   * @param acknowledged how many replies have been taken
   */
  private void sendOn(int acknowledged) {
    synchronized (this) {
      credits += acknowledged;
      if (sending) {
        return;
      }
      sending = true;
    }
    try {
      for (Waiting next = next(); next != null; next = next()) {
        send(next);
      }
    } catch (Throwable e) {
      // Of a listener: the next acknowledgement or reply has the rest sent.
      synchronized (this) {
        sending = false;
      }
      throw e;
    }
  }

  /** Null, and nobody sends any more, if nothing waits for which there is room. */
  private synchronized Waiting next() {
    Waiting next = waiting.peek();
    sending = next != null && failure == null && (credits > 0 || isEndOnly(next));
    if (!sending) {
      return null;
    }
    credits--;
    return waiting.poll();
  }

  private void send(Waiting next) {
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
      sendOn(1);
      next.written.fail(e);
      return;
    }
    acknowledged.onSuccess(taken -> sendOn(1)).onFailure(this::stopped);
    next.written.complete();
  }

  /** An end without a body needs no room. */
  private static boolean isEndOnly(Waiting next) {
    return next.last && next.body == null;
  }

  private void stopped(Throwable cause) {
    List<Waiting> left;
    synchronized (this) {
      failure = cause;
      left = List.copyOf(waiting);
      waiting.clear();
    }
    left.forEach(each -> each.written.fail(cause));
  }
}
