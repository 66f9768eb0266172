package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TestBatches;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.state.SnapshotKeeper;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.NoTransport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A backup whose primary has another history than the backup's log, from position 100 on. */
class BackupTest {
  private static final int PRIMARY = 1;
  private static final int BATCH = 10;
  private static final int BODY_BYTES = 8 << 10;
  private static final long END = 200;
  private static final long COMMON = 100;

  private final GroupOptions options =
      new GroupOptions().setMembers(List.of("m0", "m1")).setSnapshotBytes(1 << 20);
  private final List<Integer> sent = new ArrayList<>();
  private final Sessions sessions = new Sessions(1 << 10, BODY_BYTES, 10, 600_000);
  private final History history =
      new History(
          options,
          new MemoryTransactionLog(),
          sessions,
          new EventSourcing(new SumProcessor(), sessions, BODY_BYTES));
  private final Backup backup =
      new Backup(
          "group",
          history,
          new NoTransport() {
            @Override
            public boolean send(int member, ByteBuffer frame) {
              return sent.add(Frames.type(frame));
            }
          });

  BackupTest() {
    for (long position = 0; position < END; position += BATCH) {
      append(1, position);
    }
  }

  private void append(long epoch, long position) {
    ByteBuffer batch = TestBatches.batch(epoch, position, BATCH, BODY_BYTES);
    receive(Frames.APPEND, epoch, ByteBuffer.allocate(batch.remaining()).put(batch).flip());
  }

  private void start(long epoch, long position) {
    receive(
        Frames.START,
        epoch,
        ByteBuffer.allocate(12).putLong(position).putInt(Frames.BATCHES).flip());
  }

  private void receive(int type, long epoch, ByteBuffer content) {
    sent.clear();
    ByteBuffer frame = ByteBuffer.allocate(Frames.HEADER_BYTES + content.remaining());
    Frames.begin(frame, type, epoch).put(content).flip();
    backup.onFrame(PRIMARY, type, frame, epoch);
  }

  @Test
  void aTruncationDuringASnapshotIsAskedForAgainAfterIt() {
    assertThat(history.takeSnapshotIfDue()).isTrue();
    SnapshotKeeper.Taken taken = history.snapshots().taken();
    LogEnd end = taken.end();

    start(2, COMMON);
    assertThat(history.end()).isEqualTo(new LogEnd(1, END));
    assertThat(sent).isEmpty();
    append(2, END);
    assertThat(history.end()).as("nothing is appended to the old tail").isEqualTo(end);
    backup.resume();
    assertThat(sent).as("the snapshot is not written yet").isEmpty();

    history.snapshots().write(taken);
    history.snapshots().written();
    backup.resume();
    assertThat(sent).containsExactly(Frames.FOLLOW);
    start(2, COMMON);
    assertThat(sent).containsExactly(Frames.ACK);
    append(2, COMMON);
    assertThat(history.end()).isEqualTo(new LogEnd(2, COMMON + BATCH));
  }

  @Test
  void aChangeOfRoleEndsTheWaitForASnapshot() {
    assertThat(history.takeSnapshotIfDue()).isTrue();
    start(2, COMMON);
    backup.stop();
    history.snapshots().written();
    backup.resume();
    assertThat(sent).isEmpty();
  }
}
