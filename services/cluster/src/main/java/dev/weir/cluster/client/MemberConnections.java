package dev.weir.cluster.client;

import dev.weir.cluster.HostPort;
import io.vertx.core.Future;

/** How a client reaches members. On the context of the client. */
interface MemberConnections {
  /** A connection to a member, on which nothing was said yet; with {@code handler}s to be set. */
  Future<ClientLink> connect(HostPort member);

  /** The client needs no more; completes when its connections are closed. */
  Future<Void> close();
}
