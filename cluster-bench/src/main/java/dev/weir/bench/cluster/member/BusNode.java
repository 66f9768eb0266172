package dev.weir.bench.cluster.member;

import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.NodeOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A node of a clustered event bus on the loopback address: a member, or a client of members. */
public final class BusNode implements Closeable {
  private static final long TIMEOUT_S = 120;

  private final ClusterNode cluster;
  private final Vertx vertx;

  /**
   * Joins the cluster, blocking the caller.
   *
   * @param eventLoops of its Vert.x
   */
  public BusNode(NodeOptions options, int eventLoops) throws Exception {
    cluster = ClusterNode.start(options);
    try {
      vertx =
          await(
              Vertx.builder()
                  .with(
                      new VertxOptions()
                          .setEventLoopPoolSize(eventLoops)
                          // Nothing is read from jars; a killed process leaves no copies behind.
                          .setFileSystemOptions(
                              new FileSystemOptions().setClassPathResolvingEnabled(false))
                          .setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
                  .withClusterManager(new HazelcastClusterManager(cluster.hazelcast()))
                  .buildClustered());
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  /** Waits for a future, blocking the caller. */
  public static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(TIMEOUT_S, TimeUnit.SECONDS);
  }

  public ClusterNode cluster() {
    return cluster;
  }

  public Vertx vertx() {
    return vertx;
  }

  /** Closes the event bus, then leaves the cluster. */
  @Override
  public void close() throws IOException {
    try {
      await(vertx.close());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IOException("the event bus of a node did not close", e);
    } finally {
      cluster.close();
    }
  }
}
