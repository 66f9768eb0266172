package dev.weir.group.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The members with which a replica starts: as the group will have them. */
class ShardPlacesTest {
  private static List<String> joined(List<String> now, String out) {
    return ShardPlaces.of(now).joined(out, "x", false).names();
  }

  @Test
  void aNewMemberGetsTheLowestVacantPlace() {
    assertThat(joined(List.of("a"), null)).containsExactly("a", "x");
    assertThat(joined(List.of("a", "", "c"), null)).containsExactly("a", "x", "c");
    assertThat(joined(List.of("", "b"), "b")).containsExactly("x", "b");
  }

  @Test
  void whoReplacesAMemberHasItsPlaceOnlyIfNoneIsVacant() {
    assertThat(joined(List.of("a", "b"), "a")).containsExactly("a", "b", "x");
    assertThat(joined(List.of("a", "b", "c"), "b")).containsExactly("a", "x", "c");
  }

  @Test
  void aWitnessIsAMemberThatHoldsNothing() {
    ShardPlaces places = ShardPlaces.of(List.of("", "b", "c")).joined(null, "w", true);
    assertThat(places).isEqualTo(new ShardPlaces(List.of("w", "b", "c"), "w"));
    assertThat(places.members()).containsExactly("w", "b", "c");
    assertThat(places.holders()).containsExactly("b", "c");
    assertThat(places.joined("w", "v", true))
        .as("another witness in its place")
        .isEqualTo(new ShardPlaces(List.of("v", "b", "c"), "v"));
  }

  @Test
  void aVacantPlaceBehindTheLastMemberIsNone() {
    ShardPlaces two = ShardPlaces.of(List.of("a", "b", ""));
    assertThat(two).isEqualTo(ShardPlaces.of(List.of("a", "b")));
    assertThat(new ShardPlaces(List.of("a", "b", "w"), "w").without("w")).isEqualTo(two);
    assertThat(ShardPlaces.of(List.of("a", "b", "c")).without("a").names())
        .containsExactly("", "b", "c");
  }

  @Test
  void nobodyJoinsWhereNoPlaceIsVacantOrIsThereTwice() {
    ShardPlaces three = ShardPlaces.of(List.of("a", "b", "c"));
    assertThatThrownBy(() -> three.joined(null, "x", false))
        .hasMessageContaining("x cannot join [a, b, c]");
    assertThatThrownBy(() -> three.joined("y", "x", false)).hasMessageContaining("x cannot join");
    assertThatThrownBy(() -> three.joined("a", "b", false)).hasMessageContaining("b cannot join");
  }
}
