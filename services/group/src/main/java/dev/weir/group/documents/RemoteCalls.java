package dev.weir.group.documents;

import dev.weir.group.RemoteFactory;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/** The calls of a factory from a node that holds none of its documents. Any thread. */
public final class RemoteCalls extends ReplicatedCalls implements RemoteFactory {
  /** How long an operation waits for its reply. */
  public static final int TIMEOUT_MS = 30_000;

  private final RemoteShards shards;

  /**
   * @param shardKeys for each shard a key that it has
   */
  public RemoteCalls(
      Vertx vertx,
      String name,
      FactoryOptions options,
      RemoteShards shards,
      List<String> shardKeys) {
    super(vertx, name, options, shards, shardKeys, DocumentsOptions.DEFAULT_MAX_STREAMS);
    this.shards = shards;
  }

  @Override
  public Future<Void> close() {
    return shards.close();
  }
}
