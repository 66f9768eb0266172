package dev.weir.cluster.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator's word makes of a record, and of a member with it. Members are a, b, c. */
class ForcedRecordTest {
  private static final long NOW_MS = 1_800_000_000_000L;
  private static final long MINUTE_MS = 60_000;
  private static final long LONGEST_RUN = 1 << 25;
  private static final long DISK = 11;
  private static final int A = 1;
  private static final int B = 2;
  private static final LogEnd END = new LogEnd(3, 10);

  private static GroupRecord inSync(long epoch, int members) {
    return new GroupRecord(epoch, -1, epoch, members, 5);
  }

  private static GroupRecord forced(long epoch, int self, long timeMs) {
    return ForcedRecord.of(inSync(epoch, A), END, self, timeMs);
  }

  private static MachineRig forcedRig(int members, int self) {
    MachineRig rig = new MachineRig(members, 1, self, forced(4, self, NOW_MS));
    rig.end = END;
    return rig;
  }

  @Test
  void aForcedMemberIsAloneInSyncInAHigherEpochAndHasVotedForNobody() {
    GroupRecord before = new GroupRecord(7, 0, 4, A, 5);
    GroupRecord after = ForcedRecord.of(before, END, 1, NOW_MS);
    assertThat(after).isEqualTo(GroupRecord.ofPrimary(1, after.epoch()));
    assertThat(after.epoch()).isGreaterThan(1L << 50);
  }

  @Test
  void noTwoMembersUseTheSameEpochsWhateverTheyKnowAndTheirClocksSay() {
    long later = forced(4, 0, NOW_MS + MINUTE_MS).epoch() + 9;
    for (int self = 0; self < 3; self++) {
      for (long known : new long[] {0, 7, later}) {
        for (long timeMs : new long[] {0, NOW_MS, NOW_MS + MINUTE_MS, 2 * NOW_MS}) {
          long first = forced(known, self, timeMs).epoch();
          assertThat(first).isGreaterThan(known);
          assertThat(memberOf(first)).isEqualTo(self);
          assertThat(memberOf(first + LONGEST_RUN - 1)).isEqualTo(self);
        }
      }
    }
  }

  private static long memberOf(long epoch) {
    return epoch / LONGEST_RUN % 4;
  }

  @Test
  void aMemberThatIsForcedAgainGetsAHigherEpochEvenIfItsClockIsBehind() {
    long first = forced(4, 2, NOW_MS).epoch();
    assertThat(forced(first, 2, NOW_MS).epoch()).isGreaterThan(first);
    assertThat(forced(first + 3, 1, NOW_MS - 100 * MINUTE_MS).epoch()).isGreaterThan(first + 3);
  }

  @Test
  void theEpochIsAboveThatOfTheLogIfTheRecordIsGone() {
    long known = forced(4, 0, NOW_MS).epoch();
    LogEnd end = new LogEnd(known + 1, 10);
    assertThat(ForcedRecord.of(GroupRecord.NONE, end, 0, NOW_MS).epoch()).isGreaterThan(known + 1);
  }

  @Test
  void metricsShowEachEpoch() {
    long epoch = forced(4, 2, NOW_MS).epoch() + 1;
    assertThat((long) (double) epoch).isEqualTo(epoch);
  }

  @Test
  void whoIsAloneInSyncAlreadyNeedsNoForce() {
    GroupRecord forced = forced(4, 1, NOW_MS);
    assertThat(ForcedRecord.refusal(forced, END, 1, DISK)).contains("it is alone in sync");
    assertThat(ForcedRecord.refusal(forced, END, 0, DISK)).isNull();
    assertThat(ForcedRecord.refusal(inSync(4, A | B), END, 1, DISK)).isNull();
    GroupRecord pledged = new GroupRecord(5, 0, 4, B, 5);
    assertThat(ForcedRecord.refusal(pledged, END, 1, DISK)).as("it waits for its vote").isNull();
  }

  @Test
  void whoIsAloneInSyncWithADiskItHasLostMayBeForced() {
    long lost = GroupRecord.disk(1, DISK + 1);
    GroupRecord ofLostDisk = new GroupRecord(4, -1, 4, B, 5, lost, 0, 0);
    assertThat(ForcedRecord.refusal(ofLostDisk, END, 1, DISK)).isNull();
    assertThat(ForcedRecord.refusal(ofLostDisk, END, 1, DISK + 1)).contains("needs no force");
  }

  @Test
  void whoHoldsNothingIsNotForced() {
    assertThat(ForcedRecord.refusal(inSync(4, A), LogEnd.EMPTY, 1, DISK))
        .contains("it holds nothing");
    assertThat(ForcedRecord.refusal(GroupRecord.NONE, LogEnd.EMPTY, 1, DISK)).isNotNull();
  }

  // What the machine makes of it.

  @Test
  void aForcedMemberLeadsThoughNobodyElseIsThere() {
    MachineRig rig = forcedRig(3, 1);
    long forced = rig.record.epoch();
    rig.pass(MachineRig.TAKEOVER_MS);
    assertThat(rig.done).containsExactly("lead " + (forced + 1));
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aLostMemberThatReturnsHearsOfTheForcedOneBeforeItLeads() {
    MachineRig rig = new MachineRig(2, 1, 0, inSync(4, A));
    GroupRecord forced = forced(3, 1, NOW_MS);
    rig.connectAll();
    rig.beats(1, forced, -1, END);
    rig.pass(10 * MachineRig.TAKEOVER_MS);
    assertThat(rig.done).isEmpty();
    assertThat(rig.machine.reason()).isEqualTo("is not in sync, waits for b");
    long epoch = forced.epoch() + 1;
    rig.beats(1, GroupRecord.ofPrimary(1, epoch), 1, END);
    assertThat(rig.done).containsExactly("follow 1 in " + epoch);
  }

  @Test
  void aLostMemberThatWentOnAloneAcceptsNothingMoreWhenItMeetsTheForcedOne() {
    MachineRig rig = MachineRig.primary(2, 1);
    assertThat(rig.mayAccept()).isTrue();
    long epoch = forced(3, 1, NOW_MS).epoch() + 1;
    rig.connectAll();
    rig.beats(1, GroupRecord.ofPrimary(1, epoch), 1, END);
    assertThat(rig.mayAccept()).isFalse();
    assertThat(rig.done).containsExactly("lead 4", "idle", "follow 1 in " + epoch);
  }

  @Test
  void ofTwoForcedMembersThatMeetTheOneWithTheHigherEpochLeads() {
    for (int self : List.of(1, 2)) {
      MachineRig rig = forcedRig(3, self);
      int other = 3 - self;
      rig.connectAll();
      rig.beats(other, forced(4, other, NOW_MS), -1, END);
      rig.pass(MachineRig.TAKEOVER_MS);
      boolean leads = rig.machine.role() == Role.PRIMARY;
      assertThat(leads).as(rig.machine.reason()).isEqualTo(self == 2);
    }
  }

  @Test
  void ofTwoForcedMembersThatBothLeadOneTakesOverTheHistoryOfTheOther() {
    MachineRig rig = forcedRig(3, 1);
    rig.pass(MachineRig.TAKEOVER_MS);
    assertThat(rig.mayAccept()).isTrue();
    long epoch = forced(4, 2, NOW_MS).epoch() + 1;
    rig.connectAll();
    rig.beats(2, GroupRecord.ofPrimary(2, epoch), 2, END);
    assertThat(rig.mayAccept()).isFalse();
    assertThat(rig.done).endsWith("idle", "follow 2 in " + epoch);
  }
}
