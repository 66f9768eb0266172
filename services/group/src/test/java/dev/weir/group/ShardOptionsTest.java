package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.group.layout.ShardLayout;
import dev.weir.group.placement.ShardPlaces;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardOptionsTest {
  @Test
  void optionsReturnFromJsonAsTheyWere() {
    ShardOptions options =
        new ShardOptions()
            .setMembers(List.of("a", "b"))
            .setShards(64)
            .setCopies(2)
            .setWitness(true)
            .setMovesPerMember(2)
            .setMovePauseMs(0)
            .setMemberLostAfterMs(60_000);
    assertThat(new ShardOptions(options.toJson()).toJson()).isEqualTo(options.toJson());
    assertThat(new ShardOptions().getShards()).isEqualTo(16);
    assertThat(new ShardOptions().getCopies()).isEqualTo(3);
  }

  @Test
  void whatIsOutOfRangeIsRefusedByItsName() {
    ShardOptions options = new ShardOptions();
    assertThatThrownBy(() -> options.setShards(0)).hasMessage("shards is 0, allowed is 1 to 4096");
    assertThatThrownBy(() -> options.setCopies(4)).hasMessage("copies is 4, allowed is 1 to 3");
    assertThatThrownBy(() -> options.setMovesPerMember(0))
        .hasMessage("movesPerMember is 0, allowed is 1 to 64");
    assertThatThrownBy(() -> options.setMovePauseMs(-1))
        .hasMessage("movePauseMs is -1, allowed is 0 to 3600000");
    assertThatThrownBy(() -> options.setMemberLostAfterMs(9_999))
        .hasMessage("memberLostAfterMs is 9999, allowed is 10000 to 604800000");
    assertThat(options.setMemberLostAfterMs(0).getMemberLostAfterMs()).isZero();
    assertThatThrownBy(() -> options.setMembers(List.of("a", "a")))
        .hasMessage("members is [a, a], allowed is each name once");
    assertThatThrownBy(() -> options.setMembers(List.of("a b"))).hasMessageContaining("a b");
    assertThatThrownBy(() -> ShardLayout.of("accounts", new ShardOptions()))
        .hasMessage("members is 0, allowed is 1 to 1000");
  }

  @Test
  void aWitnessTakesTwoCopiesAndAThirdMember() {
    ShardOptions options = new ShardOptions().setMembers(List.of("a", "b", "c")).setWitness(true);
    assertThatThrownBy(() -> ShardLayout.of("accounts", options))
        .hasMessage("copies is 3, allowed is 2 where witness is true");
    ShardLayout layout = ShardLayout.of("accounts", options.setCopies(2));
    for (int shard = 0; shard < layout.shards(); shard++) {
      assertThat(layout.members(shard)).hasSize(2);
      assertThat(layout.places(shard).names()).hasSize(3).endsWith(layout.places(shard).witness());
    }
    assertThat(ShardLayout.of("accounts", options.setMembers(List.of("a", "b"))).places(0))
        .extracting(ShardPlaces::witness)
        .isNull();
  }

  @Test
  void oneShardOfAllMembersIsTheGroupOfThatName() {
    ShardLayout layout =
        ShardLayout.of("accounts", new ShardOptions().setShards(1).setMembers(List.of("b", "a")));
    assertThat(layout.name(0)).isEqualTo("accounts");
    assertThat(layout.members(0)).containsExactly("b", "a");
    assertThat(layout.shardOf(null)).isZero();
  }

  @Test
  void shardsAreSpreadOverMoreMembersThanOneGroupMayHave() {
    List<String> members = IntStream.range(0, 8).mapToObj(i -> "m" + i).toList();
    ShardLayout layout = ShardLayout.of("accounts", new ShardOptions().setMembers(members));
    assertThat(layout.name(15)).isEqualTo("accounts.15-of-16");
    for (int shard = 0; shard < 16; shard++) {
      assertThat(layout.members(shard)).hasSize(3).doesNotHaveDuplicates();
    }
    assertThat(layout.members()).isEqualTo(members);
  }
}
