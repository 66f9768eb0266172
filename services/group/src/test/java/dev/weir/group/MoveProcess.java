package dev.weir.group;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.Role;
import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** A member of a service whose shards move, as a process of its own. */
final class MoveProcess {
  static final List<String> FIRST = List.of("a", "b", "c");
  static final int SHARDS = 12;
  static final int COPIES = 3;

  private MoveProcess() {}

  /** Where a process takes commands: add or remove a member, or neither; it answers what it has. */
  static String control(String member) {
    return "control." + member;
  }

  /**
   * @param args as {@link TestMember#of} takes them
   */
  public static void main(String[] args) {
    TestMember member = TestMember.of(args);
    Groups groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    GroupService counter =
        Futures.result(
            "the counter",
            groups.serveGroup(
                "counter",
                new ShardOptions()
                    .setMembers(FIRST)
                    .setShards(SHARDS)
                    .setCopies(COPIES)
                    .setMovePauseMs(100),
                new GroupOptions().setMinInSync(2).setLeaseMs(2_000).setTakeoverMs(4_000),
                new ServiceOptions(),
                Counter::new));
    member
        .vertx
        .eventBus()
        .<JsonObject>consumer(
            control(args[0]),
            message -> {
              JsonObject body = message.body();
              Future<Void> change =
                  body.containsKey("add")
                      ? counter.addMember(body.getString("add"))
                      : body.containsKey("remove")
                          ? counter.removeMember(body.getString("remove"))
                          : Future.succeededFuture();
              change
                  .map(made -> status(counter))
                  .onSuccess(message::reply)
                  .onFailure(failure -> message.fail(1, String.valueOf(failure)));
            })
        .completion()
        .onSuccess(listens -> System.out.println("serves " + counter.replicas().size()));
    Await.until("the end", Long.MAX_VALUE / 2_000_000_000, () -> false);
  }

  private static JsonObject status(GroupService counter) {
    List<GroupStats> stats = counter.replicas().stream().map(each -> each.stats()).toList();
    List<GroupStats> led = stats.stream().filter(each -> each.role() == Role.PRIMARY).toList();
    return new JsonObject()
        .put("replicas", stats.size())
        .put("primaries", led.size())
        .put("whole", led.stream().filter(each -> each.inSync() == COPIES).count())
        .put("moves", counter.moves())
        .put("members", new JsonArray(counter.members()));
  }
}
