package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.DurableQueue;
import dev.weir.queue.QueueStore;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.QueueTestBase;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

/** The log is read while its files change, and with little memory. */
class LogScanTest extends QueueTestBase {
  private static final int PAGE = 4096;
  private static final int MESSAGE = 4000;
  private static final int LARGE_BYTES = 24 << 20;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setSegmentThresholdBytes(0);
  }

  /** Cuts a log file within an entry right before that is read; says what the scan says. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      Path directory = Path.of(args[0]);
      Path file = LogFiles.of(directory).get(0);
      long offset = largeEntry(directory);
      LogScan.Visitor cutting =
          new LogScan.Visitor() {
            @Override
            public void entry(LogEntry entry, ByteBuffer content) {
              if (entry.end() == offset) {
                cut(file, (offset / PAGE + 1) * PAGE);
              }
            }
          };
      try {
        LogScan.of(directory, cutting);
        System.out.println("read");
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }

    /** Where an entry of some pages is, whose header does not go beyond its first page. */
    private static long largeEntry(Path directory) throws IOException {
      long[] found = {-1};
      LogScan.Visitor searching =
          new LogScan.Visitor() {
            @Override
            public void entry(LogEntry entry, ByteBuffer content) {
              boolean fits = entry.offset() % PAGE < PAGE - LogEntry.HEADER_BYTES;
              if (found[0] < 0 && fits && entry.size() > 3 * PAGE) {
                found[0] = entry.offset();
              }
            }
          };
      LogScan.of(directory, searching);
      return found[0];
    }

    private static void cut(Path file, long bytes) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(bytes);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void fill() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 400, MESSAGE));
    }
  }

  @Test
  void aFileThatBecomesShorterWhileItIsReadIsAnErrorAndDoesNotEndTheJvm() throws IOException {
    fill();
    Path file = LogFiles.of(directory).get(0);
    try (ChildJvm child = ChildJvm.of(Child.class).mergeErrors().start(directory.toString())) {
      assertThat(child.exitCode()).as("exit code: %s", child.lines()).isZero();
      assertThat(child.lines())
          .containsExactly(file + " cannot be read: it became shorter while it was read");
    }
  }

  /** Checks every byte of a log. */
  static final class CheckingChild {
    private CheckingChild() {}

    public static void main(String[] args) throws IOException {
      LogScan scan = LogScan.of(Path.of(args[0]), LogScan.Visitor.NONE);
      System.out.println(scan.faults());
    }
  }

  @Test
  void aLogIsCheckedWithLessMemoryThanItsLargestEntryTakes() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 1, LARGE_BYTES));
    }
    try (ChildJvm child =
        ChildJvm.of(CheckingChild.class)
            .flags("-Xmx16m")
            .mergeErrors()
            .start(directory.toString())) {
      assertThat(child.allLines()).containsExactly("[]");
    }
  }
}
