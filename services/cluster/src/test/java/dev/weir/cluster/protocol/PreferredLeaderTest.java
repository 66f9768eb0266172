package dev.weir.cluster.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import org.junit.jupiter.api.Test;

/** A primary that stands in for the preferred member, a. Its rig is member b. */
class PreferredLeaderTest {
  private static final int WAIT_MS = 5_000;
  private static final int A = 0;
  private static final int C = 2;
  private static final int A_BIT = 1;

  private static MachineRig standIn(int members, int handBackMs) {
    MachineRig rig = MachineRig.standIn(members, handBackMs);
    rig.joins(A);
    assertThat(rig.machine.isInSync(A)).isTrue();
    return rig;
  }

  private static void assertLeads(MachineRig rig) {
    assertThat(rig.machine.role()).as(rig.machine.reason()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void thePreferredMemberGetsTheRoleWhenItHasBeenInSyncForAWhile() {
    MachineRig rig = standIn(2, WAIT_MS);
    rig.passAnswered(WAIT_MS, A_BIT, A);
    assertLeads(rig);
    rig.passAnswered(100, A_BIT, A);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason()).isEqualTo("hands over to a");
    assertThat(rig.done).endsWith("idle");
    assertThat(rig.last(Control.Type.HEARTBEAT).primary()).isEqualTo(-1);
    assertThat(rig.mayAccept()).isFalse();
  }

  @Test
  void nobodyHandsOverWhereThatIsOff() {
    MachineRig rig = standIn(2, 0);
    rig.passAnswered(100_000, A_BIT, A);
    assertLeads(rig);
  }

  @Test
  void thePreferredMemberKeepsTheRole() {
    MachineRig rig = MachineRig.primary(2, 1, WAIT_MS);
    rig.joins(1);
    rig.passAnswered(10 * WAIT_MS, 0b10, 1);
    assertLeads(rig);
  }

  @Test
  void aMemberThatCouldNotTakeOverAtOnceGetsNothing() {
    MachineRig rig = standIn(2, WAIT_MS);
    rig.passAnswered(2 * WAIT_MS, 0, A);
    assertLeads(rig);
  }

  @Test
  void aBreakBeginsTheWaitAnew() {
    MachineRig rig = standIn(2, WAIT_MS);
    rig.passAnswered(WAIT_MS - 200, A_BIT, A);
    rig.machine.onLost(A, rig.nowNs);
    rig.machine.onConnected(A, rig.nowNs);
    rig.passAnswered(WAIT_MS, A_BIT, A);
    assertLeads(rig);
    rig.passAnswered(200, A_BIT, A);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  @Test
  void silenceOfALeaseBeginsTheWaitAnew() {
    MachineRig rig = standIn(2, WAIT_MS);
    rig.passAnswered(WAIT_MS - 1_000, A_BIT, A);
    rig.pass(800);
    rig.passAnswered(WAIT_MS, A_BIT, A);
    assertLeads(rig);
    rig.passAnswered(200, A_BIT, A);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  @Test
  void aMemberThatIsSilentAtThatMomentGetsTheRoleWhenItAnswers() {
    MachineRig rig = standIn(2, WAIT_MS);
    rig.passAnswered(WAIT_MS - 200, A_BIT, A);
    rig.pass(500);
    assertLeads(rig);
    rig.passAnswered(100, A_BIT, A);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  @Test
  void anotherProcessOfThePreferredMemberBeginsTheWaitAnew() {
    MachineRig rig = standIn(2, WAIT_MS);
    rig.passAnswered(WAIT_MS - 200, A_BIT, A);
    rig.restart(A);
    rig.joins(A);
    rig.passAnswered(WAIT_MS - 200, A_BIT, A);
    assertLeads(rig);
  }

  @Test
  void ofThreeNobodyHandsOverWhileTheSetChanges() {
    MachineRig rig = standIn(3, WAIT_MS);
    rig.passAnswered(WAIT_MS - 200, A_BIT, A);
    rig.joins(C);
    rig.passAnswered(1_000, A_BIT, A, C);
    assertThat(rig.machine.isInSync(C)).isFalse();
    assertLeads(rig);
    rig.agrees(A);
    assertThat(rig.machine.isInSync(C)).isTrue();
    rig.passAnswered(WAIT_MS + 200, A_BIT, A, C);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  @Test
  void ofThreeAMemberThatWasDroppedGetsNothingBeforeItIsInSyncAgain() {
    MachineRig rig = standIn(3, WAIT_MS);
    rig.joins(C);
    rig.agrees(A);
    rig.passAnswered(1_200, 0, C);
    rig.agrees(C);
    assertThat(rig.machine.isInSync(A)).isFalse();
    rig.passAnswered(2 * WAIT_MS, A_BIT, A, C);
    assertLeads(rig);
  }

  @Test
  void whoHandedOverDoesNotStandForATakeover() {
    MachineRig rig = standIn(2, WAIT_MS);
    rig.passAnswered(WAIT_MS + 100, A_BIT, A);
    rig.wantsVote(A, 5, rig.record, rig.end, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isTrue();
  }

  @Test
  void whoHandedOverStandsAgainWhenItHasFollowedTheNextPrimary() {
    MachineRig rig = standIn(2, WAIT_MS);
    rig.passAnswered(WAIT_MS + 100, A_BIT, A);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    rig.beats(A, new GroupRecord(5, -1, 5, 1, 0), A, rig.end);
    rig.beats(A, new GroupRecord(5, -1, 5, 3, 1), A, rig.end);
    rig.dies(A);
    rig.pass(50);
    assertLeads(rig);
  }

  @Test
  void theNextHandOverWaitsTwiceAsLong() {
    MachineRig rig = standIn(2, WAIT_MS);
    rig.passAnswered(WAIT_MS + 100, A_BIT, A);
    leadAgain(rig);
    rig.passAnswered(2 * WAIT_MS, A_BIT, A);
    assertLeads(rig);
    rig.passAnswered(100, A_BIT, A);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  /** The preferred member leads epoch 5, fails at once, and comes back. */
  private static void leadAgain(MachineRig rig) {
    rig.beats(A, new GroupRecord(5, -1, 5, 1, 0), A, rig.end);
    rig.beats(A, new GroupRecord(5, -1, 5, 3, 1), A, rig.end);
    rig.dies(A);
    rig.pass(1_500);
    assertLeads(rig);
    rig.restart(A);
    rig.joins(A);
  }
}
