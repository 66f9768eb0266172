package dev.weir.group.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.group.ShardOptions;
import dev.weir.group.placement.ShardStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardDirectoryTest {
  private final ShardDirectory directory =
      new ShardDirectory(
          ShardLayout.of(
              "orders",
              new ShardOptions().setMembers(List.of("a", "b")).setShards(4).setCopies(1)));

  private static ShardStatus status(long epoch, long version, String primary, String... places) {
    return new ShardStatus(2, epoch, version, primary, List.of(places), List.of(primary));
  }

  @Test
  void membersAreThoseOfTheLayoutUntilAPrimarySaysOtherwise() {
    assertThat(directory.members(2)).isEqualTo(directory.layout().members(2));
    assertThat(directory.status(2)).isNull();
    directory.learn(status(3, 1, "d", "c", "", "d"));
    assertThat(directory.members(2)).containsExactly("d", "c");
    assertThat(directory.members(1)).isEqualTo(directory.layout().members(1));
  }

  @Test
  void whatIsLateIsNotLearned() {
    directory.learn(status(3, 5, "d", "c", "d"));
    directory.learn(status(3, 4, "d", "c"));
    directory.learn(status(2, 9, "c", "c"));
    assertThat(directory.members(2)).containsExactly("d", "c");
    directory.learn(status(3, 6, "d", "d"));
    assertThat(directory.members(2)).containsExactly("d");
    directory.learn(status(4, 1, "e", "e"));
    assertThat(directory.members(2)).containsExactly("e");
    directory.learn(new ShardStatus(4, 1, 1, "e", List.of("e"), List.of("e")));
    assertThat(directory.statuses()).hasSize(4);
  }

  @Test
  void aMemberCanBeReachedForAWhileAfterItWasHeard() {
    assertThat(directory.isHeard("a", 10, 0)).isFalse();
    directory.heard("a", 100);
    assertThat(directory.isHeard("a", 10, 110)).isTrue();
    assertThat(directory.isHeard("a", 10, 111)).isFalse();
  }
}
