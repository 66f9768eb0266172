package dev.weir.group;

import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import dev.weir.group.call.GroupReads;
import dev.weir.group.call.ShardClients;
import dev.weir.group.duty.PrimaryDuty;
import dev.weir.options.Checks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/** A group that is a service, on one of its members. Any thread. */
public final class GroupService {
  private final Vertx vertx;
  private final Service service;
  private final ShardClients clients;
  private final GroupReads reads;
  private final List<PrimaryDuty> duties;
  private final List<ProcessorGroup> replicas;

  GroupService(
      Vertx vertx,
      Service service,
      ShardClients clients,
      GroupReads reads,
      List<PrimaryDuty> duties,
      List<ProcessorGroup> replicas) {
    this.vertx = vertx;
    this.service = service;
    this.clients = clients;
    this.reads = reads;
    this.duties = duties;
    this.replicas = List.copyOf(replicas);
  }

  /** What takes messages here and sends them to the primary: its stats, its workers, its pause. */
  public Service service() {
    return service;
  }

  /**
   * The replica that runs here: its role and its figures, for metrics and health.
   *
   * @throws IllegalStateException if the service has several shards: {@link #replicas} has them
   */
  public ProcessorGroup group() {
    if (shards() > 1) {
      throw new IllegalStateException(
          service.address() + " has " + shards() + " shards: ask for its replicas");
    }
    return replicas.get(0);
  }

  /** The replicas of shards that run here, in the order of the shards. */
  public List<ProcessorGroup> replicas() {
    return replicas;
  }

  /** The number of shards, 1 for a group that is not split. */
  public int shards() {
    return clients.layout().shards();
  }

  /**
   * The shard that has all messages of a key.
   *
   * @param key not null, without halves of surrogate pairs
   * @return 0 to {@link #shards} - 1
   */
  public int shardOf(String key) {
    return clients.layout().shardOf(Checks.encodable("key", Checks.notNull("key", key)));
  }

  /**
   * The members that hold a shard, the preferred primary first.
   *
   * @param shard 0 to {@link #shards} - 1
   */
  public List<String> members(int shard) {
    return clients.layout().members(Checks.range("shard", shard, 0, shards() - 1));
  }

  /**
   * Closes the service when it has drained, as {@link Service#close()} does, then leaves the
   * groups: other members in sync take the roles over. A second call does nothing more.
   */
  public Future<Void> close() {
    return service
        .close()
        .onComplete(done -> duties.forEach(PrimaryDuty::close))
        .eventually(clients::close)
        .eventually(reads::close)
        .eventually(() -> leave(vertx, replicas));
  }

  /** Leaves groups, which blocks. */
  static Future<Void> leave(Vertx vertx, List<ProcessorGroup> groups) {
    return vertx.executeBlocking(
        () -> {
          groups.forEach(ProcessorGroup::close);
          return null;
        },
        false);
  }
}
