package dev.weir.cluster.transport.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ThreadStarts;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.transport.TestMember;
import dev.weir.cluster.transport.TransportChild;
import dev.weir.cluster.transport.TransportCrashTest;
import dev.weir.cluster.transport.TransportNode;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import dev.weir.testing.LoggedLines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class HazelcastTransportTest extends TransportCrashTest {

  private final List<String> addresses = new ArrayList<>();
  private int memberTimeoutS = NodeOptions.DEFAULT_MEMBER_TIMEOUT_S;

  @Override
  public HazelcastNode openNode(String name) {
    NodeOptions options =
        new NodeOptions()
            .setMemberName(name)
            .setPort(FreePorts.one())
            .setJoin(addresses)
            .setMemberTimeoutS(memberTimeoutS);
    addresses.add("127.0.0.1:" + options.getPort());
    return new HazelcastNode(options);
  }

  @Override
  public ChildJvm openChild(String name) throws IOException {
    return ChildJvm.start(
        TransportChild.class,
        waiting().name(),
        name,
        "hazelcast",
        "" + FreePorts.one(),
        addresses.get(0),
        "" + memberTimeoutS);
  }

  @Override
  public Waiting waiting() {
    return Waiting.BLOCK;
  }

  @Test
  void membersThatJoinAndLeaveDisturbNobody() throws InterruptedException {
    GroupOptions options = group("a", "b");
    TestMember a = member(node("a"), options, "a");
    TestMember b = member(node("b"), options, "b");
    a.awaitEvent("connected 1");
    List<Long> sentAt = new ArrayList<>();
    Thread visitors =
        new Thread(
            () -> {
              for (int i = 0; i < 3; i++) {
                openNode("visitor").close();
                sentAt.add(a.sent(B));
              }
            });
    visitors.start();
    ByteBuffer buffer = buffer();
    while (visitors.isAlive()) {
      a.sendAll(B, buffer, 200);
    }
    visitors.join();
    b.awaitReceived(A, a.sent(B));
    assertThat(sentAt).hasSize(3).doesNotHaveDuplicates().doesNotContain(0L);
    assertThat(a.events()).containsExactly("connected 1");
    assertThat(b.events()).containsExactly("connected 0");
  }

  /** A process that has ended was connected before, so its end is known. */
  @Test
  void aMemberThatComesBackWithOtherOptionsIsToldSo() {
    try (LoggedLines log = LoggedLines.of(HazelcastLink.class.getName(), Level.WARNING)) {
      Queue<String> logged = log.lines();
      TestMember a = member(node("a"), group("a", "b"), "a");
      TransportNode ends = openNode("b");
      try (TestMember b = new TestMember(ends, group("a", "b"), "b")) {
        a.awaitEvent("connected 1");
        b.awaitEvent("connected 0");
      } finally {
        ends.close();
      }
      a.awaitEvent("refused 1");
      member(node("b"), group("a", "b").setMinInSync(2), "b");
      String name = GroupOptions.DEFAULT_NAME;
      for (String told :
          List.of(
              "cannot connect " + name + " with b: there minInSync is 2, here 1",
              "cannot connect " + name + " with a: there minInSync is 1, here 2")) {
        Await.until(() -> told + " in " + logged, () -> logged.contains(told));
      }
    }
  }

  @Test
  void noThreadIsStartedForAFrame() throws IOException {
    GroupOptions options = group("a", "b");
    TestMember a = member(node("a"), options, "a");
    TestMember b = member(node("b"), options, "b");
    ByteBuffer answer = buffer();
    b.onFrame((from, frame) -> b.sendAll(A, answer, 100));
    a.awaitEvent("connected 1");
    ByteBuffer buffer = buffer();
    a.sendAll(B, buffer, 200);
    a.awaitReceived(B, 1);
    try (ThreadStarts starts = new ThreadStarts()) {
      for (int i = 0; i < 1000; i++) {
        a.sendAll(B, buffer, 200);
      }
      a.awaitReceived(B, 1001);
      starts.assertNone();
    }
  }

  /** Hazelcast removes it, and needs 10 s and more to bring both halves together again. */
  @Test
  @Tag("soak")
  void aMemberThatWasRemovedWhileItWasStoppedIsConnectedAgain() throws IOException {
    memberTimeoutS = 2;
    TestMember a = member(node("a"), group("a", "b"), "a");
    ChildJvm child = child("b");
    for (int round = 1; round <= 2; round++) {
      a.awaitEvent("connected 1", round);
      a.sendAll(B, buffer(), 200);
      a.awaitReceived(B, 1);
      child.signal("STOP");
      a.awaitEvent("lost 1", round);
      child.signal("CONT");
    }
    a.awaitEvent("connected 1", 3);
    assertThat(a.events()).doesNotContain("refused 1");
  }
}
