package dev.weir.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What every transport makes of a process that is killed, stopped or started again. */
public abstract class TransportCrashTest extends TransportContractTest {
  private final ByteBuffer buffer = buffer();

  /** Starts {@link TransportChild} as that member; it finds the one member of this process. */
  protected abstract ChildJvm openChild(String name) throws IOException;

  protected final ChildJvm child(String name) throws IOException {
    return closeLater(openChild(name));
  }

  private TestMember self(String name) {
    return member(node(name), group("a", "b"), name);
  }

  /** Sends a frame and has it back. */
  private void ping(TestMember member, int other) {
    member.sendAll(other, buffer, 200);
    member.awaitReceived(other, member.sent(other));
  }

  @Test
  void theFirstMemberSeesThatTheSecondIsKilled() throws IOException {
    TestMember a = self("a");
    killIsSeen(a, B, child("b"));
  }

  @Test
  void theSecondMemberSeesThatTheFirstIsKilled() throws IOException {
    TestMember b = self("b");
    killIsSeen(b, A, child("a"));
  }

  private void killIsSeen(TestMember survivor, int other, ChildJvm child) throws IOException {
    survivor.awaitEvent("connected " + other);
    ping(survivor, other);
    child.signal("KILL");
    survivor.awaitEvent("refused " + other);
    assertThat(survivor.events())
        .containsExactly("connected " + other, "lost " + other, "refused " + other);
    assertThat(survivor.send(other, buffer, 200)).isFalse();
  }

  @Test
  void aStoppedMemberIsNotRefusedAndGoesOn() throws IOException {
    TestMember a = self("a");
    ChildJvm child = child("b");
    a.awaitEvent("connected 1");
    ping(a, B);
    child.signal("STOP");
    Await.until("send says no", () -> !a.send(B, buffer, 16 << 10));
    assertThat(a.events()).doesNotContain("refused 1");
    child.signal("CONT");
    Await.until(
        "frames are back or the loss is reported: " + a.events(),
        () -> a.received(B) == a.sent(B) || a.events().contains("lost 1"));
    if (!a.events().contains("lost 1")) {
      ping(a, B);
    }
    assertThat(a.events()).doesNotContain("refused 1");
  }

  @Test
  void aRestartedMemberIsConnectedAgain() throws IOException {
    TestMember a = self("a");
    child("b").signal("KILL");
    for (int round = 1; round <= 2; round++) {
      ChildJvm child = child("b");
      a.awaitEvent("connected 1", round);
      ping(a, B);
      child.signal("KILL");
      a.awaitEvent("refused 1", round);
    }
  }
}
