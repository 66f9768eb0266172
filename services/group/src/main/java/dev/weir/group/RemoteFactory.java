package dev.weir.group;

import dev.weir.state.DocumentFactory;
import io.vertx.core.Future;

/**
 * A replicated factory of documents, as a node uses it that holds none of them. {@link
 * ReplicatedFactories#connect} makes one.
 */
public interface RemoteFactory extends DocumentFactory {
  /**
   * Closes the connections to the members. Changes without a reply fail with {@code STORE_FAILED},
   * later operations with {@code CLOSED}. Reads and queries under way end by themselves within 30
   * s. Close it before its Vert.x, whose end completes none of them.
   *
   * @return completes when the connections are closed
   */
  Future<Void> close();
}
