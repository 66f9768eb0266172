package dev.weir.group;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.Role;
import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import java.util.List;
import java.util.function.Supplier;

/** A member of two services of several shards as a process of its own. */
final class ShardProcess {
  static final List<String> MEMBERS = List.of("a", "b", "c");
  static final int SHARDS = 6;

  private ShardProcess() {}

  /**
   * @param args as {@link TestMember#of} takes them
   */
  public static void main(String[] args) {
    TestMember member = TestMember.of(args);
    Groups groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    GroupService counter = serve(groups, "counter", Counter::new);
    GroupService orders = serve(groups, "orders", Orders::new);
    System.out.println("serves " + counter.replicas().size());
    member.vertx.setPeriodic(
        20,
        timer -> {
          if (isWhole(counter) && isWhole(orders)) {
            System.out.println(
                "whole, primary of "
                    + counter.replicas().stream()
                        .filter(replica -> replica.stats().role() == Role.PRIMARY)
                        .count());
            member.vertx.cancelTimer(timer);
          }
        });
    Await.until("the end", Long.MAX_VALUE / 2_000_000_000, () -> false);
  }

  private static <M> GroupService serve(
      Groups groups, String address, Supplier<GroupProcessor<M>> processor) {
    return Futures.result(
        address,
        groups.serveGroup(
            address,
            new ShardOptions().setMembers(MEMBERS).setShards(SHARDS).setCopies(2),
            // A busy machine changes no roles; a member that is killed is lost at once.
            new GroupOptions().setLeaseMs(10_000).setTakeoverMs(20_000),
            new ServiceOptions(),
            processor));
  }

  private static boolean isWhole(GroupService service) {
    return service.replicas().stream().allMatch(replica -> isWhole(replica.stats()));
  }

  private static boolean isWhole(GroupStats stats) {
    return stats.role() == Role.BACKUP || stats.inSync() == 2;
  }
}
