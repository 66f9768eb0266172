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
        .containsExactly(step("a", null, null));
    assertThat(next(wanted("b", "x"), shard("b", List.of("a", "b"), "a", "b")))
        .containsExactly(step("b", "a", "x"));
  }

  @Test
  void theOnlyCopyIsJoinedByTheNewOneWhichThenTakesTheRole() {
    assertThat(next(wanted("x"), shard("a", List.of("a"), "a")))
        .containsExactly(step("a", null, "x"));
    assertThat(next(wanted("x"), shard("a", List.of("a", "x"), "a"))).isEmpty();
    assertThat(next(wanted("x"), shard("a", List.of("a", "x"), "a", "x")))
        .containsExactly(step("a", null, null));
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

  @Test
  void rolesAreLevelledWhenAllReplicasAreInPlace() {
    ShardPlacement wanted = ShardPlacement.first("orders", 3, 2, List.of("a", "b"));
    List<ShardStatus> now = new ArrayList<>();
    for (int shard = 0; shard < 3; shard++) {
      now.add(new ShardStatus(shard, 1, 1, "a", List.of("a", "b"), List.of("a", "b")));
    }
    ShardMoves moves = new ShardMoves(wanted, 1);
    assertThat(moves.level(new Situation(now, ALL, List.of(), Set.of())))
        .isEqualTo(new MoveStep(0, "a", null, null));
    now.set(0, new ShardStatus(0, 2, 1, "b", List.of("a", "b"), List.of("a", "b")));
    assertThat(moves.level(new Situation(now, ALL, List.of(), Set.of()))).isNull();
    now.set(1, new ShardStatus(1, 2, 1, "a", List.of("a", "b"), List.of("a")));
    assertThat(moves.level(new Situation(now, ALL, List.of(), Set.of()))).isNull();
  }

  @Test
  void aStepSaysWhatItIs() {
    assertThat(step("a", null, "x")).hasToString("shard 0: add x");
    assertThat(step("a", "b", null)).hasToString("shard 0: remove b");
    assertThat(step("a", "b", "x")).hasToString("shard 0: replace b by x");
    assertThat(step("a", null, null)).hasToString("shard 0: a gives up the role of primary");
  }
}
