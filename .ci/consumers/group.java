import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.flow.Weir;
import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.Groups;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;

public class Main implements GroupProcessor<String> {
  @Override
  public Object handle(GroupMessage<String> message, GroupState state) {
    Table<String> last = state.table("last", Serde.TEXT);
    String before = last.get("text");
    last.put("text", message.body());
    return before == null ? "first" : before;
  }

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx();
    NodeOptions options =
        new NodeOptions()
            .setMemberName("a")
            .setDirectory(Path.of(args[0]))
            .setPort(15791)
            .setClientPort(15792);
    try (ClusterNode node = ClusterNode.start(options)) {
      Groups groups = Groups.start(vertx, Weir.create(vertx), node).await();
      groups.serveGroup("texts", new GroupOptions().setMembers(List.of("a")), Main::new).await();
      Object reply = vertx.eventBus().request("texts", "one").await().body();
      System.out.println(reply.equals("first") ? "ok" : "the reply is " + reply);
      groups.close().await();
      vertx.close().await();
    }
  }
}
