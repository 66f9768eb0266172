package dev.weir.cluster.log;

import static dev.weir.cluster.log.TestBatches.append;
import static dev.weir.cluster.log.TestBatches.assertHolds;
import static dev.weir.cluster.log.TestBatches.batch;
import static dev.weir.cluster.log.TestBatches.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.protocol.Membership;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every transaction log does. */
abstract class TransactionLogContract {
  TransactionLog log;

  abstract TransactionLog open();

  @BeforeEach
  void openLog() {
    log = open();
  }

  @AfterEach
  void closeLog() {
    log.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("weir-"));
  }

  /** A snapshot of a long and some bytes. */
  static void save(TransactionLog log, LogEnd end, long state, int bytes) {
    try {
      log.saveSnapshot(end, out -> write(out, state, bytes));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void write(DataOutput out, long state, int bytes) throws IOException {
    out.writeLong(state);
    out.writeInt(bytes);
    for (int i = 0; i < bytes; i++) {
      out.writeByte(i * 31);
    }
  }

  /** The long of the last snapshot, or -1. */
  static long state(TransactionLog log) {
    long[] state = {-1};
    try {
      log.readSnapshot(
          in -> {
            state[0] = in.readLong();
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            for (int i = 0; i < bytes.length; i++) {
              assertThat(bytes[i]).isEqualTo((byte) (i * 31));
            }
          });
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return state[0];
  }

  @Test
  void aNewLogIsEmpty() {
    assertThat(log.start()).isZero();
    assertThat(log.end()).isEqualTo(LogEnd.EMPTY);
    assertThat(log.endOf(7)).isEqualTo(LogEnd.EMPTY);
    assertThat(log.snapshot()).isEqualTo(LogEnd.EMPTY);
    assertThat(state(log)).isEqualTo(-1);
    assertThat(log.record()).isEqualTo(GroupRecord.NONE);
    assertThatThrownBy(() -> log.read(0, batch -> true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no batch starts at 0; the log goes from 0 to 0");
  }

  @Test
  void batchesAreReadAsTheyWereAppended() {
    List<ByteBuffer> appended = new ArrayList<>();
    ByteBuffer direct = ByteBuffer.allocateDirect(500_000);
    long position = 0;
    for (int i = 0; i < 50; i++) {
      int bodyBytes = i == 20 ? 190_000 : i * 10;
      direct.clear();
      ByteBuffer batch =
          TestBatches.put(direct, 13, 1 + i / 10, position, 1 + i % 3 / 2, bodyBytes);
      log.append(batch);
      assertThat(batch.position()).isEqualTo(13);
      assertThat(batch.limit()).isEqualTo(13 + Batch.bytes(batch, 13));
      appended.add(TestBatches.copy(batch));
      position += 1 + i % 3 / 2;
      assertThat(log.end()).isEqualTo(new LogEnd(1 + i / 10, position));
    }
    assertThat(read(log)).isEqualTo(appended);
    log.force(AckLevel.RECEIVED);
    log.force(AckLevel.PERSISTED);
    log.force(AckLevel.FLUSHED);
    assertThat(read(log)).isEqualTo(appended);
  }

  @Test
  void readingStartsWhereABatchStartsAndEndsWhenTheHandlerWants() {
    append(log, 1, 20);
    List<Long> positions = new ArrayList<>();
    log.read(
        6,
        batch -> {
          positions.add(Batch.position(batch, batch.position()));
          return positions.size() < 3;
        });
    assertThat(positions).containsExactly(6L, 8L, 10L);
    for (long wrong : new long[] {-2, 7, 20, 22}) {
      assertThatThrownBy(() -> log.read(wrong, batch -> true))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no batch starts at " + wrong + "; the log goes from 0 to 20");
    }
  }

  @Test
  void aBatchMustContinueTheLog() {
    append(log, 3, 4);
    for (ByteBuffer wrong :
        List.of(batch(3, 2, 1, 10), batch(3, 5, 1, 10), batch(2, 4, 1, 10), batch(0, 0, 1, 10))) {
      assertThatThrownBy(() -> log.append(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("does not continue a log that ends in epoch 3 at 4");
    }
    ByteBuffer cut = batch(3, 4, 1, 10);
    for (ByteBuffer wrong : List.of(cut.limit(cut.limit() - 1), batch(3, 4, 0, 0))) {
      assertThatThrownBy(() -> log.append(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("are not a complete batch with messages");
    }
    append(log, 3, 6);
    assertHolds(log, 3, 0, 6);
  }

  @Test
  void theEndOfAnEpochIsWhereTheNextBegan() {
    append(log, 2, 10);
    append(log, 5, 14);
    append(log, 6, 20);
    assertThat(log.endOf(1)).isEqualTo(LogEnd.EMPTY);
    assertThat(log.endOf(2)).isEqualTo(new LogEnd(2, 10));
    assertThat(log.endOf(4)).isEqualTo(new LogEnd(2, 10));
    assertThat(log.endOf(5)).isEqualTo(new LogEnd(5, 14));
    assertThat(log.endOf(6)).isEqualTo(new LogEnd(6, 20));
    assertThat(log.endOf(9)).isEqualTo(new LogEnd(6, 20));
    log.truncate(12);
    assertThat(log.end()).isEqualTo(new LogEnd(5, 12));
    log.truncate(10);
    assertThat(log.end()).isEqualTo(new LogEnd(2, 10));
    assertThat(log.endOf(5)).isEqualTo(new LogEnd(2, 10));
    append(log, 7, 12);
    assertThat(log.endOf(6)).isEqualTo(new LogEnd(2, 10));
    assertThat(log.endOf(7)).isEqualTo(new LogEnd(7, 12));
  }

  @Test
  void whatIsTruncatedIsGoneAndOtherThingsCanBeAppended() {
    append(log, 1, 10);
    save(log, new LogEnd(1, 4), 44, 10);
    save(log, new LogEnd(1, 8), 88, 10);
    assertThatThrownBy(() -> log.truncate(5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> log.truncate(12)).isInstanceOf(IllegalArgumentException.class);
    log.truncate(10);
    assertThat(state(log)).isEqualTo(88);
    log.truncate(6);
    assertHolds(log, 1, 0, 6);
    assertThat(log.snapshot()).isEqualTo(new LogEnd(1, 4));
    assertThat(state(log)).isEqualTo(44);
    log.append(batch(2, 6, 5, 50));
    assertThat(log.end()).isEqualTo(new LogEnd(2, 11));
    log.truncate(0);
    assertThat(log.end()).isEqualTo(LogEnd.EMPTY);
    assertThat(log.snapshot()).isEqualTo(LogEnd.EMPTY);
    assertThat(state(log)).isEqualTo(-1);
    append(log, 2, 4);
    assertHolds(log, 2, 0, 4);
  }

  @Test
  void trimmingForgetsWhatIsBeforeASnapshot() {
    append(log, 1, 10);
    log.trim(10);
    assertHolds(log, 1, 0, 10);
    save(log, new LogEnd(1, 4), 4, 10);
    log.trim(3);
    assertHolds(log, 1, 0, 10);
    log.trim(6);
    assertHolds(log, 1, 4, 10);
    save(log, new LogEnd(1, 8), 8, 10);
    log.trim(4);
    assertHolds(log, 1, 4, 10);
    append(log, 1, 3000);
    save(log, new LogEnd(1, 2000), 2000, 10);
    log.trim(2500);
    assertHolds(log, 1, 2000, 3000);
    save(log, new LogEnd(1, 3000), 3000, 10);
    log.trim(3000);
    assertHolds(log, 1, 3000, 3000);
    assertThat(log.end()).isEqualTo(new LogEnd(1, 3000));
    append(log, 2, 3010);
    assertHolds(log, 2, 3000, 3010);
    assertThat(log.endOf(1)).isEqualTo(new LogEnd(1, 3000));
    assertThatThrownBy(() -> log.read(2998, batch -> true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> log.truncate(2998)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whereverItIsCutThereIsASnapshotToStartFrom() {
    append(log, 1, 20);
    save(log, new LogEnd(1, 4), 4, 10);
    save(log, new LogEnd(1, 6), 6, 10);
    log.trim(4);
    for (int i = 0; i < 5; i++) {
      save(log, new LogEnd(1, 14), 14, 10);
    }
    save(log, new LogEnd(1, 16), 16, 10);
    log.truncate(14);
    assertThat(state(log)).isEqualTo(14);
    log.truncate(12);
    assertThat(log.snapshot()).isEqualTo(new LogEnd(1, 4));
    assertThat(state(log)).isEqualTo(4);
    assertHolds(log, 1, 4, 12);
    log.truncate(4);
    assertThat(state(log)).isEqualTo(4);
    assertThat(log.end()).isEqualTo(new LogEnd(1, 4));
  }

  @Test
  void readingBesideTrimmingEndsEarlyAtMost() {
    append(log, 1, 2000);
    save(log, new LogEnd(1, 1500), 1, 10);
    List<Long> positions = new ArrayList<>();
    log.read(
        0,
        batch -> {
          long position = Batch.position(batch, batch.position());
          if (position == 1000) {
            log.trim(1500);
          }
          return positions.add(position);
        });
    for (int i = 0; i < positions.size(); i++) {
      assertThat(positions.get(i)).isEqualTo(2L * i);
    }
    assertHolds(log, 1, 1500, 2000);
  }

  @Test
  void aResetLogStartsElsewhere() {
    append(log, 1, 10);
    save(log, new LogEnd(1, 8), 8, 10);
    LogEnd end = new LogEnd(7, 1000);
    log.reset(end);
    assertThat(log.start()).isEqualTo(1000);
    assertThat(log.end()).isEqualTo(end);
    assertThat(log.snapshot()).isEqualTo(LogEnd.EMPTY);
    assertThat(state(log)).isEqualTo(-1);
    assertThat(log.endOf(7)).isEqualTo(end);
    assertThat(log.endOf(6)).isEqualTo(LogEnd.EMPTY);
    save(log, end, 1234, 10);
    assertThat(log.snapshot()).isEqualTo(end);
    append(log, 7, 1004);
    append(log, 8, 1006);
    assertThat(log.endOf(7)).isEqualTo(new LogEnd(7, 1004));
    log.truncate(1000);
    assertThat(log.end()).isEqualTo(end);
    assertThat(state(log)).isEqualTo(1234);
  }

  @Test
  void theLastSnapshotIsRead() {
    append(log, 1, 10);
    save(log, LogEnd.EMPTY, 1, 0);
    assertThat(state(log)).isEqualTo(1);
    save(log, new LogEnd(1, 4), 2, 3_000_000);
    assertThat(log.snapshot()).isEqualTo(new LogEnd(1, 4));
    assertThat(state(log)).isEqualTo(2);
    save(log, new LogEnd(1, 4), 3, SnapshotOutput.CHUNK_BYTES - 12);
    save(log, new LogEnd(1, 10), 4, SnapshotOutput.CHUNK_BYTES - 11);
    assertThat(state(log)).isEqualTo(4);
  }

  @Test
  void aSnapshotOfWhatTheHistoryDoesNotHoldIsNotKept() {
    append(log, 3, 10);
    append(log, 5, 20);
    save(log, new LogEnd(3, 6), 6, 10);
    for (LogEnd wrong :
        List.of(
            new LogEnd(5, 22),
            new LogEnd(4, 12),
            new LogEnd(3, 12),
            new LogEnd(5, 10),
            new LogEnd(2, 8),
            new LogEnd(3, 4))) {
      save(log, wrong, 99, 10);
      assertThat(log.snapshot()).as("after " + wrong).isEqualTo(new LogEnd(3, 6));
    }
    assertThat(state(log)).isEqualTo(6);
    save(log, new LogEnd(3, 10), 10, 10);
    save(log, new LogEnd(5, 12), 12, 10);
    assertThat(state(log)).isEqualTo(12);
  }

  @Test
  void aSnapshotOfWhatIsCutOffWhileItIsWrittenIsNotKept() throws IOException {
    append(log, 3, 10);
    log.saveSnapshot(
        new LogEnd(3, 10),
        out -> {
          out.writeLong(9);
          log.truncate(8);
          append(log, 4, 12);
        });
    assertThat(log.snapshot()).isEqualTo(LogEnd.EMPTY);
    log.saveSnapshot(
        new LogEnd(4, 12),
        out -> {
          out.writeLong(9);
          log.reset(new LogEnd(8, 12));
        });
    assertThat(log.snapshot()).isEqualTo(LogEnd.EMPTY);
    assertThat(state(log)).isEqualTo(-1);
  }

  @Test
  void readersAreNotInTheWay() throws IOException {
    append(log, 1, 10);
    save(log, new LogEnd(1, 2), 2, 1_000_000);
    save(log, new LogEnd(1, 4), 4, 1_000_000);
    List<Long> positions = new ArrayList<>();
    log.readSnapshot(
        in -> {
          assertThat(in.readLong()).isEqualTo(4);
          log.truncate(2);
          append(log, 2, 10);
          save(log, new LogEnd(2, 10), 10, 10);
          in.readFully(new byte[1_000_000]);
        });
    assertThat(state(log)).isEqualTo(10);
    log.read(
        0,
        batch -> {
          log.truncate(4);
          append(log, 3, 20);
          return positions.add(Batch.position(batch, batch.position()));
        });
    log.read(
        0,
        batch -> {
          log.reset(new LogEnd(4, 100));
          append(log, 4, 110);
          return positions.add(Batch.position(batch, batch.position()));
        });
    assertThat(positions).containsExactly(0L, 0L);
    assertHolds(log, 4, 100, 110);
  }

  @Test
  void aSnapshotThatFailsChangesNothing() {
    append(log, 1, 10);
    save(log, new LogEnd(1, 4), 2, 100);
    assertThatThrownBy(
            () ->
                log.saveSnapshot(
                    new LogEnd(1, 6),
                    out -> {
                      out.writeLong(9);
                      throw new IOException("no");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no");
    assertThat(log.snapshot()).isEqualTo(new LogEnd(1, 4));
    assertThat(state(log)).isEqualTo(2);
    save(log, new LogEnd(1, 6), 3, 100);
    assertThat(state(log)).isEqualTo(3);
  }

  @Test
  void theRecordIsTheLastSaved() {
    log.save(new GroupRecord(5, 2, 4, 0b101, 3));
    log.save(new GroupRecord(6, -1, 6, 0b011, 1));
    assertThat(log.record()).isEqualTo(new GroupRecord(6, -1, 6, 0b011, 1));
    log.reset(LogEnd.EMPTY);
    assertThat(log.record()).isEqualTo(new GroupRecord(6, -1, 6, 0b011, 1));
    GroupRecord changed =
        new GroupRecord(7, -1, 7, 0b101, 2)
            .withMembership(new Membership(List.of("a", "", "long-name.of_a-member"), 2));
    log.save(changed);
    assertThat(log.record()).isEqualTo(changed);
  }
}
