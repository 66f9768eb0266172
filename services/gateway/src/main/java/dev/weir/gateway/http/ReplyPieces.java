package dev.weir.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/**
 * The body of a reply over HTTP/2, written piece by piece: each piece when the client has taken the
 * one before, so that a slow client can be told from one that takes nothing. On the event loop of
 * the connection.
 */
final class ReplyPieces {
  /**
   * {@value} bytes: less than the flow control window of a connection, which all its streams share
   * and which a piece that is not taken fills.
   */
  private static final int PIECE_BYTES = 32 << 10;

  private final HttpServerResponse response;
  private final Buffer body;
  private final Promise<Void> written = Promise.promise();
  private int next;

  private ReplyPieces(HttpServerResponse response, Buffer body) {
    this.response = response;
    this.body = body;
  }

  /** Ends the response with the body; completes when the client has taken it or is gone. */
  static Future<Void> write(HttpServerResponse response, Buffer body) {
    if (body.length() <= PIECE_BYTES) {
      return response.end(body);
    }
    response.headers().set(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
    ReplyPieces pieces = new ReplyPieces(response, body);
    pieces.writeNext();
    return pieces.written.future();
  }

  private void writeNext() {
    int end = Math.min(body.length(), next + PIECE_BYTES);
    Buffer piece = body.slice(next, end);
    next = end;
    if (end == body.length()) {
      response.end(piece).onComplete(written);
    } else {
      response.write(piece).onSuccess(taken -> writeNext()).onFailure(written::fail);
    }
  }
}
