package dev.weir.gateway.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Consumer;

/**
 * Reads the body of a request into one buffer, within a limit. A body that arrives in one piece is
 * not copied. A body over the limit is still read, up to twice the limit: a client that gets the
 * refusal while it sends often sees a broken connection instead of the answer.
 */
public final class BodyReader implements Handler<Buffer> {
  private static final Buffer EMPTY = Buffer.buffer(0);

  /** Upper bound of the memory that is allocated for an announced length before bytes arrive. */
  private static final int MAX_INITIAL_BYTES = 256 << 10;

  private final HttpServerRequest request;
  private final int maxBytes;
  private final HeldBytes held;
  private final Handler<Buffer> whole;
  private final Consumer<ProblemType> refused;
  private final long announcedBytes;
  private Buffer body;
  private boolean single = true;
  private long readBytes;
  private boolean done;

  private BodyReader(
      HttpServerRequest request,
      int maxBytes,
      HeldBytes held,
      Handler<Buffer> whole,
      Consumer<ProblemType> refused) {
    this.request = request;
    this.maxBytes = maxBytes;
    this.held = held;
    this.whole = whole;
    this.refused = refused;
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    this.announcedBytes = length == null ? 0 : parse(length);
  }

  /**
   * Calls one of the two callbacks, unless the client disconnects first.
   *
   * @param held grows with a body whose length was not announced
   * @param whole gets the body, which is nobody else's
   * @param refused told {@code TOO_LARGE}, or {@code OVERLOADED} if there is no room for what came
   */
  public static void read(
      HttpServerRequest request,
      int maxBytes,
      HeldBytes held,
      Handler<Buffer> whole,
      Consumer<ProblemType> refused) {
    new BodyReader(request, maxBytes, held, whole, refused).start();
  }

  /** True if a body is still on its way; a request without one ends only after its handler. */
  static boolean isUnread(HttpServerRequest request) {
    if (request.isEnded()) {
      return false;
    }
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length == null
        ? request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
        : parse(length) > 0;
  }

  private static long parse(String length) {
    try {
      return Long.parseLong(length);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private void start() {
    // A client of HTTP/1.0 does not know interim responses.
    boolean asks =
        request.headers().contains(HttpHeaders.EXPECT) && request.version() != HttpVersion.HTTP_1_0;
    if (announcedBytes > 2L * maxBytes || asks && announcedBytes > maxBytes) {
      refuse(ProblemType.TOO_LARGE);
      return;
    }
    request.handler(this);
    request.endHandler(end -> end());
    if (asks) {
      request.response().writeContinue();
    }
  }

  @Override
  public void handle(Buffer chunk) {
    if (done) {
      return;
    }
    readBytes += chunk.length();
    if (readBytes > maxBytes || announcedBytes > maxBytes) {
      body = null;
      if (readBytes > 2L * maxBytes) {
        refuse(ProblemType.TOO_LARGE);
      }
    } else if (!held.cover(readBytes)) {
      body = null;
      refuse(ProblemType.OVERLOADED);
    } else if (body == null) {
      body = chunk;
    } else {
      append(chunk);
    }
  }

  private void append(Buffer chunk) {
    if (single) {
      single = false;
      long bytes = Math.max(announcedBytes, 2L * body.length() + chunk.length());
      body = Buffer.buffer((int) Math.min(bytes, MAX_INITIAL_BYTES)).appendBuffer(body);
    }
    body.appendBuffer(chunk);
  }

  private void end() {
    if (done) {
      return;
    }
    if (readBytes > maxBytes || announcedBytes > maxBytes) {
      refuse(ProblemType.TOO_LARGE);
    } else {
      done = true;
      Buffer read = body == null ? EMPTY : body;
      // The request keeps this reader, and would keep a body that waits on disk.
      body = null;
      whole.handle(read);
    }
  }

  private void refuse(ProblemType why) {
    done = true;
    refused.accept(why);
  }
}
