package dev.weir.cluster.protocol;

import static dev.weir.cluster.protocol.MachineRig.A;
import static dev.weir.cluster.protocol.MachineRig.B;
import static dev.weir.cluster.protocol.MachineRig.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import org.junit.jupiter.api.Test;

/** What the disk of a member that comes back proves. Members are a, b, c. */
class GroupDisksTest {

  /** A primary of two, whose backup has been silent for longer than a takeover takes. */
  private static MachineRig cutOff() {
    MachineRig rig = MachineRig.primaryOfTwo();
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    rig.pass(5_000);
    return rig;
  }

  @Test
  void aPrimaryThatWasCutOffDoesNotGoOnWhenItsBackupComesBackWithAnEmptyDisk() {
    MachineRig rig = cutOff();
    rig.restartElsewhere(1);
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.answers(1);
    rig.machine.onCaughtUp(1, rig.nowNs);
    assertThat(rig.mayAccept()).isFalse();
    assertThat(rig.machine.reason()).contains("waits for the disk of b", "force-primary");
    assertThat(rig.record.inSync()).isEqualTo(A | B);
  }

  @Test
  void noEmptyDiskProvesAnythingHoweverSoonItComes() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.restartElsewhere(1);
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.record.inSync()).as("the first process may still run").isEqualTo(A | B);
  }

  @Test
  void noOldMountProvesAnything() {
    MachineRig rig = cutOff();
    rig.restartElsewhere(1);
    rig.beats(1, new GroupRecord(2, -1, 2, A | B, 1), -1, new LogEnd(2, 3));
    assertThat(rig.record.inSync()).isEqualTo(A | B);
    assertThat(rig.mayAccept()).isFalse();
  }

  @Test
  void aPrimaryGoesOnWhenTheFirstDiskIsBack() {
    MachineRig rig = cutOff();
    rig.restartElsewhere(1);
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.restartWithFirstDisk(1);
    rig.beats(1, rig.record, -1, rig.end);
    assertThat(rig.record.inSync()).isEqualTo(A);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void theFirstProcessThatComesBackIsStillInSync() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.restartElsewhere(1);
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.comesBack(1);
    rig.beats(1, rig.record, 0, rig.end);
    assertThat(rig.record.inSync()).as("it may take over").isEqualTo(A | B);
    assertThat(rig.mayAccept()).isFalse();
    rig.answers(1);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void whatAnEndedProcessSaidLastDoesNotProveThatTheNextOneIsGone() {
    MachineRig rig = MachineRig.primaryOfTwo();
    Control late = rig.told(Control.Type.HEARTBEAT, 1, rig.record, 0, rig.end, 0);
    rig.restart(1);
    rig.joins(1);
    assertThat(rig.record.inSync()).isEqualTo(A | B);
    rig.hear(1, late);
    assertThat(rig.record.inSync()).as("the next process may take over").isEqualTo(A | B);
    rig.answers(1);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aBackupDoesNotTakeOverBecauseOfWhatAnEndedProcessOfItsPrimarySaidLast() {
    MachineRig rig = MachineRig.backup(2, 1);
    GroupRecord before = rig.record;
    Control late = rig.told(Control.Type.HEARTBEAT, 0, before, 0, rig.end, Control.COUNTED);
    rig.restart(0);
    rig.beats(0, new GroupRecord(5, -1, 5, A | B, 1), 0, rig.end);
    assertThat(rig.machine.role()).isEqualTo(Role.BACKUP);
    assertThat(rig.machine.epoch()).isEqualTo(5);
    rig.hear(0, late);
    assertThat(rig.machine.role()).as("the primary runs").isEqualTo(Role.BACKUP);
    assertThat(rig.machine.primary()).isZero();
  }

  @Test
  void whatTheLastProcessButOneSaidDoesNotProveThatTheLivingOneIsGone() {
    MachineRig rig = MachineRig.primaryOfTwo();
    Control late = rig.told(Control.Type.HEARTBEAT, 1, rig.record, 0, rig.end, 0);
    Control lateAnswer = rig.told(Control.Type.HEARTBEAT_ACK, 1, rig.record, 0, rig.end, 0);
    for (int i = 0; i < 2; i++) {
      rig.machine.onLost(1, rig.nowNs);
      rig.pass(100);
      rig.restart(1);
      rig.joins(1);
    }
    assertThat(rig.record.inSync()).isEqualTo(A | B);
    rig.hear(1, late);
    rig.hear(1, lateAnswer);
    assertThat(rig.record.inSync()).as("the living process may take over").isEqualTo(A | B);
    rig.answers(1);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aProcessThatEndedUnheardDoesNotTakeThePlaceOfTheNextOne() {
    MachineRig rig = MachineRig.primary(2, 1);
    rig.machine.onConnected(1, rig.nowNs);
    Control late = rig.told(Control.Type.HEARTBEAT, 1, rig.record, 0, rig.end, 0);
    rig.machine.onLost(1, rig.nowNs);
    rig.restart(1);
    rig.joins(1);
    rig.hear(1, late);
    rig.answers(1);
    assertThat(rig.record.inSync()).isEqualTo(A | B);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aProcessThatIsNotKnownYetIsAnsweredWithoutAPromise() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.restart(1);
    rig.sent.clear();
    Control first = rig.told(Control.Type.HEARTBEAT, 1, rig.record, 0, rig.end, 0);
    rig.hear(1, first);
    Control answer = rig.last(Control.Type.HEARTBEAT_ACK);
    assertThat(answer.receiver()).isEqualTo(first.sender());
    assertThat(answer.has(Control.VOUCHED)).isFalse();
    assertThat(answer.has(Control.COUNTED)).isFalse();
    assertThat(answer.has(Control.UNKNOWN)).isTrue();
    assertThat(rig.record.inSync()).isEqualTo(A | B);
  }

  @Test
  void theAnswerOfABackupThatDoesNotKnowThePrimaryYetRenewsNoLease() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.pass(700);
    assertThat(rig.mayAccept()).isFalse();
    int flags = Control.UNKNOWN;
    rig.hear(1, rig.told(Control.Type.HEARTBEAT_ACK, 1, rig.record, 0, rig.end, flags));
    assertThat(rig.mayAccept()).as("the backup counts the silence").isFalse();
    rig.answers(1);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aPrimaryWhoseConnectionIsNewIsHeardAtItsFirstHeartbeat() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.machine.onLost(0, rig.nowNs);
    rig.pass(900);
    rig.machine.onConnected(0, rig.nowNs);
    rig.primaryBeats(A | B, 2);
    assertThat(rig.last(Control.Type.HEARTBEAT_ACK).has(Control.UNKNOWN)).isFalse();
    rig.pass(900);
    assertThat(rig.machine.role()).isEqualTo(Role.BACKUP);
  }

  @Test
  void ofThreeASecondProcessThatIsGoneDoesNotVoidThePromiseToTheFirst() {
    MachineRig rig = MachineRig.primary(3, 1);
    rig.joins(1);
    rig.joins(2);
    rig.agrees(1);
    rig.passAnswered(300, 0, 1);
    rig.beats(2, rig.record, 0, rig.end);
    assertThat(rig.last(Control.Type.HEARTBEAT_ACK).has(Control.VOUCHED)).isTrue();
    rig.restartElsewhere(2);
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.dies(2);
    rig.sent.clear();
    rig.passAnswered(900, 0, 1);
    assertThat(rig.last(Control.Type.IN_SYNC)).isNull();
    rig.passAnswered(200, 0, 1);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A | B);
  }

  @Test
  void nothingIsStoredBeforeALaterEpochEndsTheRole() {
    MachineRig rig = cutOff();
    rig.restart(1);
    rig.beats(1, new GroupRecord(5, -1, 5, B, 0), -1, rig.end);
    assertThat(rig.machine.role()).isNotEqualTo(Role.PRIMARY);
    assertThat(rig.record.inSync())
        .as("a crash between two saves must not leave this member alone in sync")
        .isNotEqualTo(A);
  }

  @Test
  void aBackupDoesNotTakeOverBecauseAnotherMachineHasTheNameOfItsPrimary() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.restartElsewhere(0);
    rig.beats(0, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.machine.role()).isEqualTo(Role.BACKUP);
    rig.pass(1_100);
    assertThat(rig.machine.role()).as("the primary is silent").isEqualTo(Role.PRIMARY);
  }

  @Test
  void ofThreeWhoLostItsDiskHasNoVoteOnWhoIsLeftOut() {
    MachineRig rig = MachineRig.primary(3, 1);
    rig.joins(1);
    rig.joins(2);
    rig.agrees(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
    rig.pass(1_500);
    rig.restartElsewhere(1);
    rig.sent.clear();
    for (int i = 0; i < 40; i++) {
      rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
      rig.answers(1);
      rig.pass(50);
    }
    assertThat(rig.last(Control.Type.IN_SYNC)).isNull();
    assertThat(rig.mayAccept()).isFalse();
  }

  /** A primary of three with one backup; the third member is there with its first disk. */
  private static MachineRig withThird() {
    MachineRig rig = MachineRig.primary(3, 1);
    rig.joins(1);
    rig.machine.onConnected(2, rig.nowNs);
    rig.beats(2, rig.record, 0, rig.end);
    rig.agrees(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    return rig;
  }

  @Test
  void aThirdMemberThatIsNotInSyncHasAVoteOnWhoIsLeftOut() {
    MachineRig rig = withThird();
    rig.passAnswered(1_500, 0, 2);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A);
    rig.agrees(2);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aThirdMemberThatLostItsDiskHasNoVoteOnWhoIsLeftOut() {
    MachineRig rig = withThird();
    rig.passAnswered(1_500, 0, 2);
    rig.restartElsewhere(2);
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.agrees(2);
    assertThat(rig.mayAccept()).as("it may have voted for the silent one before").isFalse();
    rig.sent.clear();
    rig.passAnswered(1_000, 0, 2);
    assertThat(rig.last(Control.Type.IN_SYNC)).isNull();
    assertThat(rig.machine.reason()).contains("waits for b", "c has another disk");
  }

  @Test
  void anotherDiskOfAThirdMemberVotesAfterAllInSyncHaveStoredThatTheFirstOneDoesNot() {
    MachineRig rig = withThird();
    rig.restartElsewhere(2);
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.last(Control.Type.IN_SYNC).record().voter()).isZero();
    rig.agrees(1);
    assertThat(rig.last(Control.Type.IN_SYNC).record().voter()).isEqualTo(13);
    rig.agrees(1);
    rig.passAnswered(1_500, 0, 2);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A);
    rig.agrees(2);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aBackupIsNotElectedByAnotherDiskOfAThirdMemberThanItsPrimaryKnew() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.primaryBeats(A | B, 3);
    rig.machine.onLost(0, rig.nowNs);
    rig.restartElsewhere(2);
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.pass(1_500);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason()).contains("waits for a vote", "with the disk it had then");
    rig.restartWithFirstDisk(2);
    rig.beats(2, rig.record, -1, rig.end);
    rig.pass(100);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    rig.restartElsewhere(2);
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.votes(2, rig.last(Control.Type.VOTE_REQUEST).epoch());
    assertThat(rig.machine.role()).isNotEqualTo(Role.PRIMARY);
  }

  @Test
  void whoHasVotedVotesForNoOtherDiskOfThatMember() {
    MachineRig rig = new MachineRig(2, 1, 1, GroupRecord.NONE);
    rig.connectAll();
    rig.beats(0, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.wantsVote(0, 1, GroupRecord.NONE, LogEnd.EMPTY, 0);
    assertThat(rig.lastVoteIsGranted()).isTrue();
    rig.restartElsewhere(0);
    rig.beats(0, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.wantsVote(0, 2, GroupRecord.NONE, LogEnd.EMPTY, 0);
    assertThat(rig.lastVoteIsGranted())
        .as("the first disk may hold acknowledged messages")
        .isFalse();
    rig.restartWithFirstDisk(0);
    rig.beats(0, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.wantsVote(0, 2, GroupRecord.NONE, LogEnd.EMPTY, 0);
    assertThat(rig.lastVoteIsGranted()).isTrue();
  }

  @Test
  void aBackupIsNotElectedByAnotherDiskOfAMemberThatWasInSync() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.machine.onLost(0, rig.nowNs);
    rig.restartElsewhere(2);
    rig.beats(2, rig.record, -1, rig.end);
    rig.pass(1_500);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    rig.restartWithFirstDisk(2);
    rig.beats(2, rig.record, -1, rig.end);
    rig.pass(100);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
  }

  @Test
  void aMemberWithAnotherDiskThanTheOneAloneInSyncDoesNotLead() {
    long other = GroupRecord.disk(1, 77);
    MachineRig rig = new MachineRig(2, 1, 1, new GroupRecord(4, -1, 4, B, 0, other, 0, 0));
    rig.pass(5_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason()).contains("disk", "force-primary");
  }

  @Test
  void membersThatRestartTogetherWaitForTheDisksThatWereInSync() {
    long disks = GroupRecord.disk(0, 1) + GroupRecord.disk(1, 2);
    GroupRecord both = new GroupRecord(4, -1, 4, A | B, 1, disks, 0, 0);
    MachineRig rig = new MachineRig(2, 1, 0, both);
    rig.end = new LogEnd(4, 10);
    rig.connectAll();
    rig.restartElsewhere(1);
    rig.beats(1, new GroupRecord(3, -1, 3, A | B, 1, 7, 0, 0), -1, new LogEnd(3, 4));
    rig.pass(3_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason()).contains("disk", "force-primary");
    rig.restartWithFirstDisk(1);
    rig.beats(1, both, -1, new LogEnd(4, 9));
    rig.pass(100);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
  }

  @Test
  void theEndOfASecondProcessThatWasNeverHeardDoesNotProveThatTheFirstIsGone() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.pass(300);
    rig.machine.onLost(1, rig.nowNs);
    rig.machine.onConnected(1, rig.nowNs);
    rig.dies(1);
    assertThat(rig.machine.inSync()).isEqualTo(3);
  }

  @Test
  void aBackupDoesNotTakeOverBecauseASecondProcessOfItsPrimaryEndedUnheard() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.machine.onLost(0, rig.nowNs);
    rig.machine.onConnected(0, rig.nowNs);
    rig.dies(0);
    assertThat(rig.machine.role()).isNotEqualTo(Role.PRIMARY);
  }

  @Test
  void ofThreeABackupDoesNotLeadAloneBecauseASecondProcessOfTheThirdMemberIsGone() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, rig.record, 0, rig.end);
    rig.primaryVouches(A | B | C, 2);
    rig.machine.onLost(2, rig.nowNs);
    rig.restartElsewhere(2);
    rig.machine.onConnected(2, rig.nowNs);
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.dies(2);
    rig.dies(0);
    assertThat(rig.machine.role()).as("c may lead with the vote of a").isEqualTo(Role.WAITING);
  }
}
