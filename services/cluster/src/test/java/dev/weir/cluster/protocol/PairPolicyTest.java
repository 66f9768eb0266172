package dev.weir.cluster.protocol;

import static dev.weir.cluster.protocol.MachineRig.A;
import static dev.weir.cluster.protocol.MachineRig.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two members, a and b, of which the primary goes on when they do not hear each other. */
@Timeout(60)
class PairPolicyTest {

  private static GroupRecord inSync(int members, long version) {
    return new GroupRecord(4, -1, 4, members, version);
  }

  @Test
  void aPrimaryGoesOnAloneWhenItsBackupIsSilentForTheTakeoverTime() {
    MachineRig rig = MachineRig.continuingPrimary();
    rig.pass(950);
    assertThat(rig.mayAccept()).isFalse();
    assertThat(rig.machine.reason()).isEqualTo("waits for b, and leaves it out if it stays silent");
    rig.pass(50);
    assertThat(rig.record).as("stored before it accepts").isEqualTo(inSync(A, 2));
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aPrimaryKeepsABackupForTheTakeoverTimeAfterItPromisedSo() {
    MachineRig rig = MachineRig.continuingPrimary();
    rig.pass(500);
    rig.beats(1, rig.record, 0, rig.end);
    assertThat(rig.last(Control.Type.HEARTBEAT_ACK).has(Control.VOUCHED)).isTrue();
    rig.pass(950);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    rig.pass(50);
    assertThat(rig.machine.inSync()).isEqualTo(A);
  }

  @Test
  void aBackupThatIsStoppedAndThenKilledDoesNotStopTheGroup() {
    MachineRig rig = MachineRig.continuingPrimary();
    rig.pass(900);
    rig.dies(1);
    assertThat(rig.mayAccept()).as("however long it was silent before").isTrue();
  }

  @Test
  void aBackupThatComesBackWithAnotherDiskIsLeftOutAndMayJoinAgain() {
    MachineRig rig = MachineRig.continuingPrimary();
    rig.restartElsewhere(1);
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.machine.inSync()).as("the first process may run").isEqualTo(A | B);
    rig.pass(1_000);
    assertThat(rig.machine.inSync()).isEqualTo(A);
    rig.joins(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
  }

  @Test
  void aBackupDoesNotTakeOverFromASilentPrimary() {
    MachineRig rig = MachineRig.backupOfContinuing();
    rig.primaryVouches(A | B, 2);
    rig.pass(10_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason()).contains("waits for a", "continued without", "force-primary");
  }

  @Test
  void aBackupTakesOverAtOnceFromAPrimaryThatIsGoneAndHasJustVouchedForIt() {
    MachineRig rig = MachineRig.backupOfContinuing();
    rig.primaryVouches(A | B, 2);
    rig.pass(550);
    rig.dies(0);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void aBackupThatMayHaveBeenLeftOutWaitsForThePrimaryThatIsGone() {
    MachineRig rig = mayHaveBeenLeftOut();
    rig.restart(0);
    rig.beats(0, inSync(A, 3), -1, rig.end);
    rig.pass(10_000);
    assertThat(rig.done).as("it was left out").doesNotContain("lead 5");
    assertThat(rig.machine.reason()).isEqualTo("is not in sync, waits for a");
  }

  @Test
  void aBackupTakesOverWhenTheDiskOfThePrimaryShowsThatItWasNotLeftOut() {
    MachineRig rig = mayHaveBeenLeftOut();
    rig.restart(0);
    rig.beats(0, rig.record, -1, rig.end);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void anotherDiskOfThePrimaryDoesNotShowThatTheBackupWasNotLeftOut() {
    MachineRig rig = mayHaveBeenLeftOut();
    rig.restartElsewhere(0);
    rig.beats(0, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.pass(10_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  @Test
  void aBackupTakesOverAtOnceWhenThePrimaryStepsDownUnlessThatHadLeftItOut() {
    MachineRig kept = MachineRig.backupOfContinuing();
    kept.beats(0, kept.record, -1, kept.end);
    assertThat(kept.machine.role()).isEqualTo(Role.PRIMARY);

    MachineRig dropped = MachineRig.backupOfContinuing();
    dropped.beats(0, inSync(A, 3), -1, dropped.end);
    dropped.pass(10_000);
    assertThat(dropped.done).doesNotContain("lead 5");
  }

  /** The primary is proven gone longer after its last promise than the lease. */
  private static MachineRig mayHaveBeenLeftOut() {
    MachineRig rig = MachineRig.backupOfContinuing();
    rig.primaryVouches(A | B, 2);
    rig.pass(650);
    rig.dies(0);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    rig.machine.onConnected(0, rig.nowNs);
    return rig;
  }
}
