package dev.weir.cluster.protocol;

import static dev.weir.cluster.protocol.MachineRig.A;
import static dev.weir.cluster.protocol.MachineRig.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import org.junit.jupiter.api.Test;

/** The rules for a witness, c, of a and b. */
class WitnessRulesTest {
  private static final GroupRecord BOTH = new GroupRecord(4, -1, 4, A | B, 3);
  private static final LogEnd END = new LogEnd(4, 10);

  private static MachineRig witness(GroupRecord record) {
    MachineRig rig = MachineRig.withWitness(2, record);
    rig.connectAll();
    return rig;
  }

  @Test
  void itVotesAtOnceAfterItsStartForAMemberInTheLastSetItKnows() {
    MachineRig rig = witness(BOTH);
    rig.beats(1, BOTH, -1, END);
    rig.wantsVote(1, 5, BOTH, END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isTrue();
    assertThat(rig.record.votedFor()).isEqualTo(1);
  }

  @Test
  void itDoesNotVoteForAMemberThatWasLeftOut() {
    MachineRig rig = witness(new GroupRecord(4, -1, 4, A, 4));
    rig.beats(1, BOTH, -1, END);
    rig.wantsVote(1, 5, BOTH, END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
  }

  @Test
  void itDoesNotVoteWhileItHearsThePrimary() {
    MachineRig rig = witness(BOTH);
    rig.primaryBeats(A | B, 3);
    assertThat(rig.machine.role()).isEqualTo(Role.BACKUP);
    rig.beats(1, BOTH, -1, END);
    rig.wantsVote(1, 5, BOTH, END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
    rig.pass(1_000);
    rig.wantsVote(1, 5, BOTH, END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isTrue();
  }

  @Test
  void withoutItsDiskItDoesNotVoteUntilAPrimaryHasTakenItsNewDisk() {
    MachineRig rig = witness(GroupRecord.NONE);
    rig.beats(1, BOTH, -1, END);
    rig.wantsVote(1, 5, BOTH, END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
    assertThat(rig.record).isEqualTo(GroupRecord.NONE);
  }

  @Test
  void itNeverStands() {
    MachineRig rig = witness(BOTH);
    rig.primaryBeats(A | B, 3);
    rig.dies(0);
    rig.dies(1);
    rig.pass(5_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason()).contains("witness");
  }

  @Test
  void aPrimaryNeverTakesItIntoTheSet() {
    MachineRig rig = MachineRig.withWitness(0, GroupRecord.ofPrimary(0, 3));
    rig.pass(MachineRig.TAKEOVER_MS);
    rig.joins(1);
    rig.joins(2);
    rig.pass(50);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void theFirstPrimaryOfAGroupNeedsItsVote() {
    MachineRig rig = MachineRig.withWitness(0, GroupRecord.NONE);
    rig.machine.onConnected(1, rig.nowNs);
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.pass(3_000);
    assertThat(rig.machine.reason()).contains("has no history, waits for c");
    rig.machine.onConnected(2, rig.nowNs);
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.votes(1, 1);
    rig.votes(2, 1);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }
}
