package dev.weir.bench.cluster.groups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.Pace;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.Tally;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupsDriverTest {
  private static Tally tally(long sent, long received, long orderBreaks) {
    return new Tally(10, sent, received, 0, 0, 0, orderBreaks, null);
  }

  @Test
  void groupsThatWereDrivenTogetherTakeAsLongAsTheSlowest() {
    RoundResult sum =
        GroupsDriver.sum(
            List.of(
                RoundResult.closedLoop(tally(10, 10, 0), 1_000),
                RoundResult.closedLoop(tally(10, 10, 0), 4_000)));

    assertThat(sum.verdict().isOk()).isTrue();
    assertThat(sum.loop()).isEqualTo(RoundResult.CLOSED);
    assertThat(sum.tally().good()).isEqualTo(20);
    assertThat(sum.elapsedNs()).isEqualTo(4_000);
  }

  @Test
  void whatOneGroupLosesFailsAll() {
    RoundResult sum =
        GroupsDriver.sum(
            List.of(
                RoundResult.closedLoop(tally(10, 10, 0), 1_000),
                RoundResult.closedLoop(tally(10, 9, 0), 1_000)));

    assertThat(sum.verdict().reasons()).containsExactly("lost 1");
  }

  @Test
  void repliesOutOfOrderFail() {
    RoundResult inOrder = RoundResult.closedLoop(tally(10, 10, 0), 1_000);
    RoundResult outOfOrder = RoundResult.closedLoop(tally(10, 10, 3), 1_000);

    assertThat(GroupsDriver.sum(List.of(inOrder, outOfOrder)).verdict().reasons())
        .containsExactly("out of order 3");
  }

  @Test
  void onlyRepliesToRequestsThatWereSentAgainMayBeOutOfOrder() {
    RoundResult outOfOrder = RoundResult.closedLoop(tally(10, 10, 3), 1_000);

    assertThat(GroupsDriver.asPromised(outOfOrder, 3).verdict().isOk()).isTrue();
    assertThat(GroupsDriver.asPromised(outOfOrder, 2).verdict().reasons())
        .containsExactly("out of order 1");
    assertThat(GroupsDriver.asPromised(outOfOrder, 0).verdict().reasons())
        .containsExactly("out of order 3");
  }

  @Test
  void aRateThatIsNotKeptIsMarkedAndFailsNothing() {
    RoundResult slow =
        RoundResult.openLoop(tally(10, 10, 0), 1_000_000_000, new Pace(1_000, 10, 5_000));

    assertThat(GroupsDriver.asPromised(slow, 0).verdict().name()).isEqualTo("MISSED");
    assertThat(GroupsDriver.asPromised(slow, 0).verdict().failed()).isFalse();
  }
}
