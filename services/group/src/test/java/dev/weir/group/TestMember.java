package dev.weir.group;

import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.NodeOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** A member with its clustered bus and its Weir. */
final class TestMember implements AutoCloseable {
  // Held here: a logger that nobody holds forgets its level.
  private static final List<Logger> QUIET =
      List.of(
          Logger.getLogger("com.hazelcast"),
          Logger.getLogger("dev.weir.cluster"),
          Logger.getLogger("io.vertx"));

  /** A process that stands still for a while stays a member of the cluster. */
  static final NodeOptions PATIENT = new NodeOptions().setMemberTimeoutS(60);

  final ClusterNode node;
  final Vertx vertx;
  final Weir weir;

  /**
   * @param clientPort 0 for a node that has no groups
   * @param ports those of Hazelcast of all nodes
   */
  TestMember(String name, int port, int clientPort, List<Integer> ports, Path directory) {
    this(new NodeOptions(), name, port, clientPort, ports, directory);
  }

  /**
   * @param options for what the other parameters do not set
   */
  TestMember(
      NodeOptions options,
      String name,
      int port,
      int clientPort,
      List<Integer> ports,
      Path directory) {
    this(options, name, port, clientPort, ports, directory, null);
  }

  /**
   * @param tracer null for none
   */
  TestMember(
      NodeOptions options,
      String name,
      int port,
      int clientPort,
      List<Integer> ports,
      Path directory,
      VertxTracerFactory tracer) {
    if (!Boolean.getBoolean("weir.test.log")) {
      QUIET.forEach(logger -> logger.setLevel(Level.OFF));
    }
    node =
        ClusterNode.start(
            new NodeOptions(options)
                .setMemberName(name)
                .setPort(port)
                .setClientPort(clientPort)
                .setJoin(ports.stream().map(each -> "127.0.0.1:" + each).toList())
                .setDirectory(directory.resolve("groups")));
    vertx =
        Futures.result(
            "a clustered vert.x",
            builder(tracer)
                .with(
                    new VertxOptions()
                        .setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
                .withClusterManager(new HazelcastClusterManager(node.hazelcast()))
                .buildClustered());
    weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.resolve("weir").toString()));
  }

  private static VertxBuilder builder(VertxTracerFactory tracer) {
    return tracer == null ? Vertx.builder() : Vertx.builder().withTracer(tracer);
  }

  /**
   * The member that a process is.
   *
   * @param args name, port of Hazelcast, client port, directory, ports of Hazelcast of all nodes
   */
  static TestMember of(String... args) {
    return new TestMember(
        PATIENT,
        args[0],
        Integer.parseInt(args[1]),
        Integer.parseInt(args[2]),
        Stream.of(args[4].split(",")).map(Integer::valueOf).toList(),
        Path.of(args[3]));
  }

  @Override
  public void close() {
    Futures.result("the bus is closed", vertx.close());
    node.close();
  }
}
