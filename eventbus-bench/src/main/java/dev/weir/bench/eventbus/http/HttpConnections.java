package dev.weir.bench.eventbus.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;

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

  /**
   * The server and path that requests go to, and the kind of body they carry.
   *
   * @param path of the URI
   * @param body what they carry
   */
  record HttpEndpoint(SocketAddress server, String path, HttpBody body) {}
}
