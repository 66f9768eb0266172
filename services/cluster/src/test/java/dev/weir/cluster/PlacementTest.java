package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final List<String> MEMBERS = List.of("a", "b", "c");

  @Test
  void groupsPreferOneMemberAfterTheOther() {
    Map<String, List<String>> lists = Placement.spread(List.of("g1", "g2", "g3", "g4"), MEMBERS);
    assertThat(lists.values())
        .containsExactly(
            List.of("a", "b", "c"),
            List.of("b", "c", "a"),
            List.of("c", "a", "b"),
            List.of("a", "b", "c"));
  }

  @Test
  void theOrderOfTheGroupsDoesNotMatter() {
    Map<String, List<String>> lists = Placement.spread(List.of("z", "m", "a"), MEMBERS);
    assertThat(lists).isEqualTo(Placement.spread(List.of("a", "z", "m"), MEMBERS));
    assertThat(lists.keySet()).containsExactly("z", "m", "a");
  }

  @Test
  void eachListMayBeSet() {
    Placement.spread(List.of("g1", "g2"), MEMBERS)
        .forEach((group, members) -> new GroupOptions().setName(group).setMembers(members));
  }

  @Test
  void whatCannotBePlacedIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Placement.spread(List.of("g", "g"), MEMBERS))
        .withMessageContainingAll("groups is [g, g]", "each name once");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Placement.spread(List.of("no blanks"), MEMBERS))
        .withMessageContaining("groups is no blanks");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Placement.spread(List.of("g"), List.of()))
        .withMessageContaining("members is 0");
  }
}
