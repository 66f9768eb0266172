package dev.weir.group;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.Replication;
import dev.weir.cluster.Role;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import java.util.List;

/** A member of the groups "counter" and "strict" as a process of its own. */
final class MemberProcess {
  static final List<String> MEMBERS = List.of("a", "b");

  /** System properties with the names of a {@link Replication} and an {@link AckLevel}. */
  static final String REPLICATION = "test.replication";

  static final String ACK_LEVEL = "test.ackLevel";

  private MemberProcess() {}

  /**
   * @param args as {@link TestMember#of} takes them
   */
  public static void main(String[] args) {
    TestMember member = TestMember.of(args);
    Groups groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    GroupService counter = serve(groups, "counter", 1);
    GroupService strict = serve(groups, "strict", 2);
    System.out.println("serves");
    member.vertx.setPeriodic(
        20,
        timer -> {
          if (isWhole(counter) && isWhole(strict)) {
            System.out.println("primary of both");
            member.vertx.cancelTimer(timer);
          }
        });
    Await.until("the end", Long.MAX_VALUE / 2_000_000_000, () -> false);
  }

  private static boolean isWhole(GroupService service) {
    GroupStats stats = service.group().stats();
    return stats.role() == Role.PRIMARY && stats.inSync() == MEMBERS.size();
  }

  private static GroupService serve(Groups groups, String name, int minInSync) {
    GroupOptions options =
        new GroupOptions()
            .setMembers(MEMBERS)
            .setMinInSync(minInSync)
            .setReplication(Replication.valueOf(System.getProperty(REPLICATION)))
            .setAckLevel(AckLevel.valueOf(System.getProperty(ACK_LEVEL)))
            // A busy machine changes no roles; a member that is killed is lost at once.
            .setLeaseMs(10_000)
            .setTakeoverMs(20_000);
    return Futures.result(name, groups.serveGroup(name, options, Counter::new));
  }
}
