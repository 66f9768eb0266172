package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.LogEntry;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.LogScan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where the index or the progress is damaged, verify counts the messages that export reads. */
class VerifyLikeExportTest extends DataDirectoryTestBase {
  private static final int ALL = 200;
  private static final int INNER_INDEX = 12;
  private static final int INDEX = 13;
  private static final int INSERT = 33;
  private static final int UPDATE = 35;

  /** Between those of a record that the index holds and those of a packet. */
  private static final int MIN_PROGRESS_BYTES = 40;

  private static final int MAX_PROGRESS_BYTES = 60;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(2 << 10).setSegmentThresholdBytes(0);
  }

  /** Packets that are consumed in part; nothing of them is in the newest file. */
  private void fill() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, ALL, 100));
      List<Delivery<String>> taken = new QueueReader<>(queue).next(ALL);
      for (int i = 0; i < ALL; i += 2) {
        queue.acknowledge(taken.get(i));
      }
    }
    try (QueueStore store = openStore();
        DurableQueue<String> other = openQueue(store, "r", new QueueOptions(), NO_LOSSES)) {
      appendAll(other, texts(0, 230, 5000));
    }
  }

  /** A record of progress in the first file, the largest index entry behind, and its parent. */
  private List<LogEntry> found() throws IOException {
    LogEntry[] found = new LogEntry[3];
    LogScan.of(
        data(),
        new LogScan.Visitor() {
          private boolean isFirst;

          @Override
          public void file(long number, boolean isLast) {
            isFirst = number == 0;
          }

          @Override
          public void entry(LogEntry entry, ByteBuffer content) {
            if (!isFirst) {
              return;
            }
            boolean isBehind = found[0] != null;
            if (!isBehind && isProgress(entry)) {
              found[0] = entry;
            } else if (isBehind && entry.type() == INDEX && isLarger(entry, found[1])) {
              found[1] = entry;
              found[2] = null;
            } else if (found[1] != null && found[2] == null && entry.type() == INNER_INDEX) {
              found[2] = entry;
            }
          }
        });
    return List.of(found);
  }

  private static boolean isLarger(LogEntry entry, LogEntry than) {
    return than == null || entry.size() > than.size();
  }

  private static boolean isProgress(LogEntry entry) {
    return (entry.type() == INSERT || entry.type() == UPDATE)
        && entry.size() > MIN_PROGRESS_BYTES
        && entry.size() < MAX_PROGRESS_BYTES;
  }

  @Test
  void verifyCountsWhatExportReads() throws IOException {
    fill();
    Path log = LogFiles.of(data()).get(0);
    for (LogEntry entry : found()) {
      long middle = entry.offset() + LogEntry.HEADER_BYTES + entry.size() / 2;
      LogDamage.flip(log, middle, 1);
      VerifyReport report = QueueVerifier.verify(data());
      assertThat(report.faults()).as("faults with %s damaged", entry).hasSize(1);
      assertThat(report.readableMessages())
          .as("readable with %s damaged; %s", entry, report.openFailure())
          .isEqualTo(ToolRun.of("export", data(), "--all").lines().size());
      LogDamage.flip(log, middle, 1);
    }
  }
}
