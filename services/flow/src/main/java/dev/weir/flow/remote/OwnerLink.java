package dev.weir.flow.remote;

import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Set;

/** An owner of a service as a consumer knows it. Used on the consumer's event loop. */
final class OwnerLink {
  final String address;

  /** The numbers of its messages in handling. */
  final Set<Long> held = new HashSet<>();

  /** When it answered last, by {@link System#nanoTime}. */
  long heardNs = System.nanoTime();

  /** The number of the last message that it had sent when it answered last. */
  long upTo;

  /** Whether it cannot be reached any more; it is kept while its messages are in handling. */
  boolean gone;

  /** Of the renewal that was sent last. */
  Future<Void> renewal = Future.succeededFuture();

  OwnerLink(String address) {
    this.address = address;
  }
}
