package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.transport.NoTransport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The primary of a group that knows as many clients as it may. */
class LeaderClientsTest implements ReplicaClock, ReplySink {
  private static final int BODY_BYTES = 64;
  private static final int EXPIRY_MS = 10_000;
  private static final int IDLE_MS = EXPIRY_MS / 2;

  private final GroupOptions options = new GroupOptions().setMembers(List.of("m0", "m1"));
  private final Sessions sessions = new Sessions(16, BODY_BYTES, 2, EXPIRY_MS);
  private final History history =
      new History(
          options,
          new MemoryTransactionLog(),
          sessions,
          new EventSourcing(new SumProcessor(), sessions, BODY_BYTES));
  private final List<Long> replies = new ArrayList<>();
  private final Leader leader =
      new Leader(
          options,
          0,
          history,
          ReplyOutlet.to(this),
          (message, cause) -> {},
          new NoTransport(),
          this,
          () -> 1,
          () -> {});
  private long nowMs = 1_000_000;

  LeaderClientsTest() {
    leader.begin(1);
    offer(1, 1);
    offer(2, 1);
    commit();
    assertThat(replies).containsExactly(7L, 14L);
  }

  @Override
  public long nanoTime() {
    return nowMs * 1_000_000;
  }

  @Override
  public long timeMs() {
    return nowMs;
  }

  @Override
  public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    replies.add(buffer.getLong(offset));
  }

  @Override
  public void onRejected(long client, long sequence, ByteBuffer buffer, int offset, int length) {}

  @Override
  public void onRole(Role role, long epoch) {}

  private OfferResult offer(long client, long sequence) {
    ByteBuffer body = ByteBuffer.allocate(Long.BYTES).putLong(0, 7);
    return leader.take(client, sequence, body, 0, Long.BYTES);
  }

  /** All that is handled is committed: no other member is in sync. */
  private void commit() {
    leader.flush();
    leader.complete(1, true);
  }

  @Test
  void clientsThatAreGoneDoNotKeepNewOnesOutForEver() {
    assertThat(offer(3, 1)).isEqualTo(OfferResult.TOO_MANY_CLIENTS);
    nowMs += IDLE_MS - 1;
    assertThat(offer(3, 1)).as("they may come again").isEqualTo(OfferResult.TOO_MANY_CLIENTS);
    nowMs += 1;

    assertThat(offer(3, 1)).as("nothing was handled meanwhile").isEqualTo(OfferResult.ACCEPTED);

    commit();
    assertThat(replies).containsExactly(7L, 14L, 21L);
    assertThat(sessions.size()).isEqualTo(2);
  }

  @Test
  void theClientThatMadeRoomIsToldSoAndNothingOfItIsAppliedTwice() {
    offer(3, 1);
    nowMs += IDLE_MS;
    offer(3, 1);
    commit();

    assertThat(offer(1, 1)).isEqualTo(OfferResult.SESSION_EXPIRED);
    assertThat(offer(1, 2)).isEqualTo(OfferResult.SESSION_EXPIRED);
    assertThat(offer(2, 1)).as("the other is known").isEqualTo(OfferResult.ANSWERED);
    assertThat(offer(4, 1)).as("has refused none since").isEqualTo(OfferResult.TOO_MANY_CLIENTS);
  }

  @Test
  void aClientThatWaitedWhileTheGroupWasDownMakesNoRoom() {
    nowMs += 86_400_000;

    assertThat(offer(3, 1)).isEqualTo(OfferResult.TOO_MANY_CLIENTS);
    assertThat(offer(1, 1)).isEqualTo(OfferResult.ANSWERED);
  }

  @Test
  void aClientWithARequestThatIsNotCommittedMakesNoRoom() {
    assertThat(offer(2, 2)).isEqualTo(OfferResult.ACCEPTED);
    assertThat(offer(1, 2)).isEqualTo(OfferResult.ACCEPTED);
    leader.flush();
    offer(3, 1);
    nowMs += IDLE_MS;

    assertThat(offer(3, 1)).isEqualTo(OfferResult.TOO_MANY_CLIENTS);

    leader.complete(1, true);
    assertThat(offer(3, 1)).isEqualTo(OfferResult.ACCEPTED);
  }

  @Test
  void theClientThatIsIdleForLongestMakesRoomWhileAnotherIsAtWork() {
    long sequence = 2;
    for (int passed = 0; passed < IDLE_MS; passed += EXPIRY_MS / 10) {
      assertThat(offer(3, 1)).isEqualTo(OfferResult.TOO_MANY_CLIENTS);
      nowMs += EXPIRY_MS / 10;
      offer(1, sequence++);
      commit();
    }

    assertThat(offer(3, 1)).isEqualTo(OfferResult.ACCEPTED);
    assertThat(offer(2, 1)).isEqualTo(OfferResult.SESSION_EXPIRED);
    assertThat(offer(1, sequence)).isEqualTo(OfferResult.ACCEPTED);
  }
}
