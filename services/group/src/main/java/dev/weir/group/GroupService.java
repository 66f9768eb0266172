package dev.weir.group;

import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** A group that is a service, on one of its members. Any thread. */
public final class GroupService {
  private final Vertx vertx;
  private final Service service;
  private final ProcessorClient client;
  private final ProcessorGroup group;

  GroupService(Vertx vertx, Service service, ProcessorClient client, ProcessorGroup group) {
    this.vertx = vertx;
    this.service = service;
    this.client = client;
    this.group = group;
  }

  /** What takes messages here and sends them to the primary: its stats, its workers, its pause. */
  public Service service() {
    return service;
  }

  /** The replica that runs here: its role and its figures, for metrics and health. */
  public ProcessorGroup group() {
    return group;
  }

  /**
   * Closes the service when it has drained, as {@link Service#close()} does, then leaves the group:
   * another member in sync takes the role over. A second call does nothing more.
   */
  public Future<Void> close() {
    return service.close().eventually(client::close).eventually(() -> blocking(vertx, group));
  }

  /** Leaves a group, which blocks. */
  static Future<Void> blocking(Vertx vertx, ProcessorGroup group) {
    return vertx.executeBlocking(
        () -> {
          group.close();
          return null;
        },
        false);
  }
}
