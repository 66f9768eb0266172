package dev.weir.state.http;

import static dev.weir.state.DocumentFailure.BUSY;

import dev.weir.options.ByteBudget;
import dev.weir.state.Document;
import dev.weir.state.DocumentException;
import dev.weir.state.call.Encoded;
import dev.weir.state.engine.Held;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Writes answers. The bytes of an answer count until its client has taken them, so clients that ask
 * for much and read nothing do not fill the heap. On the event loop of the request.
 */
final class Answers {
  private static final String JSON = "application/json";
  private static final int OK = 200;

  /** An answer of a write above this size may keep other such writes from being made. */
  private static final int LARGE_BYTES = 16 << 10;

  private final ByteBudget budget;
  private final ByteBudget outgrown;

  /**
   * @param budget what the heap gives to operations and answers under way
   * @param outgrown what operations are refused by that would make more large answers
   */
  Answers(ByteBudget budget, ByteBudget outgrown) {
    this.budget = budget;
    this.outgrown = outgrown;
  }

  /** An answer counts as half of the budget at most, so that it is never refused for itself. */
  private long heldBytes(Buffer body) {
    return Math.min(body.length(), budget.limitBytes() / 2);
  }

  /**
   * Answers with JSON.
   *
   * @throws DocumentException {@code BUSY} if there is no room
   */
  void read(RoutingContext context, Buffer json) {
    take(json);
    end(context.response(), OK, JSON, json, 0);
  }

  /**
   * Answers with a document.
   *
   * @throws DocumentException {@code BUSY} if there is no room
   */
  void read(RoutingContext context, Document document) {
    Encoded encoded = Encoded.of(document, HttpRequests.accepted(context));
    take(encoded.body());
    end(context.response(), OK, document, encoded, 0);
  }

  private void take(Buffer body) {
    if (!Held.tryTake(budget, heldBytes(body))) {
      throw new DocumentException(BUSY, "too many bytes of answers are under way");
    }
  }

  /**
   * Answers a write, which is made already, so there must be room: until there is some again, no
   * write is made whose answer would be large.
   */
  void written(RoutingContext context, int status, Document document) {
    Encoded encoded = Encoded.of(document, HttpRequests.accepted(context));
    end(context.response(), status, document, encoded, takeWritten(encoded.body()));
  }

  /** The same for the reply of an action. */
  void acted(RoutingContext context, Buffer json) {
    end(context.response(), OK, JSON, json, takeWritten(json));
  }

  /** What of it is taken as outgrown. */
  private long takeWritten(Buffer body) {
    long heldBytes = heldBytes(body);
    long large = heldBytes > LARGE_BYTES ? heldBytes : 0;
    budget.take(heldBytes);
    outgrown.take(large);
    return large;
  }

  static String tag(Document document) {
    return "\"" + document.version() + "\"";
  }

  private void end(
      HttpServerResponse response, int status, Document document, Encoded encoded, long large) {
    response.putHeader(HttpHeaders.ETAG, tag(document));
    if (document.expiresAtMs() != 0) {
      response.putHeader("expires-at-ms", Long.toString(document.expiresAtMs()));
    }
    end(response, status, encoded.format().mediaType(), encoded.body(), large);
  }

  /**
   * @param large what of the answer is given back to the outgrown
   */
  private void end(HttpServerResponse response, int status, String type, Buffer body, long large) {
    long heldBytes = heldBytes(body);
    Future<Void> written;
    try {
      written = response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, type).end(body);
    } catch (RuntimeException e) {
      give(heldBytes, large);
      throw e;
    }
    written.onComplete(done -> give(heldBytes, large));
  }

  private void give(long heldBytes, long large) {
    budget.give(heldBytes);
    outgrown.give(large);
  }
}
