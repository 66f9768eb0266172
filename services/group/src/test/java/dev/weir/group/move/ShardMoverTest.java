package dev.weir.group.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The members with which a replica starts: as the group will have them. */
class ShardMoverTest {
  @Test
  void aNewMemberGetsTheLowestVacantPlace() {
    assertThat(ShardMover.places(List.of("a"), null, "x")).containsExactly("a", "x");
    assertThat(ShardMover.places(List.of("a", "", "c"), null, "x")).containsExactly("a", "x", "c");
    assertThat(ShardMover.places(List.of("", "b"), "b", "x")).containsExactly("x", "b");
  }

  @Test
  void whoReplacesAMemberHasItsPlaceOnlyIfNoneIsVacant() {
    assertThat(ShardMover.places(List.of("a", "b"), "a", "x")).containsExactly("a", "b", "x");
    assertThat(ShardMover.places(List.of("a", "b", "c"), "b", "x")).containsExactly("a", "x", "c");
  }
}
