package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Opens nodes and members for a test, closes them after it and fails if a thread is left. */
@Timeout(300)
abstract class TransportTestBase {
  static final int A = 0;
  static final int B = 1;
  static final int C = 2;

  static {
    QuietLog.set();
  }

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** Opens a node of that name. */
  abstract TransportNode openNode(String name);

  abstract Waiting waiting();

  @AfterEach
  final void nothingIsLeft() {
    List<Throwable> failures = new ArrayList<>();
    for (int i = opened.size() - 1; i >= 0; i--) {
      try {
        opened.get(i).close();
      } catch (Exception | AssertionError e) {
        // The others must not be left open by it.
        failures.add(e);
      }
    }
    assertThat(failures).isEmpty();
    Await.until(() -> "threads end: " + Threads.alive(), () -> Threads.alive().isEmpty());
  }

  final <T extends AutoCloseable> T closeLater(T resource) {
    opened.add(resource);
    return resource;
  }

  final TransportNode node(String name) {
    return closeLater(openNode(name));
  }

  static GroupOptions group(Waiting waiting, String... members) {
    return new GroupOptions()
        .setMembers(List.of(members))
        .setWaiting(waiting)
        .setBatchBytes(16 << 10)
        .setMaxMessageBytes(16 << 10);
  }

  final GroupOptions group(String... members) {
    return group(waiting(), members);
  }

  final TestMember member(TransportNode node, GroupOptions options, String self) {
    return closeLater(new TestMember(node, options, self));
  }

  /** Takes the largest frame. */
  static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(
        FrameLimits.of(group(Waiting.BLOCK, "a", "b")).maxFrameBytes());
  }
}
