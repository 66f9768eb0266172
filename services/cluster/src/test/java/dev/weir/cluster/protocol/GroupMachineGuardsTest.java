package dev.weir.cluster.protocol;

import static dev.weir.cluster.protocol.MachineRig.A;
import static dev.weir.cluster.protocol.MachineRig.B;
import static dev.weir.cluster.protocol.MachineRig.C;
import static dev.weir.cluster.protocol.MachineRig.END;
import static dev.weir.cluster.protocol.MachineRig.inSync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What must not be believed, counted or remembered. Members are a, b, c: 0, 1, 2. */
@Timeout(60)
class GroupMachineGuardsTest {

  private static void passWhileAnswers(MachineRig rig, long ms, int member) {
    for (long left = ms; left > 0; left -= 50) {
      rig.pass(50);
      rig.answers(member);
    }
  }

  // The in-sync set of a primary.

  @Test
  void ofThreeAMemberThatRestartedWithoutARecordIsKeptIfTheOldOneMayHaveTakenOver() {
    MachineRig rig = MachineRig.threeInSync();
    rig.pass(850);
    rig.restartElsewhere(2);
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
    rig.answers(1);
    rig.answers(2);
    assertThat(rig.mayAccept()).as("another process answers").isFalse();
  }

  @Test
  void ofThreeAMemberThatRestartedAndKnowsAHigherEpochIsKept() {
    MachineRig rig = MachineRig.threeInSync();
    rig.pass(700);
    rig.restart(2);
    rig.beats(2, inSync(5, C, 0), -1, rig.end);
    assertThat(rig.record.holds(2)).isTrue();
    assertThat(rig.mayAccept()).isFalse();
  }

  @Test
  void ofThreeASilentMemberIsKeptAsLongAsItWasToldSo() {
    MachineRig rig = MachineRig.threeInSync();
    passWhileAnswers(rig, 500, 1);
    rig.beats(2, rig.record, 0, rig.end);
    assertThat(rig.last(Control.Type.HEARTBEAT_ACK).has(Control.VOUCHED)).isTrue();
    passWhileAnswers(rig, 950, 1);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A | B | C);
    passWhileAnswers(rig, 100, 1);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A | B);
  }

  @Test
  void aMemberThatWasDroppedHasToCatchUpAgain() {
    MachineRig rig = MachineRig.threeInSync();
    passWhileAnswers(rig, 1_200, 1);
    rig.agrees(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    rig.answers(2);
    rig.pass(50);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A | B);
    rig.machine.onCaughtUp(2, rig.nowNs);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A | B | C);
  }

  @Test
  void aMemberOutsideTheSetIsNotVouchedFor() {
    MachineRig rig = MachineRig.primary(2, 1);
    rig.machine.onConnected(1, rig.nowNs);
    rig.beats(1, rig.record, 0, rig.end);
    rig.answers(1);
    rig.beats(1, rig.record, 0, rig.end);
    assertThat(rig.last(Control.Type.HEARTBEAT_ACK).has(Control.VOUCHED)).isFalse();
  }

  @Test
  void aMemberThatHasNotAnsweredIsNotAdded() {
    MachineRig rig = MachineRig.primary(2, 1);
    rig.machine.onConnected(1, rig.nowNs);
    rig.beats(1, rig.record, 0, rig.end);
    rig.machine.onCaughtUp(1, rig.nowNs);
    rig.pass(50);
    assertThat(rig.machine.inSync()).isEqualTo(A);
    rig.answers(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
  }

  @Test
  void aMemberThatWasLostHasToCatchUpAgain() {
    MachineRig rig = MachineRig.primary(2, 1);
    rig.machine.onConnected(1, rig.nowNs);
    rig.beats(1, rig.record, 0, rig.end);
    rig.machine.onCaughtUp(1, rig.nowNs);
    rig.machine.onLost(1, rig.nowNs);
    rig.machine.onConnected(1, rig.nowNs);
    rig.beats(1, rig.record, 0, rig.end);
    rig.answers(1);
    assertThat(rig.machine.inSync()).isEqualTo(A);
  }

  @Test
  void whatTheProcessBeforeHasAnsweredCountsNoMore() {
    MachineRig rig = MachineRig.primary(2, 1);
    rig.machine.onConnected(1, rig.nowNs);
    rig.beats(1, rig.record, 0, rig.end);
    rig.answers(1);
    rig.restart(1);
    rig.beats(1, rig.record, 0, rig.end);
    rig.machine.onCaughtUp(1, rig.nowNs);
    assertThat(rig.machine.inSync()).isEqualTo(A);
  }

  @Test
  void whatTheProcessBeforeHasCaughtUpWithCountsNoMore() {
    MachineRig rig = MachineRig.primary(2, 1);
    rig.machine.onConnected(1, rig.nowNs);
    rig.beats(1, rig.record, 0, rig.end);
    rig.machine.onCaughtUp(1, rig.nowNs);
    rig.restart(1);
    rig.beats(1, rig.record, 0, rig.end);
    rig.answers(1);
    assertThat(rig.machine.inSync()).isEqualTo(A);
  }

  @Test
  void whatWasAnsweredInAnEarlierEpochCountsNoMore() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.machine.onEpoch(1, 5, rig.nowNs);
    rig.beats(1, rig.record, -1, rig.end);
    rig.votes(1, rig.last(Control.Type.VOTE_REQUEST).epoch());
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
    rig.machine.onCaughtUp(1, rig.nowNs);
    assertThat(rig.machine.inSync()).isEqualTo(A);
    rig.answers(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
  }

  @Test
  void anAnswerOfAMemberThatDoesNotFollowIsNoLease() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.pass(700);
    rig.hear(1, rig.told(Control.Type.HEARTBEAT_ACK, 1, rig.record, -1, rig.end, 0));
    assertThat(rig.mayAccept()).isFalse();
  }

  @Test
  void consentToAnotherSetIsNoConsent() {
    MachineRig rig = MachineRig.primary(3, 1);
    rig.joins(1);
    rig.joins(2);
    long version = rig.last(Control.Type.IN_SYNC).record().version();
    consents(rig, 4, version - 1);
    consents(rig, 3, version);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    consents(rig, 4, version);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
  }

  private static void consents(MachineRig rig, long epoch, long version) {
    GroupRecord stored = inSync(epoch, A | B | C, version);
    rig.hear(1, rig.told(Control.Type.IN_SYNC_ACK, 1, stored, 0, rig.end, 0));
  }

  @Test
  void anOlderSetIsNotConsentedTo() {
    MachineRig rig = MachineRig.backup(3, 1);
    GroupRecord older = inSync(4, A | B, 1);
    rig.hear(0, rig.told(Control.Type.IN_SYNC, 0, older, 0, rig.end, 0));
    assertThat(rig.last(Control.Type.IN_SYNC_ACK)).isNull();
  }

  // What makes a backup continuous.

  private static void assertStaysWhenThePrimaryStepsDown(MachineRig rig) {
    rig.beats(0, rig.record, -1, rig.end);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  private static void primarySaysToAnybody(MachineRig rig, int inSync, long version) {
    GroupRecord its = inSync(4, inSync, version);
    rig.hear(0, MachineRig.to(0, rig.told(Control.Type.HEARTBEAT, 0, its, 0, rig.end, 0), 0));
  }

  /** A backup that has never heard of a primary. */
  private static MachineRig fresh() {
    MachineRig rig = new MachineRig(2, 1, 1, inSync(3, A, 0));
    rig.end = END;
    rig.pass(2_000);
    rig.connectAll();
    rig.beats(0, inSync(3, A, 0), -1, END);
    return rig;
  }

  @Test
  void aBackupMayHaveLeftTheSetAndComeBackIfItMissedAVersion() {
    MachineRig rig = MachineRig.backup(2, 1);
    primarySaysToAnybody(rig, A | B, 4);
    assertStaysWhenThePrimaryStepsDown(rig);
  }

  @Test
  void aBackupThatKnowsTheNextVersionMissedNothing() {
    MachineRig rig = MachineRig.backup(2, 1);
    primarySaysToAnybody(rig, A | B, 3);
    rig.beats(0, rig.record, -1, rig.end);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void aBackupThatLeftTheSetIsNotContinuousWhenItIsBack() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.primaryBeats(A, 3);
    primarySaysToAnybody(rig, A | B, 4);
    assertStaysWhenThePrimaryStepsDown(rig);
  }

  @Test
  void aPrimaryThatDoesNotKnowThisProcessTellsItNothingToRelyOn() {
    MachineRig rig = fresh();
    primarySaysToAnybody(rig, A | B, 2);
    assertStaysWhenThePrimaryStepsDown(rig);
  }

  @Test
  void anOlderSetIsNothingToRelyOn() {
    MachineRig rig = fresh();
    primarySaysToAnybody(rig, A | B, 2);
    rig.primaryBeats(A | B, 1);
    assertStaysWhenThePrimaryStepsDown(rig);
  }

  @Test
  void aSetWithoutThisReplicaIsNothingToRelyOn() {
    MachineRig rig = fresh();
    rig.primaryBeats(A, 2);
    primarySaysToAnybody(rig, A | B, 3);
    assertStaysWhenThePrimaryStepsDown(rig);
  }

  @Test
  void aBackupThatHasHeardOfAHigherEpochWaitsForTheOthers() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.machine.onEpoch(0, 5, rig.nowNs);
    rig.pass(5_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  @Test
  void aMemberThatHasHeardOfALaterSetIsNotContinuous() {
    MachineRig rig = withoutPrimary();
    rig.beats(2, inSync(5, B | C, 1), -1, END);
    rig.pass(50);
    assertThat(rig.last(Control.Type.HEARTBEAT).has(Control.CONTINUOUS)).isFalse();
  }

  @Test
  void aPrimaryIsContinuousWithNobodyWhenItStepsDown() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.beats(0, rig.record, -1, rig.end);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
    assertThat(rig.last(Control.Type.HEARTBEAT).has(Control.CONTINUOUS)).isFalse();
    rig.joins(0);
    rig.machine.stepDown("was told to", -1, rig.nowNs);
    rig.pass(5_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  @Test
  void aPrimaryThatIsHeardAgainIsNotLost() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.dies(0);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    rig.machine.onConnected(0, rig.nowNs);
    rig.primaryVouches(A | B | C, 2);
    assertThat(rig.machine.role()).isEqualTo(Role.BACKUP);
  }

  // Who is gone.

  private static void primaryIsGone(MachineRig rig) {
    rig.dies(0);
  }

  @Test
  void aMemberThatWasNeverHeardOfIsNotProvenGone() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.primaryVouches(A | B | C, 2);
    rig.dies(2);
    primaryIsGone(rig);
    assertThat(rig.machine.role()).isNotEqualTo(Role.PRIMARY);
  }

  @Test
  void aMemberThatCameIntoTheSetAgainIsNotGone() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(4, A | B | C, 2), 0, END);
    rig.dies(2);
    rig.primaryBeats(A | B, 3);
    rig.primaryBeats(A | B | C, 4);
    rig.primaryVouches(A | B | C, 4);
    primaryIsGone(rig);
    assertThat(rig.machine.role()).isNotEqualTo(Role.PRIMARY);
  }

  @Test
  void aPrimaryThatRestartedIsGoneAndHasNotSteppedDown() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.primaryBeats(A | B, 3);
    rig.primaryVouches(A | B, 3);
    rig.restart(0);
    rig.beats(0, inSync(4, A | B, 3), -1, rig.end);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void onlyThePrimaryVouches() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(4, A | B, 3), 0, END);
    rig.primaryBeats(A | B, 3);
    GroupRecord its = inSync(4, A | B, 3);
    rig.hear(2, rig.told(Control.Type.HEARTBEAT_ACK, 2, its, 0, END, Control.VOUCHED));
    primaryIsGone(rig);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
  }

  @Test
  void aMemberThatWasLostIsNotAskedForItsVote() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(4, A | B | C, 2), 0, END);
    rig.machine.onLost(2, rig.nowNs);
    primaryIsGone(rig);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason())
        .isEqualTo("waits for a vote of one of a, c, with the disk it had then");
  }

  @Test
  void aCandidateThatNeedsNoVoteAnyMoreLeadsAnEpochAboveTheOneItAskedFor() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(4, A | B | C, 2), 0, END);
    rig.primaryVouches(A | B | C, 2);
    primaryIsGone(rig);
    assertThat(rig.last(Control.Type.VOTE_REQUEST).epoch()).isEqualTo(5);
    rig.dies(2);
    assertThat(rig.done).endsWith("lead 6");
  }

  // Votes.

  /** A candidate of a new group that asks both others. */
  private static MachineRig candidate() {
    MachineRig rig = new MachineRig(3, 1, 0, GroupRecord.NONE);
    rig.connectAll();
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    return rig;
  }

  @Test
  void aVoteOfAProcessThatHasNotGreetedDoesNotCount() {
    MachineRig rig = candidate();
    rig.restart(1);
    rig.votes(1, 1);
    rig.votes(2, 1);
    assertThat(rig.done).isEmpty();
  }

  @Test
  void aVoteOfAnotherEpochDoesNotCount() {
    MachineRig rig = candidate();
    rig.votes(1, 7);
    rig.votes(2, 1);
    assertThat(rig.done).isEmpty();
  }

  @Test
  void aDeniedVoteEndsTheElectionOfWhoNeedsAll() {
    MachineRig rig = candidate();
    rig.votes(1, 1);
    GroupRecord its = GroupRecord.NONE.withVote(-1, 1, 0);
    rig.hear(2, rig.told(Control.Type.VOTE, 2, its, -1, LogEnd.EMPTY, 0));
    assertThat(rig.done).isEmpty();
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  /** A continuous backup that has lost its primary a, and has asked nobody for a vote. */
  private static MachineRig withoutPrimary() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.machine.onLost(2, rig.nowNs);
    rig.machine.onLost(0, rig.nowNs);
    rig.pass(1_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    rig.machine.onConnected(2, rig.nowNs);
    return rig;
  }

  /** Has lost primary a, has had no vote, and has given its own to c. */
  private static MachineRig pledgedToC() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.pass(1_600);
    rig.beats(2, inSync(4, A | B | C, 2), -1, END);
    rig.wantsVote(2, 5, inSync(4, A | B | C, 2), END, Control.CONTINUOUS);
    assertThat(rig.record).isEqualTo(new GroupRecord(5, 2, 4, A | B | C, 2));
    return rig;
  }

  @Test
  void nobodyIsVotedForInAnEpochThatHasAPrimaryAlready() {
    MachineRig rig = withoutPrimary();
    rig.hear(2, rig.told(Control.Type.HEARTBEAT_ACK, 2, rig.record, -1, END, Control.CANDIDATE));
    LogEnd more = new LogEnd(3, 11);
    rig.wantsVote(2, 4, inSync(4, A | B | C, 2), more, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
    rig.wantsVote(2, 9, inSync(4, A | B | C, 2), more, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).as("of a later epoch").isTrue();
  }

  @Test
  void aVoteBindsThoughTheCandidateHasLostItsRecord() {
    MachineRig rig = pledgedToC();
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.record.votedFor()).isEqualTo(2);
  }

  @Test
  void aVoteEndsWhenItsEpochIsKnownToHaveHadAPrimary() {
    MachineRig rig = pledgedToC();
    rig.beats(0, inSync(5, C, 0), -1, END);
    assertThat(rig.record).isEqualTo(inSync(5, C, 0));
  }

  @Test
  void aVoteBindsThoughALaterSetOfTheEpochBeforeIsHeardOf() {
    MachineRig rig = pledgedToC();
    rig.beats(0, inSync(4, A | B, 3), -1, END);
    assertThat(rig.record.version()).isEqualTo(3);
    assertThat(rig.record.votedFor()).isEqualTo(2);
  }

  @Test
  void theFirstVoteOfAGroupBindsWhenTheCandidateHasBecomePrimary() {
    MachineRig rig = new MachineRig(2, 1, 1, GroupRecord.NONE);
    rig.connectAll();
    rig.beats(0, GroupRecord.NONE, -1, LogEnd.EMPTY);
    rig.wantsVote(0, 1, GroupRecord.NONE, LogEnd.EMPTY, 0);
    assertThat(rig.lastVoteIsGranted()).isTrue();
    rig.beats(0, inSync(1, A, 0), -1, LogEnd.EMPTY);
    assertThat(rig.record.votedFor()).isZero();
  }

  // Who begins, and who goes on after all were down.

  @Test
  void aMemberWithMessagesAndNoRecordDoesNotBegin() {
    MachineRig rig = new MachineRig(2, 1, 0, GroupRecord.NONE);
    rig.end = END;
    rig.connectAll();
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  @Test
  void onlyThePreferredMemberBegins() {
    MachineRig rig = new MachineRig(2, 1, 1, GroupRecord.NONE);
    rig.connectAll();
    rig.beats(0, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason()).isEqualTo("has no history, waits for a to begin");
  }

  @Test
  void ofRestartedMembersThatHoldTheSameThePreferredOneGoesOn() {
    MachineRig rig = new MachineRig(2, 1, 1, inSync(4, A | B, 7));
    rig.end = END;
    rig.connectAll();
    rig.beats(0, inSync(4, A | B, 7), -1, END);
    assertThat(rig.machine.reason()).isEqualTo("waits for a to become primary");
  }

  @Test
  void aPrimaryThatWasSuspendedWithItsClockAcceptsWhenTheBackupAnswersWhatWasAskedSince() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.answers(1);
    assertThat(rig.mayAccept()).isTrue();
    rig.machine.onSuspended(rig.nowNs);
    assertThat(rig.mayAccept()).isFalse();
    rig.answers(1);
    assertThat(rig.mayAccept()).as("the answer may be older than the suspension").isFalse();
    rig.pass(50);
    rig.answers(1);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aPrimaryThatWasSuspendedWithItsClockDoesNotGoOnWithoutABackupThatIsGoneSince() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.answers(1);
    rig.machine.onSuspended(rig.nowNs);
    rig.dies(1);
    assertThat(rig.machine.inSync()).as("it may have taken over meanwhile").isEqualTo(A | B);
  }
}
