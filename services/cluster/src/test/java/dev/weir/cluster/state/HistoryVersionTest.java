package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TestBatches;
import dev.weir.cluster.log.TransactionLog;
import java.io.DataInput;
import java.io.DataOutput;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Who reads a history must know the version of the application that it is of. */
class HistoryVersionTest {
  private static final int MESSAGES = 10;
  private static final int BODY_BYTES = 32 << 10;

  private final GroupOptions options = new GroupOptions().setSnapshotBytes(1 << 20);
  private final TransactionLog log = new MemoryTransactionLog();

  private record Stating(int version) implements EventSourcedProcessor {
    @Override
    public void onMessage(Inbound message, Outbound out) {}

    @Override
    public void save(DataOutput out) {}

    @Override
    public void restore(DataInput in) {}
  }

  private History history(int version) {
    Sessions sessions = new Sessions(16, BODY_BYTES, 10, 600_000);
    return new History(
        options, log, sessions, new EventSourcing(new Stating(version), sessions, BODY_BYTES));
  }

  private static void append(History history, int version) {
    ByteBuffer buffer =
        ByteBuffer.allocate(
            Batch.HEADER_BYTES + MESSAGES * (Batch.MESSAGE_HEADER_BYTES + BODY_BYTES));
    ByteBuffer batch =
        TestBatches.put(buffer, 0, version, 1, history.end().position(), MESSAGES, BODY_BYTES);
    history.append(batch);
    history.replay(batch, batch.position());
  }

  @Test
  void aBatchOfALaterVersionIsNotAppended() {
    History history = history(2);
    append(history, 1);
    assertThat(history.version()).isEqualTo(1);
    append(history, 2);
    assertThat(history.version()).isEqualTo(2);
    assertThatThrownBy(() -> append(history, 3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("application version 3, and the processor of this member states");
    assertThat(log.end().position()).isEqualTo(2 * MESSAGES);
  }

  @Test
  void aSnapshotKnowsItsVersion() {
    History history = history(2);
    append(history, 2);
    while (!history.takeSnapshotIfDue()) {
      append(history, 1);
    }
    history.snapshots().write(history.snapshots().taken());
    history.snapshots().written();
    log.trim(log.end().position());
    assertThat(log.start()).as("nothing but the snapshot is left").isEqualTo(log.end().position());

    assertThat(history(2).version()).isEqualTo(2);
    assertThat(history(3).version()).isEqualTo(2);
    assertThatThrownBy(() -> history(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("application version 2");
  }

  @Test
  void whatIsTruncatedHasNoVersion() {
    History history = history(2);
    append(history, 1);
    append(history, 2);
    history.truncate(MESSAGES);
    assertThat(history.version()).isEqualTo(1);
  }
}
