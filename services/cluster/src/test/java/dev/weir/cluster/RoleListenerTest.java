package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RoleListenerTest {
  @TempDir Path directory;

  private final List<String> heard = new CopyOnWriteArrayList<>();

  private final ReplySink sink =
      new ReplySink() {
        @Override
        public void onReply(long client, long sequence, ByteBuffer buffer, int offset, int length) {
          heard.add("reply " + sequence);
        }

        @Override
        public void onRole(Role role, long epoch) {
          heard.add("sink " + role + " " + epoch);
        }
      };

  private ProcessorGroup start(Role.Listener listener) {
    ProcessorGroup group =
        GroupBuilder.alone(new GroupOptions().setMembers(List.of("a")), directory)
            .processor(new SumProcessor())
            .replies(sink)
            .roles(listener)
            .start();
    Await.until(() -> "it accepts: " + group.stats(), () -> group.stats().accepting());
    return group;
  }

  @Test
  void aListenerHearsOfRolesBesideTheReplySink() {
    try (ProcessorGroup group = start((role, epoch) -> heard.add(role + " " + epoch))) {
      ByteBuffer body = ByteBuffer.allocate(Long.BYTES);
      assertThat(group.offer(7, 1, body, 0, Long.BYTES)).isEqualTo(OfferResult.ACCEPTED);
      group.flush();
      Await.until(() -> "the reply comes: " + heard, () -> heard.contains("reply 1"));
    }
    assertThat(heard).startsWith("sink PRIMARY 1", "PRIMARY 1", "reply 1");
    assertThat(heard).endsWith("sink WAITING 1", "WAITING 1");
  }

  @Test
  void aListenerThatThrowsHoldsUpNothing() {
    QuietLog.set();
    try (ProcessorGroup group =
        start(
            (role, epoch) -> {
              throw new IllegalStateException("on purpose");
            })) {
      assertThat(group.stats().role()).isEqualTo(Role.PRIMARY);
      assertThat(heard).contains("sink PRIMARY 1");
    }
  }
}
