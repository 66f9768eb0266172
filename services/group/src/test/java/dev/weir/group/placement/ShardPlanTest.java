package dev.weir.group.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShardPlanTest {
  private final ShardPlan plan =
      new ShardPlan(0, ShardPlacement.first("orders", 16, 2, List.of("a", "b", "c")));

  private static void assertSame(ShardPlan one, ShardPlan other) {
    assertThat(one.version()).isEqualTo(other.version());
    assertThat(one.placement().members()).isEqualTo(other.placement().members());
    for (int shard = 0; shard < other.placement().shards(); shard++) {
      assertThat(one.placement().members(shard)).isEqualTo(other.placement().members(shard));
    }
  }

  @Test
  void aPlanComesBackFromItsBytesAsItWasAndGoesOnInTheSameWay() {
    ShardPlan changed = plan.added("d", 1000);
    ShardPlan read = ShardPlan.decode("orders", changed.encode());
    assertSame(read, changed);
    assertSame(read.removed("a", 1), changed.removed("a", 1));
  }

  @Test
  void aPlanWithWitnessesComesBackWithThem() {
    List<String> members = List.of("a", "b", "c", "d");
    ShardPlan began =
        new ShardPlan(0, ShardPlacement.first("orders", 16, 2, true, members)).removed("d", 1);
    ShardPlan read = ShardPlan.decode("orders", began.encode());
    assertSame(read, began);
    for (int shard = 0; shard < 16; shard++) {
      assertThat(began.placement().witness(shard)).isNotNull();
      assertThat(read.placement().witness(shard)).isEqualTo(began.placement().witness(shard));
    }
    ShardPlan two = began.removed("c", 1);
    assertThat(two.placement().witness(0)).as("of two members").isNull();
    assertThat(ShardPlan.decode("orders", two.encode()).added("e", 4).placement().witness(0))
        .as("of three again")
        .isNotNull();
  }

  @Test
  void theWitnessMovesToAMemberThatDoesNotHoldTheShard() {
    ShardPlacement began = ShardPlacement.first("orders", 4, 2, true, List.of("a", "b", "c", "d"));
    String free =
        began.members().stream()
            .filter(each -> !began.members(0).contains(each))
            .filter(each -> !each.equals(began.witness(0)))
            .findAny()
            .orElseThrow();
    ShardPlan moved = new ShardPlan(0, began).moved(0, began.witness(0), free);
    assertThat(moved.placement().witness(0)).isEqualTo(free);
    assertThat(moved.placement().members(0)).isEqualTo(began.members(0));
    assertThatThrownBy(() -> moved.moved(0, began.members(0).get(0), free))
        .hasMessageContaining("to is " + free);
  }

  @Test
  void aChangeThatIsMadeAlreadyChangesNothing() {
    assertThat(plan.added("a", 3)).isSameAs(plan);
    assertThat(plan.removed("x", 3)).isSameAs(plan);
    assertThat(plan.added("d", 4).version()).isEqualTo(1);
  }

  @Test
  void tooManyAndTooFewMembersAreRefused() {
    assertThatThrownBy(() -> plan.added("d", 3)).hasMessage("members is 4, allowed is 1 to 3");
    assertThatThrownBy(() -> plan.removed("a", 3))
        .hasMessage("members is [b, c], allowed is at least 3 names, because of minInSync");
  }

  @Test
  void oneReplicaMovesAndTheOthersStay() {
    List<String> before = plan.placement().members(5);
    String to =
        plan.placement().members().stream()
            .filter(m -> !before.contains(m))
            .findAny()
            .orElseThrow();
    ShardPlan moved = plan.moved(5, before.get(1), to);
    assertThat(moved.placement().members(5)).containsExactly(before.get(0), to);
    assertThat(plan.placement().members(5)).isEqualTo(before);
    assertThat(moved.placement().movesFrom(plan.placement())).hasSize(1);
    assertThatThrownBy(() -> plan.moved(16, "a", "b")).hasMessageContaining("shard is 16");
    assertThatThrownBy(() -> plan.moved(5, to, before.get(0)))
        .hasMessageContaining("from is " + to);
    assertThatThrownBy(() -> plan.moved(5, before.get(0), "x")).hasMessageContaining("to is x");
  }
}
