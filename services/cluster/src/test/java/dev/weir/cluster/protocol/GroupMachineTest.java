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

/** The rules, each by the shortest story that needs it. Members are a, b, c: 0, 1, 2. */
@Timeout(60)
class GroupMachineTest {

  // How a group begins.

  @Test
  void aGroupOfOneHasAPrimaryAtOnce() {
    MachineRig rig = new MachineRig(1, 1, 0, GroupRecord.NONE);
    rig.machine.tick(rig.nowNs);
    assertThat(rig.done).containsExactly("lead 1");
    assertThat(rig.record).isEqualTo(inSync(1, A, 0));
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aNewGroupBeginsWhenAllMembersHaveVotedForTheFirst() {
    MachineRig rig = new MachineRig(3, 1, 0, GroupRecord.NONE);
    rig.connectAll();
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.machine.reason()).isEqualTo("has no history, waits for c");
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    rig.votes(1, 1);
    assertThat(rig.done).isEmpty();
    rig.votes(2, 1);
    assertThat(rig.done).containsExactly("lead 1");
  }

  @Test
  void aMemberWithoutHistoryDoesNotVoteForOneThatHasSome() {
    MachineRig rig = new MachineRig(3, 1, 1, GroupRecord.NONE);
    rig.pass(2_000);
    rig.connectAll();
    rig.beats(2, inSync(3, A | C, 1), -1, END);
    rig.wantsVote(2, 4, inSync(3, A | C, 1), END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
  }

  // Who accepts.

  @Test
  void aMemberThatHasCaughtUpComesIntoTheSet() {
    MachineRig rig = MachineRig.primaryOfTwo();
    assertThat(rig.record).isEqualTo(inSync(4, A | B, 1));
    assertThat(rig.last(Control.Type.HEARTBEAT).record().inSync()).isEqualTo(A | B);
  }

  @Test
  void ofThreeAMemberComesIntoTheSetWhenTheOthersInItHaveStoredThat() {
    MachineRig rig = MachineRig.primary(3, 1);
    rig.joins(1);
    rig.joins(2);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    rig.agrees(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
  }

  @Test
  void aPrimaryAcceptsWithEnoughMembersInSync() {
    MachineRig rig = MachineRig.primary(2, 2);
    assertThat(rig.mayAccept()).isFalse();
    assertThat(rig.machine.reason()).isEqualTo("in sync are a, asked for are 2 members");
    rig.joins(1);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aPrimaryAcceptsAsLongAsAllInSyncHaveAnsweredWithinTheLease() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.pass(600);
    assertThat(rig.mayAccept()).isTrue();
    rig.pass(1);
    assertThat(rig.mayAccept()).isFalse();
    assertThat(rig.machine.reason()).startsWith("waits for b");
    rig.answers(1);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aPrimaryThatWasStoppedAcceptsNothingBeforeANewAnswer() {
    MachineRig rig = MachineRig.primaryOfTwo();
    Control unread = rig.told(Control.Type.HEARTBEAT_ACK, 1, rig.record, 0, rig.end, 0);
    rig.stopped(10_000);
    assertThat(rig.mayAccept()).isFalse();
    rig.machine.tick(rig.nowNs);
    rig.hear(1, unread);
    assertThat(rig.mayAccept()).isFalse();
  }

  @Test
  void anAnswerOfAnotherEpochIsNoLease() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.pass(700);
    rig.hear(1, rig.told(Control.Type.HEARTBEAT_ACK, 1, inSync(3, A, 0), 0, rig.end, 0));
    assertThat(rig.mayAccept()).isFalse();
  }

  // Who is dropped.

  @Test
  void aMemberThatIsGoneIsDroppedIfItCannotHaveTakenOverBefore() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.pass(800);
    rig.machine.onLost(1, rig.nowNs);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    assertThat(rig.mayAccept()).isFalse();
    rig.machine.onRefused(1, rig.nowNs);
    assertThat(rig.record).isEqualTo(inSync(4, A, 2));
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aMemberThatIsGoneIsKeptIfItMayHaveTakenOverBefore() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.pass(850);
    rig.dies(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    assertThat(rig.mayAccept()).isFalse();
  }

  @Test
  void aMemberThatRestartedAndDidNotTakeOverIsDropped() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.pass(5_000);
    rig.restart(1);
    rig.beats(1, inSync(4, A | B, 1), -1, rig.end);
    assertThat(rig.machine.inSync()).isEqualTo(A);
    rig.answers(1);
    assertThat(rig.machine.inSync()).as("it has to catch up again").isEqualTo(A);
  }

  @Test
  void ofTwoASilentMemberIsNotDropped() {
    MachineRig rig = MachineRig.primaryOfTwo();
    rig.pass(100_000);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    assertThat(rig.mayAccept()).isFalse();
  }

  @Test
  void ofThreeASilentMemberIsDroppedWithTheConsentOfTheThird() {
    MachineRig rig = MachineRig.threeInSync();
    for (int i = 0; i < 30; i++) {
      int asked = i < 19 ? A | B | C : A | B;
      rig.pass(50);
      rig.answers(1);
      assertThat(rig.last(Control.Type.IN_SYNC).record().inSync())
          .as("after " + i)
          .isEqualTo(asked);
    }
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
    assertThat(rig.mayAccept()).isFalse();
    rig.agrees(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    assertThat(rig.mayAccept()).isTrue();
  }

  @Test
  void aMemberThatAnswersBeforeTheConsentStaysAndTheConsentCountsNoMore() {
    MachineRig rig = MachineRig.threeInSync();
    for (int i = 0; i < 30; i++) {
      rig.pass(50);
      rig.answers(1);
    }
    long proposed = rig.last(Control.Type.IN_SYNC).record().version();
    rig.answers(2);
    assertThat(rig.record).isEqualTo(inSync(4, A | B | C, proposed + 1));
    rig.agrees(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
  }

  // Following.

  @Test
  void aPrimaryOfAHigherEpochIsFollowed() {
    MachineRig rig = MachineRig.primary(2, 1);
    rig.machine.onConnected(1, rig.nowNs);
    rig.beats(1, inSync(5, B, 0), 1, rig.end);
    assertThat(rig.done).containsExactly("lead 4", "idle", "follow 1 in 5");
    assertThat(rig.record).isEqualTo(inSync(5, B, 0));
    assertThat(rig.machine.accepts(1, 5)).isTrue();
    assertThat(rig.machine.accepts(1, 4)).isFalse();
  }

  @Test
  void aPrimaryOfALowerEpochIsToldTheHigherOne() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(2, C, 0), 2, END);
    assertThat(rig.machine.primary()).isZero();
    assertThat(rig.last(Control.Type.HEARTBEAT_ACK).epoch()).isEqualTo(4);
  }

  @Test
  void aPromiseOfAHigherEpochEndsAPrimary() {
    MachineRig rig = MachineRig.threeInSync();
    rig.beats(1, new GroupRecord(5, 2, 4, A | B, 1), -1, rig.end);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.done).containsExactly("lead 4", "idle");
  }

  @Test
  void aPrimaryAloneInTheSetGoesOnInAHigherEpoch() {
    MachineRig rig = MachineRig.primary(3, 1);
    rig.machine.onConnected(1, rig.nowNs);
    rig.beats(1, new GroupRecord(5, 2, 3, A | B, 0), -1, rig.end);
    assertThat(rig.done).containsExactly("lead 4", "idle", "lead 6");
  }

  @Test
  void dataOfAHigherEpochEndsAPrimary() {
    MachineRig rig = MachineRig.primary(2, 1);
    rig.machine.onEpoch(1, 9, rig.nowNs);
    assertThat(rig.mayAccept()).isFalse();
    assertThat(rig.done).containsExactly("lead 4", "idle");
  }

  @Test
  void whatWasMeantForTheProcessBeforeIsNotRead() {
    MachineRig rig = new MachineRig(2, 1, 1, inSync(4, A | B, 1));
    rig.nowNs += 1;
    rig.connectAll();
    Control meant = rig.told(Control.Type.HEARTBEAT_ACK, 0, inSync(4, A | B, 1), 0, rig.end, 0);
    Control stale = MachineRig.to(meant.receiver() - 1, meant, 0);
    rig.hear(0, stale);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    rig.hear(0, meant);
    assertThat(rig.machine.role()).isEqualTo(Role.BACKUP);
  }

  // Taking over from two.

  @Test
  void ofTwoABackupTakesOverAtOnceWhenThePrimaryIsGone() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.machine.onLost(0, rig.nowNs);
    assertThat(rig.machine.role()).isEqualTo(Role.BACKUP);
    rig.machine.onRefused(0, rig.nowNs);
    assertThat(rig.done).containsExactly("follow 0 in 4", "idle", "lead 5");
    assertThat(rig.record).isEqualTo(inSync(5, B, 0));
  }

  @Test
  void ofTwoABackupTakesOverWhenThePrimaryWasSilentForLongEnough() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.pass(999);
    assertThat(rig.machine.role()).isEqualTo(Role.BACKUP);
    rig.pass(1);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void ofTwoABackupTakesOverWhenThePrimaryHasRestarted() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.restart(0);
    rig.beats(0, inSync(4, A | B, 2), -1, rig.end);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void aBackupTakesOverAtOnceWhenThePrimaryStepsDown() {
    MachineRig primary = MachineRig.primary(2, 1);
    primary.joins(1);
    primary.machine.stepDown("is shut down", -1, primary.nowNs);
    assertThat(primary.mayAccept()).isFalse();
    assertThat(primary.last(Control.Type.HEARTBEAT).primary()).isEqualTo(-1);

    MachineRig backup = MachineRig.backup(2, 1);
    backup.beats(0, inSync(4, A | B, 2), -1, END);
    assertThat(backup.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void aBackupThatWasStoppedListensBeforeItTakesOver() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.stopped(10_000);
    rig.machine.tick(rig.nowNs);
    assertThat(rig.machine.role()).isEqualTo(Role.BACKUP);
    rig.pass(1_000);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void aBackupOutOfSyncDoesNotTakeOver() {
    MachineRig rig = MachineRig.backup(2, 1);
    rig.primaryBeats(A, 3);
    rig.dies(0);
    rig.pass(10_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason()).isEqualTo("is not in sync, waits for a");
  }

  @Test
  void aBackupWhoseLogIsShorterThanThePrimarySaidDoesNotTakeOver() {
    MachineRig rig = new MachineRig(2, 1, 1, inSync(3, A, 0));
    rig.end = END;
    rig.connectAll();
    rig.beats(0, inSync(4, A | B, 1), 0, new LogEnd(4, 11));
    rig.dies(0);
    rig.pass(10_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  // Taking over from three.

  @Test
  void ofThreeABackupTakesOverWithOneVote() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(4, A | B | C, 2), 0, END);
    rig.pass(1_000);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    rig.pass(10_000);
    assertThat(rig.done).doesNotContain("lead 5");
    rig.beats(2, inSync(4, A | B | C, 2), -1, END);
    rig.votes(2, rig.last(Control.Type.VOTE_REQUEST).epoch());
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void theLastInSyncTakesOverAloneIfThePrimaryHasJustVouchedForIt() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.primaryBeats(A | B, 3);
    rig.primaryVouches(A | B, 3);
    rig.pass(300);
    rig.dies(0);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void theLastInSyncAsksForAVoteIfItMayHaveBeenDropped() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(4, A | B, 3), 0, END);
    rig.primaryBeats(A | B, 3);
    rig.primaryVouches(A | B, 3);
    rig.pass(700);
    rig.dies(0);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
  }

  @Test
  void anotherInSyncThatMayLiveHasToVote() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(4, A | B | C, 2), 0, END);
    rig.primaryVouches(A | B | C, 2);
    rig.dies(0);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    rig.dies(2);
    assertThat(rig.machine.role()).as("all others are gone").isEqualTo(Role.PRIMARY);
  }

  // VotePolicy.

  @Test
  void aBackupThatHearsThePrimaryDoesNotVote() {
    MachineRig rig = voter();
    rig.primaryBeats(A | B | C, 2);
    rig.wantsVote(2, 5, inSync(4, A | B | C, 2), END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
  }

  @Test
  void aMemberVotesOncePerEpochAndStoresItFirst() {
    MachineRig rig = voterWithoutPrimary();
    rig.wantsVote(2, 5, inSync(4, A | B | C, 2), END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isTrue();
    assertThat(rig.record).isEqualTo(new GroupRecord(5, 2, 4, A | B | C, 2));
    rig.wantsVote(0, 5, inSync(4, A | B | C, 2), END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
    rig.wantsVote(2, 5, inSync(4, A | B | C, 2), END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).as("asked again").isTrue();
  }

  @Test
  void aVoteBindsUntilTheCandidateSaysThatItGaveUp() {
    MachineRig rig = voterWithoutPrimary();
    rig.wantsVote(2, 5, inSync(4, A | B | C, 2), END, Control.CONTINUOUS);
    rig.wantsVote(0, 6, inSync(4, A | B | C, 2), END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
    GroupRecord same = inSync(4, A | B | C, 2);
    rig.hear(2, rig.told(Control.Type.HEARTBEAT, 2, same, -1, END, Control.CANDIDATE));
    rig.pass(10_000);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason()).startsWith("voted for c in epoch 5");
    rig.beats(2, inSync(4, A | B | C, 2), -1, END);
    assertThat(rig.record.hasVoted()).isFalse();
  }

  @Test
  void aCandidateThatKnowsAnEarlierInSyncSetGetsNoVote() {
    MachineRig rig = voterWithoutPrimary();
    rig.wantsVote(2, 5, inSync(4, A | B | C, 1), END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
  }

  @Test
  void ofTwoCandidatesTheOneThatHoldsMoreOrElseTheFirstGetsTheVote() {
    MachineRig rig = voterWithoutPrimary();
    rig.pass(100);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    GroupRecord same = inSync(4, A | B | C, 2);
    rig.wantsVote(2, 6, same, END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
    rig.wantsVote(2, 6, same, new LogEnd(3, 11), Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isTrue();
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
  }

  @Test
  void ofThreeAMemberThatHasJustStartedDoesNotVote() {
    MachineRig rig = new MachineRig(3, 1, 1, inSync(4, A | B | C, 2));
    rig.end = END;
    rig.connectAll();
    rig.beats(2, inSync(4, A | B | C, 2), -1, END);
    rig.wantsVote(2, 5, inSync(4, A | B | C, 2), END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
    rig.pass(1_000);
    rig.wantsVote(2, 6, inSync(4, A | B | C, 2), END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isTrue();
  }

  @Test
  void ofThreeAPrimaryThatVouchedForAMemberDoesNotHelpAnotherSoonAfter() {
    MachineRig rig = MachineRig.threeInSync();
    rig.pass(2_000);
    rig.answers(1);
    rig.answers(2);
    rig.beats(2, inSync(4, A | B | C, 2), 0, rig.end);
    assertThat(rig.last(Control.Type.HEARTBEAT_ACK).has(Control.VOUCHED)).isTrue();
    rig.machine.stepDown("is shut down", -1, rig.nowNs);
    rig.wantsVote(1, 5, rig.record, rig.end, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
    rig.pass(1_000);
    rig.wantsVote(1, 6, rig.record, rig.end, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isTrue();
  }

  private static MachineRig voter() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(4, A | B | C, 2), 0, END);
    return rig;
  }

  /** Has lost primary a, and has not asked c for its vote yet. */
  private static MachineRig voterWithoutPrimary() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.pass(1_000);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    rig.pass(600);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    rig.beats(2, inSync(4, A | B | C, 2), -1, END);
    return rig;
  }

  // After a restart.

  @Test
  void aMemberThatWasAloneInTheSetIsPrimaryWhenAllOthersHaveSpoken() {
    MachineRig rig = new MachineRig(3, 1, 1, inSync(4, B, 7));
    rig.connectAll();
    rig.beats(0, inSync(4, B, 7), -1, END);
    assertThat(rig.done).isEmpty();
    rig.beats(2, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.done).containsExactly("lead 5");
  }

  @Test
  void aMemberThatWasAloneInTheSetIsPrimaryWhenTheOthersHadTimeToSpeak() {
    MachineRig rig = new MachineRig(2, 1, 1, inSync(4, B, 7));
    rig.pass(MachineRig.TAKEOVER_MS - 50);
    assertThat(rig.done).isEmpty();
    assertThat(rig.machine.reason()).isEqualTo("has just started, asks a for a later primary");
    rig.pass(50);
    assertThat(rig.done).containsExactly("lead 5");
  }

  @Test
  void aMemberThatWasAloneInTheSetFollowsALaterPrimaryItHearsOfAtItsStart() {
    MachineRig rig = new MachineRig(2, 1, 0, inSync(4, A, 7));
    rig.connectAll();
    rig.beats(1, inSync(9, B, 0), 1, END);
    rig.pass(10 * MachineRig.TAKEOVER_MS);
    assertThat(rig.done).first().isEqualTo("follow 1 in 9");
    assertThat(rig.done).doesNotContain("lead 5");
  }

  @Test
  void aMemberThatWasNotAloneInTheSetWaitsForTheOthers() {
    MachineRig rig = new MachineRig(3, 1, 0, inSync(4, A | B, 7));
    rig.end = END;
    rig.connectAll();
    rig.beats(2, inSync(4, A, 0), -1, END);
    rig.pass(10_000);
    assertThat(rig.machine.reason())
        .isEqualTo("waits for b: it may hold messages acknowledged after this member was lost");
    rig.beats(1, inSync(4, A | B, 7), -1, END);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    rig.votes(1, 5);
    assertThat(rig.done).containsExactly("lead 5");
  }

  @Test
  void ofRestartedMembersTheOneThatHoldsMoreIsPrimary() {
    MachineRig rig = new MachineRig(2, 1, 0, inSync(4, A | B, 7));
    rig.end = END;
    rig.connectAll();
    rig.beats(1, inSync(4, A | B, 7), -1, new LogEnd(3, 11));
    assertThat(rig.machine.reason()).isEqualTo("waits for b to become primary");
    rig.wantsVote(1, 5, inSync(4, A | B, 7), new LogEnd(3, 11), 0);
    assertThat(rig.lastVoteIsGranted()).isTrue();
  }

  @Test
  void aLaterInSyncSetIsBelievedFromAnybodyWhileThereIsNoPrimary() {
    MachineRig rig = new MachineRig(3, 1, 0, inSync(4, A | B, 7));
    rig.connectAll();
    rig.beats(2, inSync(4, A | B | C, 8), -1, END);
    assertThat(rig.record).isEqualTo(inSync(4, A | B | C, 8));
  }

  @Test
  void aMemberThatWasInSyncAndLostItsHistoryIsWaitedFor() {
    MachineRig rig = new MachineRig(2, 1, 0, inSync(4, A | B, 7));
    rig.connectAll();
    rig.beats(1, GroupRecord.NONE, -1, LogEnd.EMPTY);
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    assertThat(rig.machine.reason())
        .isEqualTo(
            "waits for b: it was in sync and has no history now; force-primary goes on without what"
                + " it held");
  }
}
