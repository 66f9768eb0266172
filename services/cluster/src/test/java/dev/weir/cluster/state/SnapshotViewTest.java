package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.StateView;
import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TestBatches;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Snapshots of an event-sourced processor that gives views of its state. */
class SnapshotViewTest {
  private static final int BODY_BYTES = 8 << 10;

  private final GroupOptions options =
      new GroupOptions().setMembers(List.of("m0")).setSnapshotBytes(1 << 20);
  private final MemoryTransactionLog log = new MemoryTransactionLog();

  /** Counts messages; its views are numbers. */
  private static final class Counter implements EventSourcedProcessor {
    private long count;
    private int openViews;
    private boolean fails;
    private Runnable onRestore = () -> {};

    @Override
    public void onMessage(Inbound message, Outbound out) {
      count++;
    }

    @Override
    public StateView view() {
      if (fails) {
        throw new IllegalStateException("on purpose");
      }
      long now = count;
      openViews++;
      return new StateView() {
        @Override
        public void save(DataOutput out) throws IOException {
          out.writeLong(now);
        }

        @Override
        public void close() {
          openViews--;
        }
      };
    }

    @Override
    public void save(DataOutput out) {
      throw new AssertionError("a processor with a view is not copied");
    }

    @Override
    public void restore(DataInput in) throws IOException {
      onRestore.run();
      count = in == null ? 0 : in.readLong();
    }
  }

  private History history(Counter processor) {
    Sessions sessions = new Sessions(1 << 10, BODY_BYTES, 10, 600_000);
    return new History(options, log, sessions, new EventSourcing(processor, sessions, BODY_BYTES));
  }

  private static void append(History history) {
    ByteBuffer batch = TestBatches.batch(1, history.end().position(), 10, BODY_BYTES);
    history.append(batch);
    history.replay(batch, batch.position());
  }

  @Test
  void aProcessorThatCannotSaveItsStateCostsNoMember() {
    QuietLog.set();
    Counter processor = new Counter();
    processor.fails = true;
    History history = history(processor);
    for (int batch = 0; batch < 30; batch++) {
      append(history);
      assertThat(history.takeSnapshotIfDue()).isFalse();
    }
    processor.fails = false;
    while (!history.takeSnapshotIfDue()) {
      append(history);
    }
    assertThat(history.snapshots().taken().end()).isEqualTo(history.end());
  }

  @Test
  void messagesAreHandledWhileASnapshotIsWritten() {
    Counter processor = new Counter();
    History history = history(processor);
    while (!history.takeSnapshotIfDue()) {
      append(history);
    }
    long taken = processor.count;
    SnapshotKeeper.Taken snapshot = history.snapshots().taken();
    append(history);
    assertThat(history.takeSnapshotIfDue()).as("one at a time").isFalse();
    history.snapshots().write(snapshot);
    history.snapshots().written();

    assertThat(processor.openViews).isZero();
    assertThat(log.snapshot().position()).isEqualTo(taken);
    Counter again = new Counter();
    assertThat(history(again).replayed()).as("only what came after the snapshot").isEqualTo(10);
    assertThat(again.count).isEqualTo(taken + 10);
  }

  @Test
  void aSnapshotThatIsCompletedWhileTheStateIsRebuiltIsNotReplayed() {
    Counter processor = new Counter();
    History history = history(processor);
    takeSnapshot(history);
    writeSnapshot(history);
    takeSnapshot(history);
    append(history);
    long handled = processor.count;
    SnapshotKeeper.Taken second = history.snapshots().taken();
    processor.onRestore =
        () -> {
          processor.onRestore = () -> {};
          history.snapshots().write(second);
        };
    ByteBuffer open = ByteBuffer.allocate(Batch.HEADER_BYTES);
    Batch.begin(open, 0, 1, history.end().position(), 0);
    history.rebuild(open, 0);
    assertThat(log.snapshot()).isEqualTo(second.end());
    assertThat(processor.count).isEqualTo(handled);
  }

  private static void takeSnapshot(History history) {
    while (!history.takeSnapshotIfDue()) {
      append(history);
    }
  }

  private static void writeSnapshot(History history) {
    history.snapshots().write(history.snapshots().taken());
    history.snapshots().written();
  }
}
