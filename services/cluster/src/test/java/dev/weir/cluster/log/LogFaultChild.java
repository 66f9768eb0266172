package dev.weir.cluster.log;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A process under a fault layer: appends to a log, opens it again when it fails, and marks in the
 * layer's journal what was forced:
 *
 * <pre>
 *   B n      the batches before position n
 *   R n      the record of epoch n
 * </pre>
 *
 * Meanwhile another thread saves snapshots, which are forced too.
 */
final class LogFaultChild {
  private static final int BATCHES_PER_RECORD = 7;
  private static final long GATHER_NS = 1_000_000;

  private final Path directory;
  private final OutputStream marks;

  private LogFaultChild(Path directory, Path marks) throws IOException {
    this.directory = directory;
    this.marks = new FileOutputStream(marks.toString(), true);
  }

  /** Arguments: data directory, file of marks. */
  public static void main(String[] args) throws IOException {
    LogFaultChild child = new LogFaultChild(Path.of(args[0]), Path.of(args[1]));
    while (true) {
      child.use();
    }
  }

  private void use() throws IOException {
    try (TransactionLog log = JeTransactionLog.open(directory)) {
      new Thread(() -> saveSnapshots(log), "snapshots").start();
      for (long i = 1; ; i++) {
        TestBatches.append(log, 1, log.end().position() + 2);
        // Meanwhile a sync of the other thread may write what was appended.
        LockSupport.parkNanos(GATHER_NS);
        log.force(AckLevel.FLUSHED);
        mark("B " + log.end().position());
        if (i % BATCHES_PER_RECORD == 0) {
          long epoch = log.record().epoch() + 1;
          log.save(new GroupRecord(epoch, -1, epoch, 1, 0));
          mark("R " + epoch);
        }
      }
    } catch (LogException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void saveSnapshots(TransactionLog log) {
    try {
      while (true) {
        LogEnd end = log.end();
        log.saveSnapshot(end, state -> state.writeLong(0));
        while (log.end().equals(end)) {
          Thread.onSpinWait();
        }
      }
    } catch (LogException | IOException e) {
      System.out.println("snapshot: " + e.getMessage());
    }
  }

  private void mark(String text) throws IOException {
    marks.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
