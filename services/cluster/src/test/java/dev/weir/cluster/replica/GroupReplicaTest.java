package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.Role;
import dev.weir.cluster.TestGroup;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 300, unit = TimeUnit.SECONDS)
class GroupReplicaTest {
  @TempDir Path directory;
  TestGroup group;

  @AfterEach
  void closeAndLookForThreads() {
    if (group != null) {
      group.close();
    }
    Await.until("no thread of a group is left", () -> groupThreads().isEmpty());
  }

  private static List<String> groupThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir-"))
        .toList();
  }

  /** The options of the groups. */
  GroupOptions options() {
    return TestGroup.patient();
  }

  final TestGroup start(int members) {
    return start(options(), members, false);
  }

  final TestGroup start(GroupOptions options, int members, boolean stateReplicated) {
    group = new TestGroup(options, members, directory, stateReplicated);
    return group.startAll();
  }

  static long sum(long to) {
    return to * (to + 1) / 2;
  }

  private void assertSameHistory(int members) {
    List<Map<Long, ByteBuffer>> logs = group.closeAndReadLogs();
    assertThat(logs.get(0)).isNotEmpty();
    for (int member = 1; member < members; member++) {
      assertThat(logs.get(member)).isEqualTo(logs.get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void oneMemberBecomesPrimaryAndTheOthersHoldTheSameBytes(int members) {
    start(members).awaitInSync(members);
    group.send(1, 500);
    assertThat(group.replies).containsEntry(500L, sum(500)).hasSize(500);
    awaitSameEnds(members);
    assertSameHistory(members);
  }

  private void awaitSameEnds(int members) {
    Await.until(
        () -> "all members have the same end: " + group.describe(),
        () -> {
          long end = group.member(0).stats().logEnd();
          for (int member = 1; member < members; member++) {
            if (group.member(member).stats().logEnd() != end) {
              return false;
            }
          }
          return true;
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBackupTakesOverAndAnswersWhatWasAnsweredBefore(boolean stateReplicated) {
    start(options(), 2, stateReplicated).awaitInSync(2);
    group.send(1, 300);
    int old = group.primary();
    group.kill(old);
    int primary = group.awaitPrimary();
    assertThat(primary).isNotEqualTo(old);
    assertThat(group.offer(300)).isEqualTo(OfferResult.ANSWERED);
    Await.until("the reply comes again", () -> group.replyCounts.get(300L) == 2);
    group.send(301, 400);
    assertThat(group.replies).containsEntry(300L, sum(300)).containsEntry(400L, sum(400));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMemberThatReturnsCatchesUpAndCanTakeOverAgain(boolean stateReplicated) {
    start(options(), 2, stateReplicated).awaitInSync(2);
    group.send(1, 100);
    int first = group.primary();
    group.kill(first);
    group.awaitPrimary();
    group.send(101, 200);
    group.start(first);
    group.awaitInSync(2);
    group.kill(group.primary());
    assertThat(group.awaitPrimary()).isEqualTo(first);
    group.send(201, 250);
    assertThat(group.replies).containsEntry(250L, sum(250)).hasSize(250);
  }

  /** Again if the machine stood still just then, for so long that the lease was over. */
  private int cutOffWhileItAccepts(long sequence) {
    while (true) {
      int primary = group.awaitPrimary();
      group.network.stall(primary, 1 - primary);
      if (group.offer(primary, sequence) == OfferResult.ACCEPTED) {
        return primary;
      }
      group.network.goOn(primary, 1 - primary);
    }
  }

  @Test
  void aPrimaryThatIsCutOffStopsAcceptingAndForgetsWhatNobodyElseHas() {
    start(options().setLeaseMs(1_500).setTakeoverMs(2_000), 2, false).awaitInSync(2);
    group.send(1, 50);
    int old = cutOffWhileItAccepts(51);
    int other = 1 - old;
    group.member(old).flush();
    Await.until(
        () -> "the old primary stops accepting: " + group.describe(),
        () -> group.offer(old, 52) != OfferResult.ACCEPTED);
    Await.until(
        () -> "the backup takes over: " + group.describe(),
        () -> group.member(other).stats().accepting());
    assertThat(group.replies).doesNotContainKey(51L);
    group.network.goOn(old, other);
    group.awaitInSync(2);
    group.send(51, 60);
    assertThat(group.replies).containsEntry(60L, sum(60));
    awaitSameEnds(2);
    assertSameHistory(2);
  }

  @Test
  void aLonePrimaryDoesNotAcceptWhereTwoMustHold() {
    start(options().setMinInSync(2), 2, false).awaitInSync(2);
    group.send(1, 10);
    int old = group.primary();
    group.kill(old);
    Await.until(
        () -> "the backup is primary: " + group.describe(),
        () -> group.member(1 - old).stats().role() == Role.PRIMARY);
    assertThat(group.offer(1 - old, 11)).isEqualTo(OfferResult.UNAVAILABLE);
    group.start(old);
    group.awaitInSync(2);
    group.send(11, 20);
    assertThat(group.replies).containsEntry(20L, sum(20));
  }

  @Test
  void aMemberThatWasSilentCountsAgainThoughNoMessageFlows() {
    start(options().setLeaseMs(1_500).setTakeoverMs(3_000), 3, false).awaitInSync(3);
    group.send(1, 10);
    int primary = group.awaitPrimary();
    int silent = (primary + 1) % 3;
    group.network.stallOneWay(silent, primary);
    Await.until(
        () -> "the silent member is dropped: " + group.describe(),
        () -> group.member(primary).stats().inSync() == 2);
    group.network.goOn(silent, primary);
    group.awaitInSync(3);
    assertThat(group.awaitPrimary()).isEqualTo(primary);
    assertThat(group.replies).hasSize(10);
  }

  @Test
  void aMemberTooFarBehindGetsASnapshot() {
    start(options().setSnapshotBytes(1 << 20), 2, false).awaitInSync(2);
    group.send(1, 10);
    int first = group.primary();
    group.kill(first);
    int primary = group.awaitPrimary();
    long sent = 10;
    while (group.member(primary).stats().logStart() == 0) {
      group.send(sent + 1, sent + 5_000);
      sent += 5_000;
    }
    group.start(first);
    group.awaitInSync(2);
    group.kill(primary);
    group.awaitPrimary();
    group.send(sent + 1, sent + 10);
    assertThat(group.replies).containsEntry(sent + 10, sum(sent + 10));
  }

  @Test
  void aBackupThatFailsLetsThePrimaryGoOn() {
    group = new TestGroup(options(), 2, directory, false);
    group.failsAt.put(1, 5L);
    group.startAll().awaitInSync(2);
    assertThat(group.primary()).isZero();
    group.send(1, 10);
    assertThat(group.replies).containsEntry(10L, sum(10));
    // What a backup has persisted is replied, whether it has handled it yet or not.
    Await.until(
        () -> "the backup is dropped: " + group.describe(),
        () -> group.member(0).stats().inSync() == 1);
    assertThat(group.member(1).stats().reason()).contains("asked to fail at 5");
  }

  @Test
  void aPrimaryThatIsClosedHandsOver() {
    start(2).awaitInSync(2);
    group.send(1, 10);
    int old = group.primary();
    group.closeGracefully(old);
    assertThat(group.awaitPrimary()).isEqualTo(1 - old);
    group.send(11, 20);
    assertThat(group.replies).containsEntry(20L, sum(20));
  }

  @Test
  void aGroupThatWasDownAsAWholeGoesOnWhereItWas() {
    start(2).awaitInSync(2);
    group.send(1, 100);
    group.close();
    group = new TestGroup(options(), 2, directory, false).startAll();
    group.awaitInSync(2);
    group.send(101, 110);
    assertThat(group.replies).containsEntry(110L, sum(110));
  }

  @Test
  void messagesOutOfOrderAreRefused() {
    start(1).awaitPrimary();
    assertThat(group.offer(2)).isEqualTo(OfferResult.GAP);
    assertThat(group.offer(0)).isEqualTo(OfferResult.INVALID);
    group.send(1, 1);
    assertThat(group.offer(1)).isEqualTo(OfferResult.ANSWERED);
  }
}
