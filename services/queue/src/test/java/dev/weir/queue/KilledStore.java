package dev.weir.queue;

import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogEntry;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.LogMark;
import dev.weir.queue.je.LogScan;
import dev.weir.queue.store.QueueWork;
import dev.weir.queue.store.StoredQueue;
import dev.weir.testing.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** What a killed process leaves of a store, and what the tool says about it. */
final class KilledStore {
  private KilledStore() {}

  /** Copies the files of a store that is in use. */
  static void copy(Path data, Path killed) throws IOException {
    Files.createDirectories(killed);
    for (String name : List.of("weir.format", "weir.end", "je.properties")) {
      if (Files.exists(data.resolve(name))) {
        Files.copy(data.resolve(name), killed.resolve(name));
      }
    }
    for (Path log : LogFiles.withSegments(data)) {
      try {
        Files.copy(log, killed.resolve(log.getFileName()));
      } catch (NoSuchFileException e) {
        // Deleted by JE meanwhile: the last file, which is copied last, says so.
      }
    }
  }

  /** Waits until the writer thread has taken progress and deletions. */
  static void awaitWritten(DurableQueue<?> queue) {
    Await.until("it is written", () -> (((StoredQueue<?>) queue).work() & QueueWork.UPKEEP) == 0);
  }

  /** Waits until the mark says that all which is written now is on the device. */
  static void force(JeFiles files, Path data) throws IOException {
    awaitForced(() -> files.force(true), data);
  }

  /** The same without forcing it. */
  static void awaitKnownForced(Path data) throws IOException {
    awaitForced(() -> {}, data);
  }

  private static void awaitForced(Runnable force, Path data) throws IOException {
    Writes writes = new Writes();
    LogScan.of(data, writes);
    Await.until(
        "the log is known to be on the device",
        () -> {
          force.run();
          LogMark.Content mark = mark(data);
          return mark != null && mark.syncedLsn() > writes.lastLsn;
        });
  }

  /** Null if there is none. */
  static LogMark.Content mark(Path data) {
    try {
      return LogMark.read(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Finds the last record that was written. */
  private static final class Writes implements LogScan.Visitor {
    private static final int DELETES = 31;
    private static final int WRITES = 33;
    private long file;
    private long lastLsn;

    @Override
    public void file(long number, boolean isLast) {
      file = number;
    }

    @Override
    public void entry(LogEntry entry, ByteBuffer content) {
      if (entry.type() == WRITES || entry.type() == DELETES) {
        lastLsn = DbLsn.makeLsn(file, entry.offset());
      }
    }
  }

  /** Makes the mark of a log, if any, that of an earlier start, as after a loss of power. */
  static void restartMachine(Path directory) throws IOException {
    if (LogMark.read(directory) == null) {
      return;
    }
    Path file = directory.resolve("weir.end");
    String text = Files.readString(file);
    int end = text.indexOf("\nend ") + 1;
    String lines = text.substring(0, end).replaceFirst("\nboot .*\n", "\nboot earlier\n");
    CRC32C sum = new CRC32C();
    sum.update(lines.getBytes(StandardCharsets.UTF_8));
    Files.writeString(file, lines + "end " + Long.toHexString(sum.getValue()) + "\n");
  }

  static void zero(Path file, long offset, int bytes) throws IOException {
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
      log.seek(offset);
      log.write(new byte[bytes]);
    }
  }

  /** Adds the sequences that the tool says to be lost. */
  static void addLost(String said, TreeSet<Long> named) {
    Matcher packet = Pattern.compile("packet (\\d+) with (\\d+) messages").matcher(said);
    while (packet.find()) {
      add(named, Long.parseLong(packet.group(1)), Long.parseLong(packet.group(2)));
    }
    Matcher range = Pattern.compile("sequences (\\d+) to (\\d+)").matcher(said);
    while (range.find()) {
      long first = Long.parseLong(range.group(1));
      add(named, first, Long.parseLong(range.group(2)) - first + 1);
    }
  }

  static void add(TreeSet<Long> named, long first, long count) {
    for (long sequence = first; sequence < first + count; sequence++) {
      named.add(sequence);
    }
  }
}
