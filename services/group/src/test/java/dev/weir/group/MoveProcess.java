package dev.weir.group;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.Role;
import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** A member of a {@link Register} whose shards move, as a process of its own. */
final class MoveProcess {
  static final List<String> FIRST = List.of("a", "b", "c");
  static final String SERVICE = "registers";
  static final int SHARDS = 8;
  static final int COPIES = 3;

  private MoveProcess() {}

  /**
   * Where a process takes the commands of {@link GroupService#operate}; it answers as that does,
   * with its primaries, and how many of these have all copies in sync.
   */
  static String control(String member) {
    return "control." + member;
  }

  /**
   * @param args as {@link TestMember#of} takes them
   */
  public static void main(String[] args) {
    serve(
        args,
        new ShardOptions().setShards(SHARDS).setCopies(COPIES),
        new GroupOptions().setMinInSync(2));
  }

  /** Serves the registers until the process is ended. */
  static void serve(String[] args, ShardOptions shards, GroupOptions group) {
    TestMember member = TestMember.of(args);
    Groups groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    GroupService registers =
        Futures.result(
            "the registers",
            groups.serveGroup(
                SERVICE,
                shards.setMembers(FIRST).setMovePauseMs(100),
                group.setLeaseMs(2_000).setTakeoverMs(4_000),
                new ServiceOptions(),
                Register::new));
    operate(member, args[0], registers, shards.getCopies());
  }

  /**
   * Takes the commands of operators until the process is ended.
   *
   * @param copies of a shard
   */
  static void operate(TestMember member, String name, GroupService service, int copies) {
    member
        .vertx
        .eventBus()
        .<JsonObject>consumer(
            control(name),
            message ->
                service
                    .operate(message.body())
                    .map(status -> status.mergeIn(roles(service, copies)))
                    .onSuccess(message::reply)
                    .onFailure(failure -> message.fail(1, String.valueOf(failure))))
        .completion()
        .onSuccess(listens -> System.out.println("serves " + service.replicas().size()));
    Await.until("the end", Long.MAX_VALUE / 2_000_000_000, () -> false);
  }

  private static JsonObject roles(GroupService service, int copies) {
    List<GroupStats> led =
        service.replicas().stream()
            .map(each -> each.stats())
            .filter(each -> each.role() == Role.PRIMARY)
            .toList();
    return new JsonObject()
        .put("primaries", led.size())
        .put("whole", led.stream().filter(each -> each.inSync() == copies).count());
  }
}
