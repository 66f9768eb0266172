package dev.weir.cluster.transport.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ClusterMember;
import dev.weir.cluster.HostPort;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MemberHistoryTest {
  private final AtomicLong nowMs = new AtomicLong(1_000);
  private final MemberHistory history = new MemberHistory(nowMs::get);

  private static ClusterMember member(int id, long nowMs) {
    return new ClusterMember(
        new UUID(0, id), "m" + id, new HostPort("127.0.0.1", 5_700), null, id == 0, nowMs, 0);
  }

  /** At a time these are the members. */
  private void are(long atMs, Integer... ids) {
    nowMs.set(atMs);
    history.update(Stream.of(ids).map(id -> member(id, atMs)).toList(), atMs);
  }

  private List<String> shown() {
    return history.members().stream()
        .map(
            each ->
                each.name() + " " + each.sinceMs() + (each.hasLeft() ? "-" + each.leftMs() : ""))
        .toList();
  }

  @Test
  void membersKeepTheTimeAtWhichTheyWereFirstSeen() {
    are(1_000, 0);
    are(2_000, 0, 1);
    are(3_000, 1, 0);
    assertThat(shown()).containsExactly("m0 1000", "m1 2000");
  }

  @Test
  void whoLeavesIsShownWithTheTimeAndTheLastOneFirst() {
    are(1_000, 0, 1, 2);
    are(2_000, 0, 2);
    are(3_000, 0);
    assertThat(shown()).containsExactly("m0 1000", "m2 1000-3000", "m1 1000-2000");
  }

  @Test
  void whoComesBackUnderItsIdHasNotLeft() {
    are(1_000, 0, 1);
    are(2_000, 0);
    are(3_000, 0, 1);
    assertThat(shown()).containsExactly("m0 1000", "m1 3000");
  }

  @Test
  void theMemberItselfNeverLeaves() {
    are(1_000, 0, 1);
    are(2_000, 1);
    assertThat(shown()).as("as after a merge of two halves").containsExactly("m1 1000");
  }

  @Test
  void whoLeftIsForgottenAfterAnHour() {
    are(1_000, 0, 1);
    are(2_000, 0);
    nowMs.set(2_000 + MemberHistory.KEPT_MS);
    assertThat(shown()).containsExactly("m0 1000", "m1 1000-2000");
    nowMs.set(2_001 + MemberHistory.KEPT_MS);
    assertThat(shown()).containsExactly("m0 1000");
  }

  @Test
  void onlyTheLastToLeaveAreKept() {
    are(1_000, 0);
    IntStream.rangeClosed(1, 2 * MemberHistory.MAX_LEFT)
        .forEach(
            id -> {
              are(1_000, 0, id);
              are(2_000, 0);
            });
    List<ClusterMember> members = history.members();
    assertThat(members).hasSize(1 + MemberHistory.MAX_LEFT);
    assertThat(members.get(1).name()).isEqualTo("m" + 2 * MemberHistory.MAX_LEFT);
  }
}
