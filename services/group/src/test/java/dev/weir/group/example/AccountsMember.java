package dev.weir.group.example;

import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import dev.weir.group.GroupService;
import dev.weir.group.Groups;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.nio.file.Path;
import java.util.List;

public class AccountsMember {
  private static final List<String> MEMBERS = List.of("a", "b", "c");

  public static void main(String[] args) {
    String name = args[0];
    int index = MEMBERS.indexOf(name);
    ClusterNode node =
        ClusterNode.start(
            new NodeOptions()
                .setMemberName(name)
                .setPort(5701 + index)
                .setClientPort(7701 + index)
                .setJoin(List.of("127.0.0.1:5701", "127.0.0.1:5702", "127.0.0.1:5703"))
                .setDirectory(Path.of("data", name)));
    Vertx vertx =
        Vertx.builder()
            .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
            .withClusterManager(new HazelcastClusterManager(node.hazelcast()))
            .buildClustered()
            .await();
    Weir weir = Weir.create(vertx, new WeirOptions().setDirectory("data/" + name + "-queues"));
    GroupService accounts = serve(vertx, weir, node).await();
    Gateway http = Gateway.start(vertx, weir, new GatewayOptions().setPort(8080 + index)).await();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(http, accounts, vertx, node)));
    System.out.println(name + " serves accounts");
  }

  static Future<GroupService> serve(Vertx vertx, Weir weir, ClusterNode node) {
    return weir.<JsonObject>serve("statements", new ServiceOptions(), AccountsMember::print)
        .compose(statements -> Groups.start(vertx, weir, node))
        .compose(
            groups ->
                groups.serveGroup(
                    "accounts",
                    Transfer.class,
                    new GroupOptions().setMembers(MEMBERS),
                    new ServiceOptions(),
                    Accounts::new));
  }

  private static Future<Void> print(ServiceMessage<JsonObject> message) {
    System.out.println("statement " + message.body() + ", id " + message.id());
    return Future.succeededFuture();
  }

  /** Gives the role of primary away, then closes the files, then leaves the cluster. */
  private static void stop(Gateway http, GroupService accounts, Vertx vertx, ClusterNode node) {
    http.close(10_000).await();
    accounts.close().await();
    vertx.close().await();
    node.close();
  }
}
