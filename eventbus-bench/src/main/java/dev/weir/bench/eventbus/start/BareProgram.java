package dev.weir.bench.eventbus.start;

import io.vertx.core.Vertx;

/** The floor of a start: an HTTP server of Vert.x, and nothing else. */
public final class BareProgram {
  private BareProgram() {}

  /** Says where it listens as echo does, and runs until it is ended. */
  public static void main(String[] args) {
    Vertx.vertx()
        .createHttpServer()
        .requestHandler(request -> request.response().end("true"))
        .listen(0, "127.0.0.1")
        .onSuccess(
            server -> System.out.println("bare: ready at http://127.0.0.1:" + server.actualPort()))
        .onFailure(
            failure -> {
              System.err.println(failure);
              System.exit(1);
            });
  }
}
