package dev.weir.queue.je;

import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.LogFault;
import dev.weir.queue.Progress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks every byte of JE's log without JE: each entry by its checksum and by its place after the
 * previous one. After a fault it looks for the next whole entry, so that all faults are found. A
 * last write that {@linkplain LogMark#isUnfinished a kill has cut off} is no fault.
 */
public final class LogScan {

  /** Is shown every entry, also those after a fault. */
  public interface Visitor {
    Visitor NONE = new Visitor() {};

    /** Called before what is in a file. */
    default void file(long number, boolean isLast) {}

    /** An intact entry. */
    default void entry(LogEntry entry, ByteBuffer content) {}

    /** A damaged entry whose size is known; its content may be wrong anywhere. */
    default void damaged(LogEntry entry, ByteBuffer content) {}

    /** Called for each fault, before the damaged entry. */
    default void fault(LogFault fault) {}

    /**
     * Called once, before the fault at which the log ends: the first one of the last file that is
     * not {@linkplain LogMark#isDamage damage}. What is shown from now on is not of the log.
     */
    default void logEnds() {}
  }

  /**
   * A place in JE's log.
   *
   * @param file name of the log file
   * @param offset of the entry in it
   */
  public record Position(String file, long offset) {

    /** Null if the log sequence number is JE's "none". */
    static Position of(long lsn) {
      return lsn == DbLsn.NULL_LSN
          ? null
          : new Position(LogFiles.name(DbLsn.getFileNumber(lsn)), DbLsn.getFileOffset(lsn));
    }
  }

  private final List<LogFault> faults = new ArrayList<>();
  private final Path last;
  private final Visitor visitor;
  private LogMark.Content mark;
  private boolean markIsRead;
  private LogFault endFault;
  private boolean ended;
  private long files;
  private long bytes;
  private long entries;

  private LogScan(Path last, Visitor visitor) {
    this.last = last;
    this.visitor = visitor;
  }

  /** Reads all files of a directory. */
  public static LogScan of(Path directory, Visitor visitor) throws IOException {
    return of(directory, visitor, Progress.NONE);
  }

  /**
   * Reads all files of a directory.
   *
   * @param progress is told the bytes that were read
   */
  public static LogScan of(Path directory, Visitor visitor, Progress progress) throws IOException {
    return of(LogFiles.of(directory), visitor, progress);
  }

  /**
   * The first fault of the last file, or null. JE ends the log there when it opens it, so damage is
   * to be repaired before. Any other fault {@linkplain LogFault#endOfLog ends the log}.
   */
  static LogFault endFault(Path directory) throws IOException {
    Path last = last(LogFiles.of(directory));
    return last == null ? null : of(List.of(last), Visitor.NONE, Progress.NONE).endFault;
  }

  private static LogScan of(List<Path> files, Visitor visitor, Progress progress)
      throws IOException {
    LogScan scan = new LogScan(last(files), visitor);
    long total = 0;
    for (Path file : files) {
      total += Files.size(file);
    }
    for (Path file : files) {
      scan.read(file);
      progress.bytes(scan.bytes, total);
    }
    return scan;
  }

  /** The last file with more than a header: there JE looks for the end of the log. */
  static Path last(List<Path> files) throws IOException {
    for (int i = files.size() - 1; i > 0; i--) {
      if (Files.size(files.get(i)) > LogEntry.FILE_HEADER_BYTES) {
        return files.get(i);
      }
    }
    return files.isEmpty() ? null : files.get(0);
  }

  private void read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw FileObstacle.isDirectory(file);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer content = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      files++;
      bytes += content.limit();
      visitor.file(LogFiles.number(file), file.equals(last));
      read(file, content);
    } catch (InternalError e) {
      // What the JVM makes of a disk that fails, or of a file that becomes shorter, under a
      // mapping.
      throw new IOException(file + " cannot be read", e);
    }
  }

  private void read(Path path, ByteBuffer file) {
    int offset = 0;
    long previous = 0;
    int good = 0;
    while (offset < file.limit()) {
      LogEntry entry = LogEntry.at(file, offset);
      String fault = fault(path, entry, file, previous);
      if (fault == null) {
        entries++;
        visitor.entry(entry, entry.content(file));
        previous = offset;
        good = offset;
        offset = (int) entry.end();
      } else {
        int next = next(file, offset, entry, good);
        fault(path, offset, next, file, fault);
        if (entry != null && entry.fits(file) && entry.end() == next) {
          visitor.damaged(entry, entry.content(file));
        }
        LogEntry behind = LogEntry.at(file, next);
        previous = behind == null ? 0 : behind.previous();
        offset = next;
      }
    }
  }

  private static String fault(Path path, LogEntry entry, ByteBuffer file, long previous) {
    if (entry == null) {
      return LogEntry.CUT_OFF;
    }
    String fault = entry.fault(file);
    if (fault != null) {
      return fault;
    }
    if (entry.previous() != previous) {
      return "an entry that does not follow the one before";
    }
    boolean wrong = entry.offset() == 0 && LogEntry.fileNumber(file) != LogFiles.number(path);
    return wrong ? "the header of another file" : null;
  }

  /** Where the next whole entry begins, or the end of the file. */
  private static int next(ByteBuffer file, int offset, LogEntry entry, int good) {
    if (entry != null && entry.fits(file) && entry.end() > offset) {
      int end = (int) entry.end();
      LogEntry behind = LogEntry.at(file, end);
      boolean follows = behind != null && behind.previous() == offset;
      if (follows && behind.fault(file) == null) {
        return end;
      }
    }
    for (int at = offset + 1; at + LogEntry.HEADER_BYTES <= file.limit(); at++) {
      LogEntry candidate = LogEntry.at(file, at);
      boolean linked = candidate.previous() >= good && candidate.previous() < at;
      if (linked && candidate.fault(file) == null) {
        return at;
      }
    }
    return file.limit();
  }

  private void fault(Path path, int offset, int next, ByteBuffer file, String what) {
    boolean isLast = path.equals(last);
    long lsn = DbLsn.makeLsn(LogFiles.number(path), offset);
    boolean isCutOff = what.equals(LogEntry.CUT_OFF) && next == file.limit();
    if (isLast && !ended && isCutOff && LogMark.isUnfinished(mark(path), lsn)) {
      return;
    }
    boolean isDamage = isLast && LogMark.isDamage(mark(path), lsn);
    boolean endOfLog = isLast && offset > 0 && (ended || !isDamage);
    String text = what;
    if (endOfLog && next == file.limit()) {
      text += ", and nothing behind it; a power loss may leave the last write so";
    }
    LogFault fault =
        new LogFault(
            path.getFileName().toString(),
            offset,
            next - offset,
            endOfLog,
            endOfLog ? file.limit() - offset : 0,
            text);
    faults.add(fault);
    if (endFault == null && (endOfLog || isDamage)) {
      endFault = fault;
    }
    if (endOfLog && !ended) {
      ended = true;
      visitor.logEnds();
    }
    visitor.fault(fault);
  }

  private LogMark.Content mark(Path path) {
    if (!markIsRead) {
      mark = LogMark.read(path.getParent());
      markIsRead = true;
    }
    return mark;
  }

  public List<LogFault> faults() {
    return faults;
  }

  /** Whether a position lies in bytes that cannot be read. */
  public boolean isDamaged(Position position) {
    for (LogFault fault : faults) {
      boolean within =
          position.offset() >= fault.offset() && position.offset() < fault.offset() + fault.bytes();
      if (within && fault.file().equals(position.file())) {
        return true;
      }
    }
    return false;
  }

  public long files() {
    return files;
  }

  public long bytes() {
    return bytes;
  }

  public long entries() {
    return entries;
  }
}
