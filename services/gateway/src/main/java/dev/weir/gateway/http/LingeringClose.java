package dev.weir.gateway.http;

import dev.weir.flow.vertx.Contexts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;

/**
 * Closes the connection of a request that was answered before its whole body was received. An
 * immediate close would reset the connection of a client that still sends, and the client would not
 * see the answer. So the rest is read and discarded for a while.
 */
final class LingeringClose {
  private static final long LINGER_MS = 2_000;

  private LingeringClose() {}

  /**
   * @param written completes when the answer is out
   */
  static void after(Future<Void> written, HttpServerRequest request) {
    written.onComplete(
        done -> {
          if (done.failed() || request.isEnded()) {
            request.connection().close();
          } else {
            linger(request);
          }
        });
  }

  private static void linger(HttpServerRequest request) {
    Vertx vertx = Contexts.current().owner();
    long timer = vertx.setTimer(LINGER_MS, over -> request.connection().close());
    request.exceptionHandler(gone -> vertx.cancelTimer(timer));
    request.handler(thrownAway -> {});
    request.endHandler(
        end -> {
          vertx.cancelTimer(timer);
          request.connection().close();
        });
    request.resume();
  }
}
