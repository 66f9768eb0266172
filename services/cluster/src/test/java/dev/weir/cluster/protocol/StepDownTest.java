package dev.weir.cluster.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of three members, a primary that gives up the role names the one that is to take over. */
class StepDownTest {
  private static final int A = 0;
  private static final int B = 1;
  private static final int C = 2;
  private static final int ALL = 0b111;
  private static final int HEARTBEAT_MS = 50;

  /** What a primary with two backups that can take over says when it steps down. */
  private static List<Control> said(int successor, LogEnd endOfC) {
    MachineRig rig = MachineRig.threeInSync();
    rig.end = MachineRig.END;
    rig.passAnswered(HEARTBEAT_MS, 1 << B | 1 << C, B, C);
    rig.hear(C, rig.told(Control.Type.HEARTBEAT_ACK, C, rig.record, A, endOfC, Control.CONTINUOUS));
    rig.sent.clear();
    rig.machine.stepDown("is shut down", successor, rig.nowNs);
    assertThat(rig.sent).hasSize(2).allMatch(each -> each.type() == Control.Type.HEARTBEAT);
    return rig.sent;
  }

  private static void assertSuccessor(int successor, List<Control> said) {
    Control first = said.get(0);
    Control second = said.get(1);
    assertThat(first.receiver()).isEqualTo(101 + successor);
    assertThat(first.has(Control.YIELD)).isFalse();
    assertThat(second.receiver()).isEqualTo(101 + B + C - successor);
    assertThat(second.has(Control.YIELD)).isTrue();
  }

  @Test
  void aPrimaryAsksTheThirdMemberToLetTheNamedOneStandFirst() {
    assertSuccessor(B, said(B, MachineRig.END));
    assertSuccessor(C, said(C, MachineRig.END));
  }

  @Test
  void ifNoneIsNamedItIsTheOneThatHoldsMost() {
    assertSuccessor(C, said(-1, new LogEnd(3, 11)));
    assertSuccessor(B, said(-1, MachineRig.END));
  }

  /** A backup of three whose primary steps down; b is asked to let c stand first, or not. */
  private static MachineRig afterStepDown(int flags) {
    return afterStepDown(MachineRig.backup(3, B), flags);
  }

  private static MachineRig afterStepDown(MachineRig rig, int flags) {
    GroupRecord record = MachineRig.inSync(4, ALL, 2);
    rig.beats(C, record, A, MachineRig.END);
    rig.hear(A, rig.told(Control.Type.HEARTBEAT, A, record, -1, MachineRig.END, flags));
    return rig;
  }

  @Test
  void whoIsAskedToLetAnotherOneStandFirstVotesForIt() {
    MachineRig rig = afterStepDown(Control.YIELD);
    rig.pass(3 * HEARTBEAT_MS);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    rig.wantsVote(C, 5, MachineRig.inSync(4, ALL, 2), MachineRig.END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isTrue();
  }

  @Test
  void ifTheOtherOneDoesNotTakeOverItStandsAfterAMoment() {
    MachineRig rig = afterStepDown(Control.YIELD);
    rig.pass(4 * HEARTBEAT_MS);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
  }

  @Test
  void whoIsNotAskedStandsAtOnce() {
    assertThat(afterStepDown(0).machine.role()).isEqualTo(Role.CANDIDATE);
  }

  @Test
  void whoIsAskedToYieldDoesSoNoLongerIfHeartbeatsAreFurtherApart() {
    MachineRig rig = afterStepDown(MachineRig.backupOfThree(B, 4 * HEARTBEAT_MS), Control.YIELD);
    rig.pass(4 * HEARTBEAT_MS);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
  }

  @Test
  void aCandidateDoesNotWaitForTheVoteOfAProcessThatIsGone() {
    asksAgain(afterStepDown(0));
  }

  @Test
  void aCandidateAsksAgainAsSoonIfHeartbeatsAreFurtherApart() {
    asksAgain(afterStepDown(MachineRig.backupOfThree(B, 4 * HEARTBEAT_MS), 0));
  }

  private static void asksAgain(MachineRig rig) {
    long epoch = rig.last(Control.Type.VOTE_REQUEST).epoch();
    rig.dies(A);
    // It has not heard of the step down yet.
    rig.hear(
        C, rig.told(Control.Type.VOTE, C, rig.record.withVote(-1, epoch, 0), A, MachineRig.END, 0));
    assertThat(rig.machine.reason()).isEqualTo("has not enough votes");
    rig.pass(3 * HEARTBEAT_MS);
    assertThat(rig.last(Control.Type.VOTE_REQUEST).epoch()).isGreaterThan(epoch);
    rig.votes(C, rig.last(Control.Type.VOTE_REQUEST).epoch());
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }
}
