package dev.weir.bench.eventbus.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** Connections of a client that stay open. For the event loop of the client. */
interface HttpConnections {
  /**
   * Sends a body and completes with the body of the answer.
   *
   * @return the body of the answer; fails unless the answer is a success
   */
  Future<Buffer> exchange(Buffer body);

  /** Closes the connections. */
  Future<Void> close();
}
