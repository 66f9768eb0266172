package dev.weir.bench.eventbus.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** The client's end of connections that stay open. Used on the client's event loop. */
interface HttpConnections {
  /**
   * Sends a body and waits for what comes back.
   *
   * @return the body of the answer; fails if it is not the answer of a success
   */
  Future<Buffer> exchange(Buffer body);

  /** Closes the connections. */
  Future<Void> close();
}
