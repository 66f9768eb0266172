package dev.weir.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.Threads;
import dev.weir.cluster.Waiting;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Opens nodes and members for a test, closes them after it and fails if a thread is left. */
@Timeout(300)
public abstract class TransportTestBase {
  public static final int A = 0;
  public static final int B = 1;
  public static final int C = 2;

  static {
    QuietLog.set();
  }

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** Opens a node of that name. */
  public abstract TransportNode openNode(String name);

  public abstract Waiting waiting();

  @AfterEach
  public final void nothingIsLeft() {
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

  public final <T extends AutoCloseable> T closeLater(T resource) {
    opened.add(resource);
    return resource;
  }

  public final TransportNode node(String name) {
    return closeLater(openNode(name));
  }

  public static GroupOptions group(Waiting waiting, String... members) {
    return new GroupOptions()
        .setMembers(List.of(members))
        .setWaiting(waiting)
        .setBatchBytes(16 << 10)
        .setMaxMessageBytes(16 << 10);
  }

  public final GroupOptions group(String... members) {
    return group(waiting(), members);
  }

  public final TestMember member(TransportNode node, GroupOptions options, String self) {
    return closeLater(new TestMember(node, options, self));
  }

  /** Takes the largest frame. */
  public static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(
        FrameLimits.of(group(Waiting.BLOCK, "a", "b")).maxFrameBytes());
  }
}
