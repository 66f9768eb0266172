package dev.weir.group.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.group.ShardOptions;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.layout.ShardLayout;
import dev.weir.group.placement.ShardPlan;
import dev.weir.group.placement.ShardStatus;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MoveCoordinatorTest {
  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LOST_NS = 30 * SECOND_NS;
  private static final List<String> MEMBERS = List.of("a", "b", "c");

  private final Vertx vertx = Vertx.vertx();
  private final ShardLayout layout =
      ShardLayout.of("orders", new ShardOptions().setMembers(MEMBERS).setShards(1).setCopies(2));
  private final ShardDirectory directory = new ShardDirectory(layout);
  private final List<String> removed = new ArrayList<>();
  private Set<String> present = Set.copyOf(MEMBERS);
  private final MoveCoordinator coordinator = coordinator(directory, false);

  private MoveCoordinator coordinator(ShardDirectory its, boolean levelsRoles) {
    return new MoveCoordinator(
        its,
        new ShardMover(vertx, its, "x", null, vertx.createSharedWorkerExecutor("movers")),
        null,
        new MoveLimits(1, 60 * SECOND_NS, LOST_NS, levelsRoles),
        () -> present,
        member -> {
          removed.add(member);
          return Future.succeededFuture();
        });
  }

  @AfterEach
  void close() {
    Futures.result("closed", vertx.close());
  }

  private void look(ShardPlan plan, long nowNs) {
    present.forEach(member -> directory.heard(member, nowNs));
    coordinator.go(plan, nowNs);
  }

  @Test
  void aMemberIsLostThatIsAwayAllTheTimeAndNotOnlyBeforeAndAfterAnotherMemberMovedTheShards() {
    ShardPlan plan = new ShardPlan(0, layout.placement());
    long startNs = System.nanoTime();
    present = Set.of("a", "b");
    look(plan, startNs + 15 * SECOND_NS);
    look(plan, startNs + 20 * SECOND_NS);
    // The role is on another member for a minute; c is back meanwhile, and away again.
    long againNs = startNs + 80 * SECOND_NS;
    look(plan, againNs);
    assertThat(removed).isEmpty();
    for (int s = 5; s < 30; s += 5) {
      look(plan, againNs + s * SECOND_NS);
    }
    assertThat(removed).isEmpty();
    look(plan, againNs + LOST_NS);
    assertThat(removed).containsExactly("c");
  }

  @Test
  void eachRoleIsHandedOverOnceAndAgainAfterAPauseIfItWentElsewhereAndCountsMeanwhile() {
    ShardLayout nine =
        ShardLayout.of("seats", new ShardOptions().setMembers(MEMBERS).setShards(9).setCopies(3));
    ShardDirectory seats = new ShardDirectory(nine);
    for (int shard = 0; shard < 9; shard++) {
      List<String> members = nine.members(shard);
      seats.learn(new ShardStatus(shard, 1, 1, "a", members, members));
    }
    MoveCoordinator levelling = coordinator(seats, true);
    ShardPlan plan = new ShardPlan(1, nine.placement());
    long nowNs = System.nanoTime();
    // No member hands over: nobody serves their addresses here.
    for (int failed = 1; failed <= 6; failed++) {
      go(levelling, seats, plan, nowNs);
      assertThat(seats.moves()).as("left after %s", failed).isPositive();
      awaitFailed(levelling, failed);
      nowNs += 3 * SECOND_NS;
    }
    go(levelling, seats, plan, nowNs);
    assertThat(seats.moves()).as("each shard had its turn").isZero();
    go(levelling, seats, plan, nowNs + 30 * SECOND_NS);
    assertThat(levelling.stats().failed()).isEqualTo(6);
    go(levelling, seats, plan, nowNs + 61 * SECOND_NS);
    assertThat(seats.moves()).isPositive();
    awaitFailed(levelling, 7);
  }

  private void go(MoveCoordinator its, ShardDirectory seats, ShardPlan plan, long nowNs) {
    present.forEach(member -> seats.heard(member, nowNs));
    its.go(plan, nowNs);
  }

  private static void awaitFailed(MoveCoordinator levelling, int steps) {
    Await.until(
        () -> steps + " steps have failed: " + levelling.stats(),
        () -> levelling.stats().failed() == steps && levelling.isIdle());
  }

  @Test
  void aShardThatHasNothingToDoAnyMoreIsNotSaidToWait() {
    long nowNs = System.nanoTime();
    List<String> holders = layout.placement().members(0);
    String third = MEMBERS.stream().filter(each -> !holders.contains(each)).findAny().orElseThrow();
    directory.learn(new ShardStatus(0, 1, 1, holders.get(0), holders, holders));
    ShardPlan plan = new ShardPlan(1, layout.placement());
    ShardPlan moved = plan.moved(0, holders.get(1), third);
    look(moved, nowNs);
    Await.until("its step fails", () -> !coordinator.stats().waiting().isEmpty());
    // Its members rest, so there is no step; the shard waits all the same.
    look(moved, nowNs + SECOND_NS / 4);
    assertThat(coordinator.stats().waiting()).isNotEmpty();
    Await.until(
        "nothing is said to wait",
        () -> {
          look(plan, nowNs);
          return coordinator.stats().waiting().isEmpty();
        });
  }
}
