package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TestBatches;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.transport.NoTransport;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A follower that takes no part of a snapshot for a while. */
@Timeout(60)
class CatchUpTest {
  private static final int BODY_BYTES = 64;
  private static final int PAUSES = 1_000;

  private final GroupOptions options = new GroupOptions().setMembers(List.of("m0", "m1"));
  private final Sessions sessions = new Sessions(16, BODY_BYTES, 2, 600_000);
  private final History history =
      new History(
          options,
          new MemoryTransactionLog(),
          sessions,
          new EventSourcing(new SumProcessor(), sessions, BODY_BYTES));
  private int others;
  private int pauses;

  private final Transport transport =
      new NoTransport() {
        @Override
        public boolean send(int member, ByteBuffer frame) {
          return others > 0 || pauses > PAUSES;
        }
      };

  private final ReplySink replies = (client, sequence, buffer, offset, length) -> {};
  private final Leader leader =
      new Leader(
          options,
          0,
          history,
          ReplyOutlet.to(replies),
          (message, cause) -> {},
          transport,
          ReplicaClock.SYSTEM,
          () -> 1,
          () -> {});

  @Test
  void snapshotsOfOthersAreWrittenMeanwhile() {
    ByteBuffer batch = TestBatches.batch(1, 0, 2, Long.BYTES);
    history.append(batch);
    history.snapshots().demand();
    assertThat(history.takeSnapshotIfDue()).isTrue();
    history.snapshots().write(history.snapshots().taken());
    history.snapshots().written();
    leader.begin(1);
    leader.followers().catchUpFromSnapshot(1);
    CatchUp catchUp =
        new CatchUp(leader, history, transport, 1_000, 1 << 20, () -> pauses++, member -> {});

    CatchUp.Step step = catchUp.next();
    step.run(() -> others++);
    step.complete();

    assertThat(others).as("tries to write others").isPositive();
    assertThat(catchUp.next()).as("the follower is live").isNull();
  }
}
