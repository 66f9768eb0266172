package dev.weir.cluster.protocol;

import static dev.weir.cluster.protocol.MachineRig.A;
import static dev.weir.cluster.protocol.MachineRig.B;
import static dev.weir.cluster.protocol.MachineRig.C;
import static dev.weir.cluster.protocol.MachineRig.END;
import static dev.weir.cluster.protocol.MachineRig.inSync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules for a change of the members, one after another. */
class MemberChangeTest {
  private static final Membership WITH_D = new Membership(List.of("a", "b", "d"), -1);
  private static final Membership WITHOUT_C = new Membership(List.of("a", "b"), -1);

  private static MemberChange replace(String out, String in) {
    return new MemberChange(out, in, false);
  }

  private static MemberChange add(String in) {
    return new MemberChange(null, in, false);
  }

  private static MemberChange remove(String out) {
    return new MemberChange(out, null, false);
  }

  private static String ask(MachineRig rig, MemberChange change) {
    rig.sent.clear();
    return rig.machine.change(change, rig.nowNs);
  }

  private static int asked(MachineRig rig) {
    return (int) rig.sent.stream().filter(c -> c.type() == Control.Type.IN_SYNC).count();
  }

  @Test
  void ofThreeAMemberLeavesTheSetBeforeAnotherOneGetsItsSlot() {
    MachineRig rig = MachineRig.threeInSync();
    assertThat(ask(rig, replace("c", "d"))).isNull();
    assertThat(asked(rig)).as("who stays").isEqualTo(1);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A | B);
    assertThat(rig.last(Control.Type.IN_SYNC).record().voter()).as("the disk of c").isEqualTo(3);
    assertThat(rig.last(Control.Type.IN_SYNC).record().membership()).isNull();
    rig.agrees(1);
    assertThat(asked(rig)).as("who leaves").isEqualTo(2);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
    rig.agrees(2);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    assertThat(rig.last(Control.Type.IN_SYNC).record().voter()).isZero();
    assertThat(rig.last(Control.Type.IN_SYNC).record().membership()).isNull();
    int before = asked(rig);
    rig.agrees(1);
    assertThat(rig.machine.membership().name(2)).isEqualTo("c");
    assertThat(asked(rig)).isEqualTo(before + 1);
    assertThat(rig.last(Control.Type.IN_SYNC).record().membership()).isEqualTo(WITH_D);
    Control last = rig.sent.get(rig.sent.size() - 1);
    rig.agrees(1);
    assertThat(rig.machine.membership()).isEqualTo(WITH_D);
    assertThat(rig.record.membership()).isEqualTo(WITH_D);
    assertThat(rig.done).contains("members a, b, d");
    // The heartbeat to the one that leaves, and to b.
    assertThat(rig.sent.subList(rig.sent.indexOf(last) + 1, rig.sent.size()))
        .hasSize(2)
        .allMatch(control -> WITH_D.equals(control.record().membership()));
    assertThat(rig.machine.isChanged()).isTrue();
  }

  @Test
  void aMemberThatIsSilentLeavesByTheConsentOfTheThird() {
    MachineRig rig = MachineRig.threeInSync();
    ask(rig, replace("c", "d"));
    rig.agrees(1);
    rig.passAnswered(900, 0, 1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
    rig.passAnswered(300, 0, 1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
  }

  @Test
  void aSilentMemberOfTwoInSyncDoesNotLeaveWithoutTheConsentOfTheThird() {
    MachineRig rig = MachineRig.primary(3, 1);
    rig.joins(1);
    rig.machine.onConnected(2, rig.nowNs);
    rig.beats(2, rig.record, 0, rig.end);
    rig.agrees(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    ask(rig, replace("b", "d"));
    rig.passAnswered(2_000, 0, 2);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A);
    rig.agrees(2);
    assertThat(rig.machine.inSync()).isEqualTo(A);
  }

  @Test
  void nothingOfTheOldMemberCountsForTheNewOne() {
    MachineRig rig = MachineRig.threeInSync();
    ask(rig, replace("c", "d"));
    rig.agrees(1);
    rig.agrees(2);
    rig.agrees(1);
    rig.agrees(1);
    rig.answers(2);
    rig.machine.onCaughtUp(2, rig.nowNs);
    rig.answers(1);
    assertThat(rig.machine.said(2)).isNull();
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    rig.machine.onRefused(2, rig.nowNs);
    rig.restartElsewhere(2);
    rig.joins(2);
    rig.agrees(1);
    assertThat(rig.machine.inSync()).as("with d").isEqualTo(A | B | C);
  }

  @Test
  void aLateAnswerOfTheOldMemberProvesNothingOfTheNewOne() {
    MachineRig rig = MachineRig.threeInSync();
    ask(rig, replace("c", "d"));
    rig.agrees(1);
    rig.agrees(2);
    rig.agrees(1);
    rig.agrees(1);
    Control farewell =
        rig.sent.stream()
            .filter(control -> control.type() == Control.Type.HEARTBEAT)
            .filter(control -> WITH_D.equals(control.record().membership()))
            .findFirst()
            .orElseThrow();
    rig.pass(100);
    rig.machine.onConnected(2, rig.nowNs);
    rig.hear(
        2, rig.answer(2, farewell, new GroupRecord(4, -1, 4, A | B, 4).withMembership(WITH_D)));
    assertThat(rig.machine.said(2)).as("said by d").isNull();
    rig.restartElsewhere(2);
    rig.joins(2);
    rig.agrees(1);
    assertThat(rig.machine.inSync()).as("with d").isEqualTo(A | B | C);
  }

  @Test
  void ofTwoTheNewMemberIsInSyncBeforeTheOldOneLeaves() {
    MachineRig rig = MachineRig.primaryOfTwo();
    assertThat(ask(rig, replace("b", "c"))).isNull();
    assertThat(rig.machine.membership().size()).isEqualTo(2);
    rig.agrees(1);
    assertThat(rig.machine.membership().names()).containsExactly("a", "b", "c");
    assertThat(rig.machine.isChanged()).isFalse();
    newMemberJoinsAndOldOneLeaves(rig);
  }

  /** The second half of a replacement of b by c, in which c has the third place. */
  private static void newMemberJoinsAndOldOneLeaves(MachineRig rig) {
    rig.joins(2);
    rig.agrees(1);
    rig.agrees(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
    rig.sent.clear();
    rig.passAnswered(100, 0, 1, 2);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A | C);
    rig.agrees(2);
    rig.agrees(1);
    rig.agrees(2);
    rig.agrees(2);
    assertThat(rig.machine.inSync()).isEqualTo(A | C);
    assertThat(rig.machine.membership().names()).containsExactly("a", "", "c");
    assertThat(rig.machine.isChanged()).isTrue();
  }

  /** The primary after one that made the first step of a replacement: b by c. */
  private static MachineRig halfReplaced(int minInSync) {
    Membership both = new Membership(List.of("a", "b", "c"), -1);
    MachineRig rig = new MachineRig(2, minInSync, 0, GroupRecord.ofPrimary(0, 3, both));
    rig.pass(MachineRig.TAKEOVER_MS);
    rig.joins(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
    return rig;
  }

  @Test
  void aReplacementThatAnotherPrimaryBeganGoesOnWhenItIsAskedForAgain() {
    MachineRig rig = halfReplaced(2);
    assertThat(ask(rig, replace("b", "c"))).isNull();
    assertThat(rig.machine.isChanged()).isFalse();
    assertThat(asked(rig)).as("before c has caught up").isZero();
    newMemberJoinsAndOldOneLeaves(rig);
  }

  @Test
  void aReplacementOfTwoThatAreBothMembersIsRefusedIfItWouldNotBeOne() {
    MachineRig rig = halfReplaced(1);
    assertThat(ask(rig, replace("a", "c"))).contains("member is a, which is the primary");
    assertThat(ask(rig, replace("b", "b"))).contains("by is b, allowed is one");
    assertThat(ask(MachineRig.primaryOfTwo(), replace("b", "a"))).contains("by is a, allowed");
  }

  @Test
  void aPrimaryAloneAddsAMemberAtOnceAndGoesOnWithoutIt() {
    MachineRig rig = MachineRig.primary(1, 1);
    assertThat(ask(rig, add("b"))).isNull();
    assertThat(rig.machine.membership()).isEqualTo(WITHOUT_C);
    assertThat(rig.mayAccept()).isTrue();
    rig.joins(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B);
  }

  @Test
  void aBackupThatStoredAThirdMemberTakesOverByVoteOnly() {
    MachineRig rig = MachineRig.backup(2, 1);
    GroupRecord told =
        new GroupRecord(4, -1, 4, A | B, 3)
            .withMembership(new Membership(List.of("a", "b", "c"), -1));
    rig.hear(0, rig.told(Control.Type.IN_SYNC, 0, told, 0, END, Control.COUNTED));
    assertThat(rig.last(Control.Type.IN_SYNC_ACK)).isNotNull();
    rig.pass(1_100);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    rig.pass(3_000);
    assertThat(rig.done).noneMatch(what -> what.startsWith("lead"));
  }

  @Test
  void theLinksHearOfAChangeThatTheOptionsHaveAlready() {
    MachineRig rig = MachineRig.backup(3, 1);
    GroupRecord told =
        inSync(4, A | B | C, 3).withMembership(new Membership(List.of("a", "b", "c"), -1));
    rig.hear(0, rig.told(Control.Type.HEARTBEAT, 0, told, 0, END, Control.COUNTED));
    assertThat(rig.done).contains("members a, b, c");
  }

  @Test
  void aBackupThatStoredASetNotInUseDoesNotTakeOverAlone() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.primaryVouches(A | B | C, 2);
    rig.hear(0, rig.told(Control.Type.IN_SYNC, 0, inSync(4, A | B, 3), 0, END, Control.COUNTED));
    assertThat(rig.record.inSync()).isEqualTo(A | B);
    rig.dies(0);
    rig.pass(3_000);
    // The third may go by the set that has it, and follow the first when that is back.
    assertThat(rig.done).noneMatch(what -> what.startsWith("lead"));
  }

  @Test
  void aBackupThatStoredASetInUseTakesOverAlone() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.primaryVouches(A | B | C, 2);
    rig.hear(0, rig.told(Control.Type.IN_SYNC, 0, inSync(4, A | B, 3), 0, END, Control.COUNTED));
    rig.primaryBeats(A | B, 3);
    rig.dies(0);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void aBackupThatStoredASetNotInUseTakesOverByTheVoteOfTheOneThatLeaves() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.beats(2, inSync(4, A | B | C, 2), 0, END);
    rig.primaryVouches(A | B | C, 2);
    GroupRecord told = new GroupRecord(4, -1, 4, A | B, 3, rig.record.disks(), 0, 3);
    rig.hear(0, rig.told(Control.Type.IN_SYNC, 0, told, 0, END, Control.COUNTED));
    rig.dies(0);
    assertThat(rig.machine.role()).isEqualTo(Role.CANDIDATE);
    rig.votes(2, rig.last(Control.Type.VOTE_REQUEST).epoch());
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void aBackupOfTwoThatWereThreeTakesOverAlone() {
    MachineRig rig = MachineRig.backup(3, 1);
    GroupRecord told = new GroupRecord(4, -1, 4, A | B, 3).withMembership(WITHOUT_C);
    rig.hear(0, rig.told(Control.Type.HEARTBEAT, 0, told, 0, END, Control.COUNTED));
    rig.pass(1_100);
    assertThat(rig.machine.role()).isEqualTo(Role.PRIMARY);
    assertThat(rig.record.membership()).as("kept by the next primary").isEqualTo(WITHOUT_C);
  }

  @Test
  void whoIsTakenOutNeitherStandsNorVotes() {
    MachineRig rig = MachineRig.backup(3, 2);
    GroupRecord told = new GroupRecord(4, -1, 4, A | B, 3).withMembership(WITH_D);
    rig.hear(0, rig.told(Control.Type.HEARTBEAT, 0, told, 0, END, 0));
    assertThat(rig.machine.exclusion())
        .isEqualTo("c is not a member any more, the members are a, b, d");
    assertThat(rig.machine.role()).isEqualTo(Role.WAITING);
    rig.pass(3_000);
    assertThat(rig.machine.reason()).contains("is not a member any more, the members are a, b, d");
    rig.beats(1, told, -1, END);
    rig.wantsVote(1, 9, told, END, Control.CONTINUOUS);
    assertThat(rig.lastVoteIsGranted()).isFalse();
  }

  @Test
  void whoRunsForAnotherPartThanTheGroupGivesItEnds() {
    MachineRig rig = MachineRig.backup(3, 2);
    Membership witness = new Membership(List.of("a", "b", "c"), 2);
    GroupRecord told = new GroupRecord(4, -1, 4, A | B, 3).withMembership(witness);
    assertThat(rig.machine.exclusion()).isNull();
    rig.hear(0, rig.told(Control.Type.HEARTBEAT, 0, told, 0, END, 0));
    assertThat(rig.machine.exclusion())
        .isEqualTo("c runs as a member that holds messages, and is the witness");
  }

  @Test
  void whoMissedAChangeLearnsItFromAnyMember() {
    MachineRig rig = MachineRig.backup(3, 1);
    rig.pass(1_100);
    GroupRecord later = new GroupRecord(5, -1, 5, A, 3).withMembership(WITH_D);
    rig.beats(0, later, -1, END);
    assertThat(rig.record.membership()).isEqualTo(WITH_D);
    assertThat(rig.done).contains("members a, b, d");
    assertThat(rig.machine.isContinuous()).isFalse();
  }

  @Test
  void aChangeThatLeavesTooFewInSyncWaits() {
    MachineRig rig = MachineRig.primary(3, 2);
    rig.joins(2);
    assertThat(ask(rig, replace("c", "d"))).isNull();
    rig.passAnswered(200, 0, 2);
    assertThat(rig.machine.inSync()).isEqualTo(A | C);
    rig.joins(1);
    rig.agrees(2);
    rig.agrees(2);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
    rig.passAnswered(100, 0, 1, 2);
    assertThat(rig.last(Control.Type.IN_SYNC).record().inSync()).isEqualTo(A | B);
  }

  @Test
  void whatDoesNotGoWithTheMembersIsRefused() {
    MachineRig three = MachineRig.threeInSync();
    assertThat(ask(three, replace("x", "d")))
        .isEqualTo("member is x, allowed is one of the members, which are a, b, c");
    assertThat(ask(three, replace("c", "b")))
        .isEqualTo("by is b, allowed is one that is no member yet, the members are a, b, c");
    assertThat(ask(three, add("d")))
        .isEqualTo("member is d, allowed are 3 members, and they are a, b, c");
    assertThat(ask(three, remove("a"))).contains("member is a, which is the primary");
    assertThat(ask(three, replace("c", "d"))).isNull();
    assertThat(ask(three, remove("b"))).contains("another change");
    assertThat(ask(MachineRig.primary(2, 2), remove("b"))).contains("minInSync");
    MachineRig two = MachineRig.primary(2, 1);
    assertThat(ask(two, new MemberChange(null, "w", true))).isNull();
    assertThat(two.machine.membership().witness()).isEqualTo(2);
    assertThat(ask(two, remove("b"))).contains("is w first");
    assertThat(ask(MachineRig.primary(2, 1), new MemberChange(null, "b", true)))
        .startsWith("member is b, allowed is one that is no member yet");
    assertThat(ask(MachineRig.backup(2, 1), add("c"))).contains("not primary");
    MachineRig pair = MachineRig.continuingPrimary();
    assertThat(ask(pair, add("c"))).contains("PRIMARY_CONTINUES, which is for two");
    assertThat(ask(pair, replace("b", "c"))).as("three for a while").isNull();
  }

  @Test
  void aWitnessTakesWhicheverPlaceIsVacantAndIsNeverPreferred() {
    Membership two = new Membership(List.of(Membership.VACANT, "b", "d"), -1);
    assertThat(new MemberChange(null, "w", true).isMade(two)).isFalse();
    Membership three = MemberSteps.of(new MemberChange(null, "w", true), two).due(B | C, 2).next();
    assertThat(three.names()).containsExactly("w", "b", "d");
    assertThat(three.witness()).isZero();
    assertThat(three.preferred()).isEqualTo(1);
    assertThat(three.holders()).isEqualTo(2);
  }

  @Test
  void aChangeThatWaitsGivesWayToAnother() {
    MachineRig rig = MachineRig.primaryOfTwo();
    ask(rig, replace("b", "c"));
    rig.agrees(1);
    rig.passAnswered(100, 0, 1);
    assertThat(ask(rig, remove("c"))).isNull();
    rig.agrees(1);
    assertThat(rig.machine.membership()).isEqualTo(WITHOUT_C);
  }

  @Test
  void aChangeThatIsMadeAlreadyIsNoChange() {
    MachineRig rig = MachineRig.threeInSync();
    assertThat(ask(rig, remove("d"))).isNull();
    assertThat(rig.machine.isChanged()).isTrue();
    assertThat(asked(rig)).isZero();
  }

  @Test
  void theNamesTravelWithTheRecordAndOnlyIfTheyChanged() {
    GroupRecord record = new GroupRecord(4, -1, 4, A | B, 3, 7, 0, 8);
    for (Membership members : new Membership[] {null, WITH_D, WITHOUT_C}) {
      Control sent =
          new Control(
              Control.Type.HEARTBEAT,
              record.withMembership(members),
              1,
              2,
              3,
              4,
              5,
              0,
              END,
              Control.COUNTED);
      java.nio.ByteBuffer out = java.nio.ByteBuffer.allocate(Control.BYTES);
      sent.encode(out, false, 1);
      assertThat(out.position())
          .isEqualTo(
              members == null
                  ? 116
                  : 116 + 1 + 3 + members.names().stream().mapToInt(String::length).sum());
      assertThat(Control.decode(out.flip())).isEqualTo(sent);
    }
  }
}
