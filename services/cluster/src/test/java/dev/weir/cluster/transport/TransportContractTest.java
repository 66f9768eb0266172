package dev.weir.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every transport promises. */
public abstract class TransportContractTest extends TransportTestBase {
  private static final int FRAMES = 20_000;

  private List<TestMember> pair() {
    GroupOptions options = group("a", "b");
    TestMember a = member(node("a"), options, "a");
    TestMember b = member(node("b"), options, "b");
    a.awaitEvent("connected 1");
    b.awaitEvent("connected 0");
    return List.of(a, b);
  }

  @Test
  void framesOfAllSizesArriveInOrderAndOnce() {
    List<TestMember> pair = pair();
    ByteBuffer buffer = buffer();
    for (int i = 0; i < FRAMES; i++) {
      pair.get(A).sendAll(B, buffer, Long.BYTES + i % 700);
    }
    pair.get(B).awaitReceived(A, FRAMES);
  }

  @Test
  void theLargestFramesArrive() {
    List<TestMember> pair = pair();
    ByteBuffer buffer = buffer();
    int most = FrameLimits.of(group("a", "b")).maxFrameBytes();
    for (int i = 0; i < 300; i++) {
      pair.get(A).sendAll(B, buffer, most - i % 3);
    }
    pair.get(B).awaitReceived(A, 300);
  }

  @Test
  void bothDirectionsAreUsedAtOnce() throws InterruptedException {
    List<TestMember> pair = pair();
    Thread other = new Thread(() -> sendMany(pair.get(B), A));
    other.start();
    sendMany(pair.get(A), B);
    pair.get(A).awaitReceived(B, FRAMES);
    pair.get(B).awaitReceived(A, FRAMES);
    other.join();
  }

  private static void sendMany(TestMember from, int to) {
    ByteBuffer buffer = buffer();
    for (int i = 0; i < FRAMES; i++) {
      from.sendAll(to, buffer, 200);
    }
  }

  @Test
  void whatIsSentDuringTheCallArrivesToo() {
    List<TestMember> pair = pair();
    ByteBuffer answer = buffer();
    ByteBuffer question = buffer();
    pair.get(B).onFrame((from, frame) -> pair.get(B).sendAll(A, answer, 100));
    pair.get(A)
        .onFrame(
            (from, frame) -> {
              if (pair.get(A).sent(B) < 5000) {
                pair.get(A).sendAll(B, question, 200);
              }
            });
    pair.get(A).sendAll(B, buffer(), 200);
    pair.get(A).awaitReceived(B, 5000);
    // A frame is counted after the call, so after its answer may have come.
    pair.get(B).awaitReceived(A, 5000);
  }

  @Test
  void aReceiverThatDoesNotReadPushesBackAndLosesNothing() {
    List<TestMember> pair = pair();
    CountDownLatch goOn = new CountDownLatch(1);
    pair.get(B).onFrame((from, frame) -> await(goOn));
    ByteBuffer buffer = buffer();
    Await.until("send says no", () -> !pair.get(A).send(B, buffer, 16 << 10));
    long taken = pair.get(A).sent(B);
    assertThat(taken).isLessThan(2000);
    goOn.countDown();
    pair.get(B).awaitReceived(A, taken);
    pair.get(A).sendAll(B, buffer, 100);
    pair.get(B).awaitReceived(A, taken + 1);
    assertThat(pair.get(A).events()).containsExactly("connected 1");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aMemberThatClosesIsLostAndConnectedAgainWhenItIsBack() {
    GroupOptions options = group("a", "b");
    TestMember a = member(node("a"), options, "a");
    TransportNode nodeB = node("b");
    ByteBuffer buffer = buffer();
    for (int round = 1; round <= 3; round++) {
      TestMember b = new TestMember(nodeB, options, "b");
      a.awaitEvent("connected 1", round);
      b.awaitEvent("connected 0");
      a.sendAll(B, buffer, 100);
      b.awaitReceived(A, a.sent(B));
      b.sendAll(A, buffer, 100);
      a.awaitReceived(B, 1);
      b.close();
      a.awaitEvent("lost 1", round);
      assertThat(a.send(B, buffer, 100)).isFalse();
    }
    assertThat(a.events()).doesNotContain("refused 1");
  }

  @Test
  void threeMembersReachEachOther() {
    GroupOptions options = group("a", "b", "c");
    List<TestMember> members = new ArrayList<>();
    for (String name : options.getMembers()) {
      members.add(member(node(name), options, name));
    }
    ByteBuffer buffer = buffer();
    for (int i = 0; i < 1000; i++) {
      for (int from = A; from <= C; from++) {
        for (int to = A; to <= C; to++) {
          if (from != to) {
            members.get(from).sendAll(to, buffer, 100 + from);
          }
        }
      }
    }
    for (int at = A; at <= C; at++) {
      for (int from = A; from <= C; from++) {
        if (at != from) {
          members.get(at).awaitReceived(from, 1000);
        }
      }
    }
  }

  @Test
  void groupsOnOneNodeDoNotMeet() {
    TransportNode nodeA = node("a");
    TransportNode nodeB = node("b");
    GroupOptions one = group("a", "b").setName("one");
    GroupOptions two = group("b", "a").setName("two");
    TestMember oneA = member(nodeA, one, "a");
    TestMember twoA = member(nodeA, two, "a");
    TestMember oneB = member(nodeB, one, "b");
    TestMember twoB = member(nodeB, two, "b");
    ByteBuffer buffer = buffer();
    for (int i = 0; i < 2000; i++) {
      oneA.sendAll(1, buffer, 100);
      twoB.sendAll(1, buffer, 50);
    }
    oneB.awaitReceived(0, 2000);
    twoA.awaitReceived(0, 2000);
    assertThat(oneA.received(1) + twoB.received(1)).isZero();
  }

  @Test
  void aMemberThatIsNotThereTakesNothing() {
    TestMember a = member(node("a"), group("a", "b"), "a");
    assertThat(a.send(B, buffer(), 100)).isFalse();
    assertThat(a.events()).isEmpty();
  }

  @Test
  void membersWhoseOptionsDifferAreNotConnected() {
    TransportNode nodeA = node("a");
    TransportNode nodeB = node("b");
    TestMember a = member(nodeA, group("a", "b"), "a");
    TestMember b = member(nodeB, group("a", "b").setBatchBytes(32 << 10), "b");
    TestMember reversed = member(nodeA, group("a", "b").setName("order"), "a");
    member(nodeB, group("b", "a").setName("order"), "b");
    // By the time two members of another group, opened later, have met, these have tried.
    TestMember other = member(nodeA, group("a", "b").setName("other"), "a");
    member(nodeB, group("a", "b").setName("other"), "b");
    other.awaitEvent("connected 1");
    assertThat(a.events()).isEmpty();
    assertThat(b.events()).isEmpty();
    assertThat(reversed.events()).isEmpty();
  }

  @Test
  void aMemberThatJoinsIsConnectedAndOneThatLeavesIsLost() {
    List<TestMember> pair = pair();
    pair.forEach(member -> member.members("a", "b", "c"));
    TestMember c = member(node("c"), group("a", "b", "c"), "c");
    pair.get(A).awaitEvent("connected 2");
    c.awaitEvent("connected 1");
    pair.get(A).sendAll(C, buffer(), 100);
    c.awaitReceived(A, 1);
    c.sendAll(B, buffer(), 100);
    pair.get(B).awaitReceived(C, 1);
    pair.forEach(member -> member.members("a", "b", ""));
    pair.get(A).awaitEvent("lost 2");
    assertThat(pair.get(A).send(C, buffer(), 100)).isFalse();
    pair.get(A).sendAll(B, buffer(), 100);
    pair.get(B).awaitReceived(A, 1);
    assertThat(pair.get(A).events()).doesNotContain("lost 1");
  }

  @Test
  void whatWasSentToAMemberBeforeItLeavesArrives() {
    GroupOptions options = group("a", "b", "c");
    TestMember a = member(node("a"), options, "a");
    TestMember c = member(node("c"), options, "c");
    AtomicInteger arrived = new AtomicInteger();
    c.onFrame((from, frame) -> arrived.incrementAndGet());
    for (int round = 1; round <= 10; round++) {
      int all = round;
      a.awaitEvent("connected 2", round);
      a.sendAll(C, buffer(), 100);
      a.members("a", "b", "");
      Await.until(
          () -> "word " + all + " arrives, not only " + arrived, () -> arrived.get() == all);
      a.awaitEvent("lost 2", round);
      a.members("a", "b", "c");
    }
  }

  @Test
  void aMemberThatTakesAPlaceIsConnectedThereAndTheOneBeforeIsLost() {
    GroupOptions options = group("a", "b", "c");
    TestMember a = member(node("a"), options, "a");
    TestMember b = member(node("b"), options, "b");
    TransportNode nodeC = openNode("c");
    TestMember c = new TestMember(nodeC, options, "c");
    try (nodeC;
        c) {
      a.awaitEvent("connected 2");
      b.awaitEvent("connected 2");
      a.awaitEvent("connected 1");
      a.members("a", "b", "d");
      b.members("a", "b", "d");
      a.awaitEvent("lost 2");
    }
    // What becomes of the process that had the place says nothing about the next one.
    TestMember d = member(node("d"), group("a", "b", "d"), "d");
    a.awaitEvent("connected 2", 2);
    b.awaitEvent("connected 2", 2);
    a.sendAll(C, buffer(), 100);
    d.awaitReceived(A, 1);
    d.sendAll(B, buffer(), 100);
    b.awaitReceived(C, 1);
    assertThat(a.events()).doesNotContain("refused 2", "lost 1");
  }

  @Test
  void aMemberThatWasStartedWithTheMembersOfTodayConnectsOneThatMissedTheChange() {
    TestMember a = member(node("a"), group("a", "b", "d"), "a");
    a.members("a", "b", "d");
    TestMember b = member(node("b"), group("a", "b", "c"), "b");
    a.awaitEvent("connected 1");
    b.awaitEvent("connected 0");
  }

  @Test
  void aReceiverThatFailsLosesTheConnectionAndGetsAnotherOne() {
    List<TestMember> pair = pair();
    pair.get(B)
        .onFrame(
            (from, frame) -> {
              throw new IllegalStateException("on purpose");
            });
    pair.get(A).sendAll(B, buffer(), 100);
    pair.get(B).awaitEvent("lost 0");
    pair.get(B).onFrame((from, frame) -> {});
    pair.get(A).awaitEvent("connected 1", 2);
    pair.get(B).awaitEvent("connected 0", 2);
    pair.get(A).sendAll(B, buffer(), 100);
    pair.get(B).awaitReceived(A, 1);
  }
}
