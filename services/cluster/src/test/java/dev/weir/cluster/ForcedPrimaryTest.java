package dev.weir.cluster;

import static dev.weir.cluster.log.TestBatches.append;
import static dev.weir.cluster.log.TestBatches.batch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.JeTransactionLog;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.Handling;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ForcedPrimaryTest {
  private static final List<String> MEMBERS = List.of("m0", "m1", "m2");

  @TempDir Path directory;
  private TestGroup group;

  @AfterEach
  void close() {
    if (group != null) {
      group.close();
    }
  }

  private void start(GroupOptions options, int members) {
    group = new TestGroup(options, members, directory, false).startAll();
    group.awaitInSync(members);
  }

  /** For one that is alone in sync, and for as long gives the others time to speak. */
  private static GroupOptions impatient(GroupOptions options) {
    return options.setLeaseMs(1_000).setTakeoverMs(2_000);
  }

  private void startForced(int member) {
    impatient(group.options);
    group.start(member);
    assertThat(group.awaitPrimary()).isEqualTo(member);
  }

  private ForcedPrimary open(int member) {
    return ForcedPrimary.open(group.directory(member), group.options.getMembers(), "m" + member);
  }

  private ForcedPrimary.Standing force(int member) {
    try (ForcedPrimary forced = open(member)) {
      return forced.force();
    }
  }

  /** Messages go to one member alone, which is lost then; returns it. */
  private int loseLastInSync(int left, long from, long to) {
    group.kill(left);
    int last = group.awaitPrimary();
    Await.until(
        () -> "it goes on alone: " + group.describe(),
        () -> group.member(last).stats().inSync() == 1);
    group.send(from, to);
    group.kill(last);
    return last;
  }

  @Test
  void aGroupGoesOnWithTheForcedMemberAndTheOneThatWasTakenForLostFollowsIt() {
    start(TestGroup.patient(), 2);
    group.send(1, 50);
    int left = 1 - group.primary();
    int lost = loseLastInSync(left, 51, 100);
    group.start(left);
    Await.until(
        () -> "it waits for the lost one: " + group.describe(),
        () -> group.member(left).stats().reason().contains("waits for m" + lost));
    assertThatThrownBy(() -> open(left))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is in use by this process");
    group.kill(left);

    try (ForcedPrimary forced = open(left)) {
      ForcedPrimary.Standing before = forced.standing();
      assertThat(before.refusal()).isNull();
      assertThat(before.inSync()).contains("m" + lost);
      assertThat(before.logEnd()).isEqualTo(50);
      ForcedPrimary.Standing after = forced.force();
      assertThat(after.inSync()).containsExactly("m" + left);
      assertThat(after.epoch()).isGreaterThan(before.epoch()).isEqualTo(after.inSyncEpoch());
      assertThat(after.logEnd()).isEqualTo(50);
      assertThatThrownBy(forced::force).hasMessageContaining("it is alone in sync");
    }
    startForced(left);
    group.send(51, 60);

    returns(lost, left);
    group.send(61, 70);
    awaitSameEnds();
    List<Map<Long, ByteBuffer>> logs = group.closeAndReadLogs();
    assertThat(logs.get(lost)).isEqualTo(logs.get(left));
  }

  /** The lost one takes nothing, whatever it is offered, and comes into sync. */
  private void returns(int lost, int primary) {
    GroupOptions patient = TestGroup.patient();
    group.options.setLeaseMs(patient.getLeaseMs()).setTakeoverMs(patient.getTakeoverMs());
    group.start(lost);
    Await.until(
        () -> "the lost one is in sync again: " + group.describe(),
        () -> {
          assertThat(group.offer(lost, 1000)).isEqualTo(OfferResult.NOT_PRIMARY);
          return group.member(primary).stats().inSync() == 2;
        });
    // Its lease may be over for a moment on a machine that stands still.
    assertThat(group.awaitPrimary()).isEqualTo(primary);
    assertThat(group.member(lost).stats().accepted()).isZero();
  }

  private void awaitSameEnds() {
    Await.until(
        () -> "both have the same end: " + group.describe(),
        () -> group.member(0).stats().logEnd() == group.member(1).stats().logEnd());
  }

  @Test
  void aReturningMemberWhoseLogDoesNotReachBackToTheForcedHistoryBeginsAnew() throws IOException {
    start(TestGroup.patient(), 2);
    group.send(1, 10);
    int left = 1 - group.primary();
    int lost = loseLastInSync(left, 11, 60);
    replaceBySnapshot(lost);
    force(left);
    startForced(left);
    group.send(11, 20);

    returns(lost, left);
    group.send(21, 30);
    awaitSameEnds();
    assertThat(group.member(lost).stats().logStart()).isZero();
    List<Map<Long, ByteBuffer>> logs = group.closeAndReadLogs();
    assertThat(logs.get(lost)).isEqualTo(logs.get(left)).isNotEmpty();
  }

  /** The log keeps a snapshot of its end, and no batch before it. */
  private void replaceBySnapshot(int member) throws IOException {
    GroupOptions options = group.options;
    int maxBytes = options.getMaxMessageBytes();
    try (TransactionLog log = JeTransactionLog.open(group.directory(member))) {
      Sessions sessions = new Sessions(options.getReplyWindow(), maxBytes, 10, 600_000);
      Handling handling = new EventSourcing(new SumProcessor(), sessions, maxBytes);
      LogEnd end = new History(options, log, sessions, handling).end();
      log.saveSnapshot(
          end,
          out -> {
            sessions.view().save(out, 1);
            handling.view().save(out);
          });
      log.trim(end.position());
      assertThat(log.start()).isEqualTo(60);
    }
  }

  @Test
  void ofTwoMembersThatWereForcedOneTakesOverTheHistoryOfTheOther() {
    start(TestGroup.patient(), 3);
    group.send(1, 10);
    int lost = group.primary();
    group.close();
    int first = (lost + 1) % 3;
    int second = (lost + 2) % 3;
    // Each goes on alone, and answers the same numbers.
    long firstEpoch = goOnAlone(first, 20);
    long secondEpoch = goOnAlone(second, 15);
    assertThat(firstEpoch).isNotEqualTo(secondEpoch);

    group = new TestGroup(impatient(TestGroup.patient()), 3, directory, false);
    group.start(first);
    group.start(second);
    int higher = firstEpoch > secondEpoch ? first : second;
    // The one with the higher epoch leads, unless the machine stands still for so long as a
    // takeover.
    Await.until(
        () -> "both are in sync: " + group.describe(),
        () ->
            Stream.of(first, second)
                .map(member -> group.member(member).stats())
                .anyMatch(stats -> stats.accepting() && stats.inSync() == 2));
    List<Map<Long, ByteBuffer>> logs = group.closeAndReadLogs();
    assertThat(logs.get(first)).isEqualTo(logs.get(second));
    assertThat(logs.get(higher).values().stream().mapToInt(batch -> Batch.count(batch, 0)).sum())
        .isEqualTo(higher == first ? 20 : 15);
  }

  /** Returns the epoch in which it does. */
  private long goOnAlone(int member, long to) {
    group = new TestGroup(TestGroup.patient(), 3, directory, false);
    force(member);
    startForced(member);
    group.send(11, to);
    long epoch = group.member(member).stats().epoch();
    group.close();
    return epoch;
  }

  @Test
  void aDirectoryWithoutALogIsRefusedAndStaysAsItIs() {
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> ForcedPrimary.open(none, MEMBERS, "m0"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("there is no log in " + none);
    assertThatThrownBy(() -> ForcedPrimary.open(directory, MEMBERS, "m0"))
        .hasMessage("there is no log in " + directory);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void membersThatAreNotTheGroupsAreRefused() {
    try (TransactionLog log = JeTransactionLog.open(directory)) {
      log.save(new GroupRecord(4, -1, 4, 0b100, 1));
    }
    assertThatThrownBy(() -> ForcedPrimary.open(directory, MEMBERS.subList(0, 2), "m0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("members is [m0, m1], allowed are those of the group");
    assertThatThrownBy(() -> ForcedPrimary.open(directory, MEMBERS, "m3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("member is m3, allowed is one of [m0, m1, m2]");
  }

  @Test
  void aMemberThatHoldsNothingIsNotForced() {
    JeTransactionLog.open(directory).close();
    try (ForcedPrimary forced = ForcedPrimary.open(directory, MEMBERS, "m0")) {
      assertThat(forced.standing().refusal()).contains("it holds nothing");
      assertThatThrownBy(forced::force).isInstanceOf(IllegalStateException.class);
      assertThat(forced.standing().epoch()).isZero();
    }
  }

  @Test
  void aDamagedLogIsNotForced() {
    try (TransactionLog log = JeTransactionLog.open(directory)) {
      append(log, 1, 10);
      ByteBuffer damaged = batch(1, 10, 2, 100);
      damaged.put(Batch.HEADER_BYTES + Batch.MESSAGE_HEADER_BYTES, (byte) -1);
      log.append(damaged);
      append(log, 1, 20);
    }
    assertThatThrownBy(() -> ForcedPrimary.open(directory, MEMBERS, "m0"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is damaged: the batch at 10 is not as it was written");
  }

  @Test
  void aMemberThatWasTakenOutIsForcedOnlyIfThatChangeIsGivenUp() {
    Membership now = new Membership(List.of("m0", "m3", "w"), 2);
    try (TransactionLog log = JeTransactionLog.open(directory)) {
      append(log, 3, 10);
      log.save(new GroupRecord(4, -1, 4, 0b011, 2).withMembership(now));
    }
    assertThatThrownBy(() -> ForcedPrimary.open(directory, MEMBERS, "m2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "member is m2, which was taken out of the group: allowed is one of m0, m3, w, or to"
                + " give that change up");
    try (ForcedPrimary forced = ForcedPrimary.open(directory, MEMBERS, "m2", true)) {
      assertThat(forced.members()).containsExactly("m0", "m3", "m2");
      assertThat(forced.standing().inSync()).containsExactly("m0", "m3");
      assertThat(forced.force().inSync()).containsExactly("m2");
    }
    try (TransactionLog log = JeTransactionLog.open(directory)) {
      assertThat(log.record().membership())
          .isEqualTo(new Membership(List.of("m0", "m3", "m2"), -1));
    }
  }

  @Test
  void aForcedMemberKeepsTheMembersThatItKnows() {
    Membership now = new Membership(List.of("m0", "m3", "m2"), -1);
    try (TransactionLog log = JeTransactionLog.open(directory)) {
      append(log, 3, 10);
      log.save(new GroupRecord(4, -1, 4, 0b011, 2).withMembership(now));
    }
    try (ForcedPrimary forced = ForcedPrimary.open(directory, MEMBERS, "m0", true)) {
      assertThat(forced.members()).isEqualTo(now.list());
      assertThat(forced.force().inSync()).containsExactly("m0");
    }
    try (TransactionLog log = JeTransactionLog.open(directory)) {
      assertThat(log.record().membership()).isEqualTo(now);
    }
  }

  @Test
  void aForcedRecordIsFoundAgain() {
    try (TransactionLog log = JeTransactionLog.open(directory)) {
      append(log, 3, 10);
      log.save(new GroupRecord(4, 0, 3, 0b011, 2));
    }
    ForcedPrimary.Standing stored;
    try (ForcedPrimary forced = ForcedPrimary.open(directory, MEMBERS, "m2")) {
      assertThat(forced.standing())
          .isEqualTo(new ForcedPrimary.Standing(4, "m0", 3, List.of("m0", "m1"), 0, 3, 10, null));
      stored = forced.force();
    }
    try (ForcedPrimary forced = ForcedPrimary.open(directory, MEMBERS, "m2")) {
      assertThat(forced.standing()).isEqualTo(stored);
      assertThat(stored.inSync()).containsExactly("m2");
      assertThat(stored.votedFor()).isNull();
    }
  }
}
