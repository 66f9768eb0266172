package dev.weir.state.http;

import static dev.weir.state.DocumentFailure.BUSY;
import static dev.weir.state.DocumentFailure.CHANGES_GONE;

import dev.weir.options.ByteBudget;
import dev.weir.state.ChangePage;
import dev.weir.state.ChangeQuery;
import dev.weir.state.DocumentChange;
import dev.weir.state.DocumentException;
import dev.weir.state.call.ChangePoll;
import dev.weir.state.call.ChangeSource;
import dev.weir.state.call.PageJson;
import dev.weir.state.engine.Held;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/**
 * A stream of changes, as server-sent events. It asks for the next page when its client has taken
 * the one before, so a slow client holds one page and nobody up. While there is no change it sends
 * a comment and its position every {@value #HEARTBEAT_MS} ms. A client that takes nothing for
 * {@value #STALL_MS} ms loses its connection. On the event loop of its request.
 */
final class ChangeEvents {
  static final String MEDIA_TYPE = "text/event-stream";

  private static final long HEARTBEAT_MS = 10_000;
  private static final long STALL_MS = 60_000;
  private static final long RETRY_MS = 500;
  private static final long NO_TIMER = -1;

  private final RoutingContext context;
  private final ChangeSource factory;
  private final ByteBudget budget;
  private final HttpServerResponse response;
  private final ChangeQuery query;

  /** Null before the first page is asked for. */
  private ChangePoll poll;

  /** What the client has not taken. */
  private long heldBytes;

  private long timer = NO_TIMER;
  private boolean closed;

  private ChangeEvents(RoutingContext context, ChangeSource factory, ByteBudget budget) {
    this.context = context;
    this.factory = factory;
    this.budget = budget;
    this.response = context.response();
    this.query = HttpRequests.changes(context);
  }

  /**
   * Begins a stream.
   *
   * @return fails if it cannot begin, and nothing is answered yet
   */
  static Future<?> open(RoutingContext context, ChangeSource factory, ByteBudget budget) {
    ChangeEvents events = new ChangeEvents(context, factory, budget);
    factory.streams().open();
    context.addEndHandler(end -> events.close());
    return events.ask().map(events::begin);
  }

  private Future<ChangePage> ask() {
    poll = factory.poll(query);
    return poll.page();
  }

  private Void begin(ChangePage first) {
    if (closed) {
      return null;
    }
    query.setWaitMs(HEARTBEAT_MS);
    // First, because a change that cannot be written is a problem, which has other headers.
    Buffer text = text(first);
    response
        .setChunked(true)
        .putHeader(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        // A compressor, here or in a proxy, would hold events back.
        .putHeader(HttpHeaders.CONTENT_ENCODING, "identity")
        .putHeader("x-accel-buffering", "no")
        .putHeader("x-content-type-options", "nosniff");
    send(first, text);
    return null;
  }

  private static Buffer text(ChangePage page) {
    Buffer text = Buffer.buffer();
    page.changes().forEach(change -> append(text, change));
    // A client takes this position, though there is no event, and comes back with it.
    return text.appendString(":\nid: " + page.position() + "\n\n");
  }

  private void send(ChangePage page, Buffer text) {
    long bytes = Math.min(text.length(), budget.limitBytes() / 2);
    if (page.changes().isEmpty() || query.getFrom() == null) {
      // A stream of what comes from now on has no position before this one to ask for again.
      budget.take(bytes);
    } else if (!Held.tryTake(budget, bytes)) {
      // Others hold too much; nothing is kept of this page, which is read again.
      if (!response.headWritten()) {
        response.writeHead();
      }
      timer = context.vertx().setTimer(RETRY_MS, again -> next());
      return;
    }
    heldBytes = bytes;
    query.setFrom(page.position());
    response.write(text);
    if (!response.writeQueueFull()) {
      release();
      next();
      return;
    }
    timer = context.vertx().setTimer(STALL_MS, stalled -> response.reset());
    response.drainHandler(
        drained -> {
          if (heldBytes > 0) {
            release();
            next();
          }
        });
  }

  private static void append(Buffer text, DocumentChange change) {
    text.appendString("id: " + change.position() + "\nevent: " + PageJson.kind(change) + "\ndata: ")
        .appendBuffer(PageJson.of(change).toBuffer())
        .appendString("\n\n");
  }

  private void next() {
    timer = NO_TIMER;
    if (!closed) {
      ask().map(this::sendNext).onFailure(this::failed);
    }
  }

  private Void sendNext(ChangePage page) {
    if (!closed) {
      send(page, text(page));
    }
    return null;
  }

  private void failed(Throwable failure) {
    if (closed) {
      return;
    }
    if (failure instanceof DocumentException refused && refused.failure() == BUSY) {
      timer = context.vertx().setTimer(RETRY_MS, again -> next());
      return;
    }
    if (failure instanceof DocumentException refused && refused.failure() == CHANGES_GONE) {
      JsonObject problem = HttpProblem.of(context, refused);
      response.write(
          Buffer.buffer("event: gone\ndata: ")
              .appendBuffer(problem.toBuffer())
              .appendString("\n\n"));
    }
    response.end();
  }

  private void release() {
    context.vertx().cancelTimer(timer);
    budget.give(heldBytes);
    heldBytes = 0;
  }

  private void close() {
    if (!closed) {
      closed = true;
      if (poll != null) {
        poll.end();
      }
      release();
      factory.streams().close();
    }
  }
}
