package dev.weir.group.example;

import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.group.GroupService;
import dev.weir.group.Groups;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.nio.file.Path;
import java.util.List;

public class AccountsMember {
  private static final List<String> MEMBERS = List.of("a", "b", "c");

  public static void main(String[] args) {
    int index = MEMBERS.indexOf(args[0]);
    ClusterNode node =
        ClusterNode.start(
            new NodeOptions()
                .setMemberName(args[0])
                .setPort(5701 + index)
                .setClientPort(7701 + index)
                .setJoin(List.of("127.0.0.1:5701", "127.0.0.1:5702", "127.0.0.1:5703"))
                .setDirectory(Path.of("data", args[0])));
    Vertx.builder()
        .withClusterManager(new HazelcastClusterManager(node.hazelcast()))
        .buildClustered()
        .compose(vertx -> serve(vertx, node, "data/" + args[0] + "-queues"))
        .onSuccess(accounts -> System.out.println(args[0] + " serves accounts"))
        .onFailure(Throwable::printStackTrace);
  }

  static Future<GroupService> serve(Vertx vertx, ClusterNode node, String queues) {
    Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(queues));
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
}
