package dev.weir.group.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.group.placement.ShardPlacement.Move;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardPlacementTest {
  private static final int MEMBERS = 1_000;
  private static final int SHARDS = 100_000;

  /** Of the mean: what the most and the least loaded member may differ by. */
  private static final double BALANCE = 0.05;

  /** Over the least possible. */
  private static final double MOVEMENT = 1.1;

  private static List<String> names(int count) {
    return new ArrayList<>(IntStream.range(0, count).mapToObj(i -> "member-" + i).toList());
  }

  /** Shards by member: all that it holds, or those of which it is the preferred primary. */
  private static Map<String, Integer> loads(ShardPlacement placement, boolean primaries) {
    Map<String, Integer> loads = new HashMap<>();
    placement.members().forEach(member -> loads.put(member, 0));
    for (int shard = 0; shard < placement.shards(); shard++) {
      List<String> members = placement.members(shard);
      members
          .subList(0, primaries ? 1 : members.size())
          .forEach(m -> loads.merge(m, 1, Integer::sum));
    }
    return loads;
  }

  private static void assertBalanced(ShardPlacement placement) {
    for (boolean primaries : new boolean[] {false, true}) {
      Collection<Integer> loads = loads(placement, primaries).values();
      double mean = loads.stream().mapToInt(i -> i).average().orElseThrow();
      assertThat(Collections.max(loads)).isLessThanOrEqualTo((int) (mean * (1 + BALANCE)));
      assertThat(Collections.min(loads)).isGreaterThanOrEqualTo((int) (mean * (1 - BALANCE)));
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  void aThousandMembersHoldAHundredThousandShardsEvenlyWhoeverComesAndGoes(int copies) {
    Random random = new Random(copies);
    List<String> members = names(MEMBERS);
    ShardPlacement placement = ShardPlacement.first("orders", SHARDS, copies, members);
    assertBalanced(placement);
    int next = MEMBERS;
    for (int change = 0; change < 12; change++) {
      // One, or a rack of ten.
      int count = change % 4 == 3 ? 10 : 1;
      boolean joins = change % 2 == 0;
      Map<String, Integer> loads = loads(placement, false);
      double least = 0;
      for (int i = 0; i < count; i++) {
        if (joins) {
          members.add("member-" + next++);
        } else {
          least += loads.get(members.remove(random.nextInt(members.size())));
        }
      }
      if (joins) {
        least = (double) SHARDS * copies * count / members.size();
      }
      ShardPlacement after = placement.with(members);
      assertBalanced(after);
      assertThat(after.movesFrom(placement).size())
          .as("moves of change %s", change)
          .isLessThanOrEqualTo((int) (least * MOVEMENT));
      assertThat(rolesChanged(placement, after))
          .as("preferred primaries that change")
          .isLessThanOrEqualTo((int) (3.0 * SHARDS * count / members.size()));
      placement = after;
    }
  }

  private static int rolesChanged(ShardPlacement before, ShardPlacement after) {
    return (int)
        IntStream.range(0, after.shards())
            .filter(shard -> !before.members(shard).get(0).equals(after.members(shard).get(0)))
            .count();
  }

  @Test
  void eachShardHasAsManyMembersAsAskedWhateverChanges() {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      int copies = 1 + random.nextInt(5);
      int shards = 1 + random.nextInt(40);
      List<String> members = names(1 + random.nextInt(9));
      ShardPlacement placement = ShardPlacement.first("s" + round, shards, copies, members);
      for (int change = 0; change < 6; change++) {
        assertWhole(placement, copies);
        if (members.size() > 1 && random.nextBoolean()) {
          members.remove(random.nextInt(members.size()));
        } else {
          members.add("late-" + change);
        }
        ShardPlacement after = placement.with(members);
        assertThat(applied(placement, after)).isEqualTo(sets(after));
        placement = after;
      }
      assertWhole(placement, copies);
    }
  }

  @Test
  void eachShardHasAWitnessBesideItsHolders() {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      int shards = 1 + random.nextInt(40);
      List<String> members = names(2 + random.nextInt(8));
      ShardPlacement placement = ShardPlacement.first("s" + round, shards, 2, true, members);
      for (int change = 0; change < 6; change++) {
        assertWhole(placement, 2);
        assertWitnesses(placement);
        if (members.size() > 2 && random.nextBoolean()) {
          members.remove(random.nextInt(members.size()));
        } else {
          members.add("late-" + change);
        }
        placement = placement.with(members);
      }
      ShardPlacement same = placement.with(members);
      for (int shard = 0; shard < shards; shard++) {
        assertThat(same.witness(shard)).isEqualTo(placement.witness(shard));
      }
    }
  }

  private static void assertWitnesses(ShardPlacement placement) {
    Map<String, Integer> loads = new HashMap<>();
    placement.members().forEach(member -> loads.put(member, 0));
    boolean isEnough = placement.members().size() > 2;
    for (int shard = 0; shard < placement.shards(); shard++) {
      String witness = placement.witness(shard);
      assertThat(witness != null).isEqualTo(isEnough);
      assertThat(placement.members(shard)).doesNotContain(witness);
      if (isEnough) {
        loads.merge(witness, 1, Integer::sum);
      }
    }
    // Of three members there is no choice: the one that does not hold the shard is its witness.
    assertThat(Collections.max(loads.values()) - Collections.min(loads.values()))
        .isLessThanOrEqualTo(1);
  }

  private static void assertWhole(ShardPlacement placement, int copies) {
    for (int shard = 0; shard < placement.shards(); shard++) {
      assertThat(placement.members(shard))
          .doesNotHaveDuplicates()
          .hasSize(Math.min(copies, placement.members().size()));
    }
    Collection<Integer> loads = loads(placement, false).values();
    assertThat(Collections.max(loads) - Collections.min(loads)).isLessThanOrEqualTo(1);
  }

  private static List<HashSet<String>> sets(ShardPlacement placement) {
    return IntStream.range(0, placement.shards())
        .mapToObj(shard -> new HashSet<>(placement.members(shard)))
        .toList();
  }

  /** What the moves make of a placement, less the members that are gone. */
  private static List<HashSet<String>> applied(ShardPlacement before, ShardPlacement after) {
    List<HashSet<String>> sets = sets(before);
    for (Move move : after.movesFrom(before)) {
      sets.get(move.shard()).add(move.to());
      sets.get(move.shard()).remove(move.from());
    }
    sets.forEach(set -> set.retainAll(after.members()));
    return sets;
  }

  @Test
  void theFirstPlacementDependsOnNamesAloneAndStaysFromReleaseToRelease() {
    ShardPlacement placement = ShardPlacement.first("accounts", 4, 2, List.of("a", "b", "c"));
    assertThat(IntStream.range(0, 4).mapToObj(placement::members).toList())
        .isEqualTo(
            List.of(List.of("c", "b"), List.of("a", "c"), List.of("b", "a"), List.of("b", "a")));
    ShardPlacement other = ShardPlacement.first("accounts", 4, 2, List.of("c", "a", "b"));
    assertThat(other.movesFrom(placement)).isEmpty();
  }

  @Test
  void primariesOfAFewShardsAreSpreadOverAFewMembers() {
    ShardPlacement placement = ShardPlacement.first("accounts", 16, 3, List.of("a", "b", "c"));
    assertThat(loads(placement, true).values()).containsExactlyInAnyOrder(5, 5, 6);
  }

  @Test
  void keysAreSpreadOverTheShardsAndKeepTheirs() {
    int[] counts = new int[16];
    for (int i = 0; i < 160_000; i++) {
      counts[StableHash.shardOf("account-" + i, 16)]++;
    }
    for (int count : counts) {
      assertThat(count).isBetween(9_500, 10_500);
    }
    assertThat(List.of("ann", "bob", "", "\u00e4"))
        .extracting(key -> StableHash.shardOf(key, 16))
        .containsExactly(0, 12, 11, 13);
  }

  @Test
  void membersAreNamedOnce() {
    for (List<String> members : List.of(List.<String>of(), List.of("a", "a"))) {
      assertThatThrownBy(() -> ShardPlacement.first("accounts", 16, 2, members))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("members is " + members);
    }
  }
}
