package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.StateView;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TestBatches;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
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
    private boolean viewFails;
    private Runnable onRestore = () -> {};

    @Override
    public void onMessage(Inbound message, Outbound out) {
      count++;
    }

    @Override
    public StateView view() {
      throwIf(fails);
      long now = count;
      openViews++;
      return new StateView() {
        @Override
        public void save(DataOutput out) throws IOException {
          out.writeLong(now);
          throwIf(viewFails);
        }

        @Override
        public void close() {
          openViews--;
          throwIf(viewFails);
        }
      };
    }

    private static void throwIf(boolean asked) {
      if (asked) {
        throw new IllegalStateException("on purpose");
      }
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

  private History history(EventSourcedProcessor processor) {
    return history(processor, log);
  }

  private History history(EventSourcedProcessor processor, TransactionLog used) {
    Sessions sessions = new Sessions(1 << 10, BODY_BYTES, 10, 600_000);
    return new History(options, used, sessions, new EventSourcing(processor, sessions, BODY_BYTES));
  }

  /** The log, whose disk is full when a view is written. */
  private TransactionLog fullDisk() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length == Long.BYTES) {
              throw new IOException("the disk is full");
            }
          }

          @Override
          public void write(int b) {}
        };
    return (TransactionLog)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {TransactionLog.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("saveSnapshot")) {
                ((TransactionLog.SnapshotWriter) arguments[1]).write(new DataOutputStream(full));
              }
              return method.invoke(log, arguments);
            });
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
  void aViewThatThrowsWhileItIsWrittenCostsNoMember() {
    QuietLog.set();
    Counter processor = new Counter();
    History history = history(processor);
    processor.viewFails = true;
    takeSnapshot(history);
    writeSnapshot(history);
    assertThat(log.snapshot()).isEqualTo(LogEnd.EMPTY);
    assertThat(processor.openViews).isZero();
    assertThat(history.takeSnapshotIfDue()).as("when one is due again").isFalse();

    processor.viewFails = false;
    takeSnapshot(history);
    writeSnapshot(history);
    assertThat(log.snapshot()).isEqualTo(history.end());
  }

  @Test
  void aLogThatThrowsWhileASnapshotIsWrittenIsNoFailureOfTheProcessor() {
    Counter processor = new Counter();
    History history = history(processor, fullDisk());
    takeSnapshot(history);
    assertThatThrownBy(() -> writeSnapshot(history))
        .isInstanceOf(LogException.class)
        .hasRootCauseMessage("the disk is full");
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
    history.rebuild();
    assertThat(log.snapshot()).isEqualTo(second.end());
    assertThat(processor.count).isEqualTo(handled);
  }

  @Test
  void aStopForACopyIsReportedAndWarnedOfOnce() {
    Logger logger = Logger.getLogger(EventSourcing.class.getName());
    List<String> warnings = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            warnings.add(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.WARNING);
    try {
      History history = history(new SlowCopy());
      assertThat(history.snapshotPauseNs()).isZero();
      for (int round = 0; round < 2; round++) {
        takeSnapshot(history);
        writeSnapshot(history);
      }
      assertThat(history.snapshotPauseNs()).isGreaterThanOrEqualTo(SlowCopy.COPY_NS);
      assertThat(warnings).hasSize(1);
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
      logger.setLevel(null);
    }
  }

  /** Has no views, and takes its time to be copied. */
  private static final class SlowCopy implements EventSourcedProcessor {
    private static final long COPY_NS = 25_000_000;

    @Override
    public void onMessage(Inbound message, Outbound out) {}

    @Override
    public void save(DataOutput out) {
      long startNs = System.nanoTime();
      while (System.nanoTime() - startNs < COPY_NS) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void restore(DataInput in) {}
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
