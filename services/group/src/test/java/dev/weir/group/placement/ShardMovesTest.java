package dev.weir.group.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.group.placement.ShardMoves.Situation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which steps bring shards to where they are to be, case by case. */
class ShardMovesTest {
  private static final Set<String> ALL = Set.of("a", "b", "c", "d", "x");

  private static ShardPlacement wanted(String... members) {
    return ShardPlacement.first("orders", 1, members.length, List.of(members));
  }

  private static ShardStatus shard(String primary, List<String> places, String... inSync) {
    return new ShardStatus(0, 1, 1, primary, places, List.of(inSync));
  }

  private static Situation seen(Set<String> alive, Collection<MoveStep> asked, ShardStatus... now) {
    return new Situation(new ArrayList<>(Arrays.asList(now)), alive, asked, Set.of());
  }

  private static List<MoveStep> next(ShardPlacement wanted, ShardStatus now) {
    return new ShardMoves(wanted, 1).next(seen(ALL, List.of(), now));
  }

  private static MoveStep step(String primary, String out, String in) {
    return new MoveStep(0, primary, out, in);
  }

  @Test
  void aShardWithItsMembersNeedsNothing() {
    ShardStatus now = shard("a", List.of("a", "b"), "a", "b");
    assertThat(next(wanted("a", "b"), now)).isEmpty();
    assertThat(new ShardMoves(wanted("a", "b"), 1).left(seen(ALL, List.of(), now))).isZero();
  }

  @Test
  void aMemberOfTwoIsReplacedByOneStep() {
    assertThat(next(wanted("a", "x"), shard("a", List.of("a", "b"), "a", "b")))
        .containsExactly(step("a", "b", "x"));
  }

  @Test
  void aReplacementThatWasBegunWaitsForTheNewMemberAndThenRemovesTheOldOne() {
    List<String> three = List.of("a", "b", "x");
    assertThat(next(wanted("a", "x"), shard("a", three, "a", "b"))).isEmpty();
    assertThat(next(wanted("a", "x"), shard("a", three, "a", "b", "x")))
        .containsExactly(step("a", "b", null));
  }

  @Test
  void aPrimaryThatLeavesGivesUpItsRoleFirst() {
    assertThat(next(wanted("b", "x"), shard("a", List.of("a", "b"), "a", "b")))
        .containsExactly(MoveStep.handOver(0, "a", "b"));
    assertThat(next(wanted("b", "x"), shard("b", List.of("a", "b"), "a", "b")))
        .containsExactly(step("b", "a", "x"));
  }

  @Test
  void theOnlyCopyIsJoinedByTheNewOneWhichThenTakesTheRole() {
    assertThat(next(wanted("x"), shard("a", List.of("a"), "a")))
        .containsExactly(step("a", null, "x"));
    assertThat(next(wanted("x"), shard("a", List.of("a", "x"), "a"))).isEmpty();
    assertThat(next(wanted("x"), shard("a", List.of("a", "x"), "a", "x")))
        .containsExactly(MoveStep.handOver(0, "a", "x"));
    assertThat(next(wanted("x"), shard("x", List.of("a", "x"), "a", "x")))
        .containsExactly(step("x", "a", null));
  }

  @Test
  void ofThreeOneThatIsInSyncIsReplacedOnlyWhileAllAre() {
    List<String> three = List.of("a", "b", "c");
    assertThat(next(wanted("a", "b", "x"), shard("a", three, "a", "b", "c")))
        .containsExactly(step("a", "c", "x"));
    assertThat(next(wanted("a", "b", "x"), shard("a", three, "a", "c"))).isEmpty();
  }

  @Test
  void aMemberThatIsLostIsReplacedAtOnce() {
    assertThat(next(wanted("a", "b", "x"), shard("a", List.of("a", "b", "c"), "a", "b")))
        .containsExactly(step("a", "c", "x"));
    assertThat(next(wanted("a", "x"), shard("a", List.of("a", "b"), "a")))
        .containsExactly(step("a", "b", "x"));
    assertThat(next(wanted("a"), shard("a", List.of("a", "b"), "a")))
        .containsExactly(step("a", "b", null));
  }

  @Test
  void aMemberThatWillBeInSyncAgainStaysUntilAllThatAreToHoldTheShardAre() {
    List<String> three = List.of("a", "b", "x");
    ShardStatus afterHandOver = shard("x", three, "x");
    assertThat(next(wanted("b", "x"), afterHandOver)).isEmpty();
    assertThat(
            new ShardMoves(wanted("b", "x"), 1)
                .next(seen(Set.of("b", "x"), List.of(), afterHandOver)))
        .containsExactly(step("x", "a", null));
    assertThat(next(wanted("b", "x"), shard("x", three, "b", "x")))
        .containsExactly(step("x", "a", null));
  }

  @Test
  void aMemberThatCannotBeReachedIsNotAddedAndNothingLeavesForIt() {
    ShardMoves moves = new ShardMoves(wanted("a", "x"), 1);
    Situation now = seen(Set.of("a", "b"), List.of(), shard("a", List.of("a", "b"), "a", "b"));
    assertThat(moves.next(now)).isEmpty();
    assertThat(moves.left(now)).isEqualTo(1);
  }

  @Test
  void aShardWhosePrimaryCannotBeReachedIsAskedNothing() {
    ShardMoves moves = new ShardMoves(wanted("a", "x"), 1);
    assertThat(moves.next(seen(Set.of("b", "x"), List.of(), shard("a", List.of("a", "b"), "a"))))
        .isEmpty();
    assertThat(moves.next(seen(ALL, List.of(), (ShardStatus) null))).isEmpty();
  }

  @Test
  void aShardThatIsAskedAlreadyIsNotAskedAgain() {
    ShardMoves moves = new ShardMoves(wanted("a", "x"), 1);
    ShardStatus now = shard("a", List.of("a", "b"), "a", "b");
    assertThat(moves.next(seen(ALL, List.of(step("a", "b", "x")), now))).isEmpty();
  }

  @Test
  void aMemberGetsAndSendsOneReplicaAtATime() {
    ShardPlacement one = ShardPlacement.first("orders", 4, 2, List.of("a", "b", "c", "d"));
    ShardPlacement plan = one.with(List.of("a", "b", "c", "d", "x"));
    List<ShardStatus> now = new ArrayList<>();
    for (int shard = 0; shard < 4; shard++) {
      List<String> members = one.members(shard);
      now.add(new ShardStatus(shard, 1, 1, members.get(0), members, members));
    }
    assertThat(plan.movesFrom(one).size()).isPositive();
    Situation seen = new Situation(now, ALL, List.of(), Set.of());
    List<MoveStep> steps =
        new ShardMoves(plan, 1).next(seen).stream().filter(step -> step.in() != null).toList();
    assertThat(steps).hasSizeLessThanOrEqualTo(1);
    assertThat(new ShardMoves(plan, 1).next(new Situation(now, ALL, List.of(), Set.of("x"))))
        .allMatch(MoveStep::isHandOver);
  }

  private static List<MoveStep> level(ShardPlacement wanted, List<ShardStatus> now) {
    return new ShardMoves(wanted, 1)
        .level(new Situation(now, Set.copyOf(wanted.members()), List.of(), Set.of()), Set.of());
  }

  private static ShardStatus led(ShardPlacement wanted, int shard, String primary) {
    List<String> members = wanted.members(shard);
    return new ShardStatus(shard, 1, 1, primary, members, members);
  }

  @Test
  void rolesAreLevelledWhenAllReplicasAreInPlace() {
    ShardPlacement wanted = ShardPlacement.first("orders", 4, 2, List.of("a", "b"));
    List<ShardStatus> now = new ArrayList<>();
    for (int shard = 0; shard < 4; shard++) {
      now.add(led(wanted, shard, "a"));
    }
    List<MoveStep> steps = level(wanted, now);
    // Three roles more than b has is uneven, and one more is not.
    assertThat(steps).hasSize(2).allMatch(step -> step.to().equals("b"));
    int first = steps.get(0).shard();
    now.set(first, led(wanted, first, "b"));
    assertThat(level(wanted, now)).containsExactly(steps.get(1));
    int other = steps.get(1).shard();
    now.set(other, new ShardStatus(other, 2, 1, "a", wanted.members(other), List.of("a")));
    assertThat(level(wanted, now)).as("none while a replica is not in sync").isEmpty();
  }

  @Test
  void aMemberThatWasAddedIsNamedAsThePrimaryOfItsShareOfTheShards() {
    List<String> three = List.of("a", "b", "c");
    ShardPlacement wanted =
        new ShardPlan(0, ShardPlacement.first("seats", 8, 3, three)).added("d", 4).placement();
    List<ShardStatus> now = new ArrayList<>();
    for (int shard = 0; shard < 8; shard++) {
      // As after restarts: c leads all that it holds.
      List<String> members = wanted.members(shard);
      now.add(led(wanted, shard, members.contains("c") ? "c" : members.get(0)));
    }
    List<MoveStep> steps = level(wanted, now);
    assertThat(steps).extracting(MoveStep::shard).doesNotHaveDuplicates();
    assertThat(steps).extracting(MoveStep::to).contains("d");
    for (MoveStep step : steps) {
      assertThat(wanted.members(step.shard()).get(0)).isEqualTo(step.to());
      now.set(step.shard(), led(wanted, step.shard(), step.to()));
    }
    assertThat(level(wanted, now)).isEmpty();
    for (String member : wanted.members()) {
      assertThat(now.stream().filter(status -> status.primary().equals(member)).count())
          .as("roles of %s", member)
          .isBetween(1L, 3L);
    }
  }

  @Test
  void aShardThatHadItsTurnIsNotHandedOverAgain() {
    ShardPlacement wanted = ShardPlacement.first("orders", 4, 2, List.of("a", "b"));
    List<ShardStatus> now = new ArrayList<>();
    for (int shard = 0; shard < 4; shard++) {
      now.add(led(wanted, shard, "a"));
    }
    int first = level(wanted, now).get(0).shard();
    assertThat(
            new ShardMoves(wanted, 1)
                .level(new Situation(now, ALL, List.of(), Set.of()), Set.of(first)))
        .extracting(MoveStep::shard)
        .doesNotContain(first);
  }

  @Test
  void aStepSaysWhatItIs() {
    assertThat(step("a", null, "x")).hasToString("shard 0: add x");
    assertThat(step("a", "b", null)).hasToString("shard 0: remove b");
    assertThat(step("a", "b", "x")).hasToString("shard 0: replace b by x");
    assertThat(MoveStep.handOver(0, "a", "b"))
        .hasToString("shard 0: a gives the role of primary to b");
  }

  private static ShardPlacement withWitness(String... members) {
    return ShardPlacement.first("orders", 1, 2, true, List.of(members));
  }

  private static ShardStatus shard(ShardPlaces places) {
    List<String> holders = places.holders();
    return new ShardStatus(0, 1, 1, holders.get(0), places, holders);
  }

  private static List<MoveStep> steps(ShardPlacement wanted, ShardStatus now, String... alive) {
    Situation seen = new Situation(List.of(now), Set.of(alive), List.of(), Set.of());
    return new ShardMoves(wanted, 1).next(seen);
  }

  @Test
  void aWitnessGivesItsPlaceToAReplicaAndThePlannedOneComesLast() {
    ShardPlacement wanted = withWitness("a", "b", "c");
    List<String> holders = wanted.members(0);
    String stays = holders.get(0);
    String comes = holders.get(1);
    String leaves = wanted.witness(0);
    String[] all = {"a", "b", "c", "w"};
    ShardStatus began = shard(new ShardPlaces(List.of(stays, leaves, "w"), "w"));
    MoveStep moves = new MoveStep(0, stays, leaves, comes);
    assertThat(moves.isBarredBy("w")).isTrue();
    assertThat(steps(wanted, began, all)).containsExactly(moves);
    ShardStatus two = shard(ShardPlaces.of(List.of(stays, leaves)));
    assertThat(steps(wanted, two, all)).containsExactly(moves);
    ShardStatus moved = shard(ShardPlaces.of(List.of(stays, "", comes)));
    assertThat(steps(wanted, moved, all)).containsExactly(MoveStep.witness(0, stays, null, leaves));
    assertThat(left(wanted, moved, all)).as("the witness").isEqualTo(1);
    ShardStatus placed = shard(new ShardPlaces(List.of(stays, leaves, comes), leaves));
    assertThat(steps(wanted, placed, all)).isEmpty();
    assertThat(left(wanted, placed, all)).isZero();
  }

  private static int left(ShardPlacement wanted, ShardStatus now, String... alive) {
    Situation seen = new Situation(List.of(now), Set.of(alive), List.of(), Set.of());
    return new ShardMoves(wanted, 1).left(seen);
  }

  @Test
  void aShardThatWaitsForAReplicaOrItsWitnessHasAnotherWitnessMeanwhile() {
    ShardPlacement wanted = withWitness("a", "b", "c", "d");
    List<String> holders = wanted.members(0);
    String planned = wanted.witness(0);
    String other =
        wanted.members().stream()
            .filter(each -> !holders.contains(each) && !each.equals(planned))
            .findAny()
            .orElseThrow();
    ShardStatus waits = shard(ShardPlaces.of(List.of(holders.get(0), other)));
    assertThat(steps(wanted, waits, holders.get(0), other, planned))
        .as("%s, which is to have one, is away", holders.get(1))
        .containsExactly(MoveStep.witness(0, holders.get(0), null, planned));
    ShardStatus placed = shard(ShardPlaces.of(holders));
    assertThat(steps(wanted, placed, holders.get(0), holders.get(1), other))
        .as("%s is away", planned)
        .containsExactly(MoveStep.witness(0, holders.get(0), null, other));
    ShardStatus instead =
        shard(new ShardPlaces(List.of(holders.get(0), holders.get(1), other), other));
    assertThat(left(wanted, instead, holders.get(0), holders.get(1), other)).isZero();
    assertThat(steps(wanted, instead, "a", "b", "c", "d"))
        .as("%s is back", planned)
        .containsExactly(MoveStep.witness(0, holders.get(0), other, planned));
  }

  @Test
  void aWitnessIsReplacedInOneStep() {
    ShardPlacement wanted = withWitness("a", "b", "c");
    List<String> holders = wanted.members(0);
    ShardStatus now = shard(new ShardPlaces(List.of(holders.get(0), holders.get(1), "w"), "w"));
    String next = wanted.witness(0);
    assertThat(steps(wanted, now, "a", "b", "c"))
        .containsExactly(MoveStep.witness(0, holders.get(0), "w", next));
    assertThat(steps(wanted, now, holders.get(0), holders.get(1))).as("%s is away", next).isEmpty();
  }
}
