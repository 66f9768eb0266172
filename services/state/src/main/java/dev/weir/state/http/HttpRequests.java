package dev.weir.state.http;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.BUSY;
import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static dev.weir.state.DocumentFailure.TOO_LARGE;

import dev.weir.options.ByteBudget;
import dev.weir.options.Checks;
import dev.weir.state.ChangeQuery;
import dev.weir.state.DocumentBody;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFormat;
import dev.weir.state.Expected;
import dev.weir.state.Query;
import dev.weir.state.WriteOptions;
import dev.weir.state.call.ServedFactory;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Reads what a request asks for; failures are {@link DocumentException}s. */
final class HttpRequests {
  /** A patch may be somewhat larger than the document that it makes. */
  private static final int MORE_BYTES = 64 << 10;

  /** A body is in a buffer that grows; then its document counts by itself. */
  private static final int HEAP_FACTOR = 2;

  /** What an operation takes beside its body: its key, which may have 4 KiB, and objects. */
  private static final long OPERATION_BYTES = 16 << 10;

  private static final long LINGER_MS = 2_000;

  /** Parameter: the position behind which changes are read. */
  private static final String FROM = "from";

  private HttpRequests() {}

  static ServedFactory factory(RoutingContext context, Function<String, ServedFactory> factories) {
    String name = context.pathParam("factory");
    ServedFactory factory = factories.apply(name);
    if (factory == null) {
      throw new DocumentException(NOT_FOUND, "there is no factory " + name);
    }
    return factory;
  }

  /**
   * The body; read already, or up to what a document of the factory may have.
   *
   * @param budget what the heap gives to operations under way; holds the body until the answer ends
   */
  static Future<Buffer> body(RoutingContext context, ServedFactory factory, ByteBudget budget) {
    HttpServerRequest request = context.request();
    if (request.isEnded()) {
      Buffer read = context.body().buffer();
      return Future.succeededFuture(read == null ? Buffer.buffer() : read);
    }
    BodyLimit limit = BodyLimit.of(factory, budget);
    Promise<Buffer> promise = Promise.promise();
    Pieces body = new Pieces();
    AtomicLong taken = new AtomicLong();
    context.addEndHandler(end -> budget.give(taken.getAndSet(0)));
    request.exceptionHandler(promise::tryFail);
    request.endHandler(end -> promise.tryComplete(body.whole));
    if (announcedBytes(request) > limit.bytes()) {
      leave(context);
      promise.fail(limit.exceeded());
    }
    request.handler(
        piece -> {
          if (promise.future().isComplete()) {
            return;
          }
          if (body.whole.length() + piece.length() > limit.bytes()) {
            leave(context);
            promise.fail(limit.exceeded());
          } else if (context.response().ended() || !budget.tryTake(heapBytes(piece))) {
            leave(context);
            promise.fail(new DocumentException(BUSY, "too many bytes of bodies are under way"));
          } else {
            taken.addAndGet(heapBytes(piece));
            body.add(piece);
          }
        });
    return promise.future();
  }

  /**
   * How long a body may be.
   *
   * @param reason the options that bound it; empty if the document alone does
   */
  private record BodyLimit(long bytes, String reason) {
    /** By the document, or by the heap if a longer body could never be admitted. */
    static BodyLimit of(ServedFactory factory, ByteBudget budget) {
      long forDocument = factory.maxDocumentBytes() + (long) MORE_BYTES;
      long forHeap = Math.max(1, budget.limitBytes() - OPERATION_BYTES) / (HEAP_FACTOR + 1);
      return forDocument <= forHeap
          ? new BodyLimit(forDocument, "")
          : new BodyLimit(
              forHeap,
              ", a third of inFlightBytes, which is "
                  + budget.limitBytes()
                  + "; maxDocumentBytes is "
                  + factory.maxDocumentBytes());
    }

    DocumentException exceeded() {
      return new DocumentException(
          TOO_LARGE, "the body has more than " + bytes + " bytes" + reason);
    }
  }

  /** 0 if the length of the body is not known. */
  private static long announcedBytes(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** A body of one piece, as most are, is that piece and not a copy. */
  private static final class Pieces {
    private static final Buffer NONE = Buffer.buffer();

    private Buffer whole = NONE;
    private boolean isCopy;

    void add(Buffer piece) {
      if (whole == NONE) {
        whole = piece;
        return;
      }
      if (!isCopy) {
        whole = Buffer.buffer().appendBuffer(whole);
        isCopy = true;
      }
      whole.appendBuffer(piece);
    }
  }

  /** What a piece costs in a body that grows and is parsed. */
  private static long heapBytes(Buffer piece) {
    return (long) HEAP_FACTOR * piece.length();
  }

  /**
   * Nobody needs the rest of the body. A connection that is closed with bytes on their way may cost
   * the client the answer, so the rest is read for a while after it.
   */
  private static void leave(RoutingContext context) {
    HttpServerRequest request = context.request();
    if (request.version() == HttpVersion.HTTP_2) {
      return;
    }
    request.response().putHeader("connection", "close");
    context.addEndHandler(
        answered -> {
          if (request.isEnded()) {
            request.connection().close();
            return;
          }
          long timer = context.vertx().setTimer(LINGER_MS, over -> request.connection().close());
          request.endHandler(
              end -> {
                context.vertx().cancelTimer(timer);
                request.connection().close();
              });
        });
  }

  /** The media type of the body, without its parameters; empty if there is none. */
  static String type(RoutingContext context) {
    String header = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
    if (header == null) {
      return "";
    }
    int end = header.indexOf(';');
    return (end < 0 ? header : header.substring(0, end)).trim().toLowerCase(Locale.ROOT);
  }

  private static boolean isBinary(RoutingContext context) {
    return type(context).equals(DocumentFormat.CBOR.mediaType());
  }

  /** The body as a document: CBOR if its type says so, or else JSON. */
  static DocumentBody document(RoutingContext context, Buffer body) {
    return DocumentBody.parse(body, isBinary(context) ? DocumentFormat.CBOR : DocumentFormat.JSON);
  }

  /** The form of the answer: the one that is asked for, or else that of the body. */
  static DocumentFormat accepted(RoutingContext context) {
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    boolean binary =
        accept == null || accept.equals("*/*")
            ? isBinary(context)
            : accept.contains(DocumentFormat.CBOR.mediaType());
    return binary ? DocumentFormat.CBOR : DocumentFormat.JSON;
  }

  static JsonObject object(Buffer body) {
    return DocumentFormat.JSON.decode(body.getBytes());
  }

  static JsonArray array(Buffer body) {
    try {
      return new JsonArray(body);
    } catch (DecodeException e) {
      throw new DocumentException(BAD_REQUEST, "the body is not a JSON array", e);
    }
  }

  static WriteOptions options(RoutingContext context) {
    WriteOptions options = WriteOptions.DEFAULT;
    String match = context.request().getHeader("if-match");
    String noneMatch = context.request().getHeader("if-none-match");
    if (match != null) {
      options = options.expect(match.equals("*") ? Expected.present() : version(match));
    } else if (noneMatch != null) {
      if (!noneMatch.equals("*")) {
        throw new DocumentException(BAD_REQUEST, "If-None-Match of a write can be * only");
      }
      options = options.expect(Expected.absent());
    }
    String expiry = context.request().getParam("expiryMs");
    return expiry == null ? options : options.expireAfterMs(number("expiryMs", expiry));
  }

  private static Expected version(String tag) {
    if (!tag.matches("\"[1-9]\\d{0,17}\"")) {
      throw new DocumentException(
          BAD_REQUEST, "If-Match is " + tag + ", allowed are * and one version in quotes");
    }
    return Expected.version(Long.parseLong(tag.substring(1, tag.length() - 1)));
  }

  static long number(String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new DocumentException(
          BAD_REQUEST, "the parameter " + name + " is " + text + ", not a whole number");
    }
  }

  /** What a stream of changes asks for: what its client got last, or the parameters. */
  static ChangeQuery changes(RoutingContext context) {
    HttpServerRequest request = context.request();
    String last = request.getHeader("last-event-id");
    String from = last == null || last.isEmpty() ? request.getParam(FROM) : last;
    ChangeQuery query = new ChangeQuery().setFilter(request.getParam("filter"));
    return from == null ? query : query.setFrom(number(FROM, from));
  }

  static boolean wantsEvents(RoutingContext context) {
    String accept = context.request().getHeader(HttpHeaders.ACCEPT);
    return accept != null && accept.contains(ChangeEvents.MEDIA_TYPE)
        || context.request().getParam(FROM) != null;
  }

  static Query query(RoutingContext context) {
    HttpServerRequest request = context.request();
    Query query =
        new Query()
            .setFilter(request.getParam("filter"))
            .setSort(request.getParam("sort"))
            .setCursor(request.getParam("cursor"))
            .setDescending("desc".equals(request.getParam("order")));
    String limit = request.getParam("limit");
    return limit == null
        ? query
        : query.setLimit((int) Checks.range("limit", number("limit", limit), 1, Query.MAX_LIMIT));
  }
}
