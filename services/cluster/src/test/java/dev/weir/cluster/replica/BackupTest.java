package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.log.LogException;
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
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** A backup whose primary has another history than the backup's log, from position 100 on. */
class BackupTest {
  private static final int PRIMARY = 1;
  private static final int BATCH = 10;
  private static final int BODY_BYTES = 8 << 10;
  private static final long END = 200;
  private static final long COMMON = 100;
  private static final long RETRY_NS = 1_000;

  private final GroupOptions options =
      new GroupOptions().setMembers(List.of("m0", "m1")).setSnapshotBytes(1 << 20);
  private final List<Integer> sent = new ArrayList<>();
  private long question;
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
          false,
          history,
          new NoTransport() {
            @Override
            public boolean send(int member, ByteBuffer frame) {
              if (Frames.type(frame) == Frames.FOLLOW) {
                question = frame.getLong(Frames.content(frame) + Long.BYTES);
              }
              return sent.add(Frames.type(frame));
            }
          },
          RETRY_NS,
          0);

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
    start(epoch, 1, position, Frames.BATCHES);
  }

  private void start(long epoch, long commonEpoch, long position, int how) {
    receive(
        Frames.START,
        epoch,
        ByteBuffer.allocate(28)
            .putLong(question)
            .putLong(commonEpoch)
            .putLong(position)
            .putInt(how)
            .flip());
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
    backup.tick(0);
    assertThat(sent).as("the snapshot is not written yet").isEmpty();

    history.snapshots().write(taken);
    history.snapshots().written();
    backup.tick(0);
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
    backup.tick(0);
    assertThat(sent).isEmpty();
  }

  @Test
  void aQuestionWithoutAnAnswerIsAskedAgain() {
    backup.follow(PRIMARY, 2);
    sent.clear();
    backup.tick(RETRY_NS);
    assertThat(sent).isEmpty();
    backup.tick(RETRY_NS + 1);
    assertThat(sent).containsExactly(Frames.FOLLOW);
    start(2, COMMON);
    backup.tick(3 * RETRY_NS);
    assertThat(sent).as("there was an answer").containsExactly(Frames.ACK);
  }

  @Test
  void anAnswerToAnEarlierQuestionIsIgnored() {
    backup.follow(PRIMARY, 2);
    long earlier = question;
    backup.follow(PRIMARY, 2);
    question = earlier;
    start(2, COMMON);
    assertThat(history.end()).isEqualTo(new LogEnd(1, END));
  }

  @Test
  void aTailOfAnEpochThatThePrimaryDoesNotHaveIsTruncatedToTheLastCommonPoint() {
    append(2, END);
    append(2, END + BATCH);
    backup.follow(PRIMARY, 5);
    sent.clear();
    // The primary has epoch 1 up to a position where no batch of this log starts.
    start(5, 1, END + BATCH / 2, Frames.ASK_AGAIN);
    assertThat(history.end()).isEqualTo(new LogEnd(1, END));
    assertThat(sent).containsExactly(Frames.FOLLOW);
  }

  @Test
  void aSnapshotWithAMissingOrDamagedPartIsAskedForAgainAndNotKept() {
    for (int fault = 0; fault < 3; fault++) {
      backup.follow(PRIMARY, 2);
      start(2, 0, 0, Frames.FROM_SNAPSHOT);
      part(0, new byte[10], 0, false);
      part(fault == 0 ? 20 : 10, new byte[10], fault == 1 ? 1 : 0, fault == 2);
      if (fault == 2) {
        assertThat(sent).as("it is whole, but no snapshot").isEmpty();
        continue;
      }
      assertThat(sent).containsExactly(Frames.FOLLOW);
      assertThat(history.end()).isEqualTo(new LogEnd(1, END));
    }
  }

  private void part(long offset, byte[] part, int damage, boolean last) {
    CRC32C crc = new CRC32C();
    crc.update(part);
    ByteBuffer content = ByteBuffer.allocate(40 + part.length);
    content.putLong(question).putLong(2).putLong(END).putLong(offset);
    content.putInt((int) crc.getValue() + damage).putInt(last ? 1 : 0).put(part);
    if (last) {
      assertThatThrownBy(() -> receive(Frames.SNAPSHOT, 2, content.flip()))
          .isInstanceOf(LogException.class);
      assertThat(history.log().end()).as("the log is kept").isEqualTo(new LogEnd(1, END));
    } else {
      receive(Frames.SNAPSHOT, 2, content.flip());
    }
  }

  @Test
  void anAnswerToALateQuestionIsAskedForAgain() {
    backup.follow(PRIMARY, 1);
    start(1, END);
    assertThat(sent).containsExactly(Frames.ACK);
    long last = question;
    question = last - 1;
    start(1, END);
    assertThat(sent)
        .as("the primary waits for acknowledgements of that one")
        .containsExactly(Frames.FOLLOW);
    assertThat(question).isGreaterThan(last);
    long asked = question;
    question = last;
    start(1, END);
    assertThat(sent).as("one question at a time").isEmpty();
    question = asked;
    start(1, END);
    assertThat(sent).containsExactly(Frames.ACK);
  }
}
