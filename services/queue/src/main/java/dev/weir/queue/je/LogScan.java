package dev.weir.queue.je;

import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.LogFault;
import dev.weir.queue.Progress;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Adler32;

/**
 * Checks every byte of JE's log without JE: each entry by its checksum and by its place after the
 * previous one. After a fault it looks for the next whole entry, so that all faults are found. A
 * last write that {@linkplain LogMark#isUnfinished a kill has cut off} is no fault.
 */
public final class LogScan {

  /** Is shown every entry, also those after a fault; its content only during the call. */
  public interface Visitor {
    Visitor NONE =
        new Visitor() {
          @Override
          public boolean readsContent() {
            return false;
          }
        };

    /** False to be shown no entries, which then need not fit into memory. */
    default boolean readsContent() {
      return true;
    }

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
    try (Bytes content = new Bytes()) {
      for (Path file : files) {
        scan.read(content, file);
        progress.bytes(scan.bytes, total);
      }
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

  private void read(Bytes file, Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw FileObstacle.isDirectory(path);
    }
    file.open(path);
    files++;
    bytes += file.size();
    visitor.file(LogFiles.number(path), path.equals(last));
    long offset = 0;
    long previous = 0;
    long good = 0;
    while (offset < file.size()) {
      LogEntry entry = file.entry(offset);
      String fault = fault(entry, file, previous);
      if (fault == null) {
        entries++;
        if (visitor.readsContent()) {
          visitor.entry(entry, entry.content(file));
        }
        previous = offset;
        good = offset;
        offset = entry.end();
      } else {
        long next = next(file, offset, entry, good);
        fault(path, offset, next, file.size(), fault);
        if (entry != null && entry.fits(file) && entry.end() == next && visitor.readsContent()) {
          visitor.damaged(entry, entry.content(file));
        }
        LogEntry behind = file.entry(next);
        previous = behind == null ? 0 : behind.previous();
        offset = next;
      }
    }
  }

  private static String fault(LogEntry entry, Bytes file, long previous) throws IOException {
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
    boolean wrong =
        entry.offset() == 0 && LogEntry.fileNumber(file) != LogFiles.number(file.file());
    return wrong ? "the header of another file" : null;
  }

  /** Where the next whole entry begins, or the end of the file. */
  private static long next(Bytes file, long offset, LogEntry entry, long good) throws IOException {
    if (entry != null && entry.fits(file) && entry.end() > offset) {
      long end = entry.end();
      LogEntry behind = file.entry(end);
      boolean follows = behind != null && behind.previous() == offset;
      if (follows && behind.fault(file) == null) {
        return end;
      }
    }
    for (long at = offset + 1; at + LogEntry.HEADER_BYTES <= file.size(); at++) {
      LogEntry candidate = file.entry(at);
      boolean linked = candidate.previous() >= good && candidate.previous() < at;
      if (linked && candidate.fault(file) == null) {
        return at;
      }
    }
    return file.size();
  }

  private void fault(Path path, long offset, long next, long fileBytes, String what)
      throws IOException {
    boolean isLast = path.equals(last);
    long lsn = DbLsn.makeLsn(LogFiles.number(path), offset);
    boolean isCutOff = what.equals(LogEntry.CUT_OFF) && next == fileBytes;
    if (isLast && !ended && isCutOff && LogMark.isUnfinished(mark(path), lsn)) {
      return;
    }
    boolean isDamage = isLast && LogMark.isDamage(mark(path), lsn);
    boolean endOfLog = isLast && offset > 0 && (ended || !isDamage);
    String text = what;
    if (endOfLog && next == fileBytes) {
      text += ", and nothing behind it; a power loss may leave the last write so";
    }
    LogFault fault =
        new LogFault(
            path.getFileName().toString(),
            offset,
            next - offset,
            endOfLog,
            endOfLog ? fileBytes - offset : 0,
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

  private LogMark.Content mark(Path path) throws IOException {
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

  /**
   * The bytes of one log file after the other, read part by part into a buffer outside of the heap,
   * which grows to the largest entry that is asked for as a whole. The files are not mapped: the
   * JVM ends when a mapped file becomes shorter, or cannot be read from its disk. One thread.
   */
  static final class Bytes implements Closeable {
    private static final int WINDOW_BYTES = 256 << 10;

    private ByteBuffer window = window(WINDOW_BYTES);

    /** Where the window is in the file. */
    private long start;

    private FileChannel channel;
    private Path file;
    private long size;

    private static ByteBuffer window(int bytes) {
      return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Goes on with another file. */
    void open(Path path) throws IOException {
      close();
      channel = FileChannel.open(path, StandardOpenOption.READ);
      file = path;
      size = channel.size();
      start = 0;
      window.clear().limit(0);
    }

    Path file() {
      return file;
    }

    /** Bytes of the file when it was opened. */
    long size() {
      return size;
    }

    /** The entry at an offset; null if the file is too short for one. */
    LogEntry entry(long offset) throws IOException {
      if (offset + LogEntry.HEADER_BYTES > size) {
        return null;
      }
      return LogEntry.of(window, at(offset, LogEntry.HEADER_BYTES), offset);
    }

    int getInt(long offset) throws IOException {
      return window.getInt(at(offset, Integer.BYTES));
    }

    /** What is between two offsets; until the next call. */
    ByteBuffer slice(long from, long to) throws IOException {
      int length = Math.toIntExact(to - from);
      return window.slice(at(from, length), length);
    }

    /** The checksum of what is between two offsets; for this the window does not grow. */
    long sum(long from, long to) throws IOException {
      Adler32 sum = new Adler32();
      for (long at = from; at < to; ) {
        int length = (int) Math.min(to - at, window.capacity());
        sum.update(slice(at, at + length));
        at += length;
      }
      return sum.getValue();
    }

    /** Where in the window an offset is, with so many bytes from there on. */
    private int at(long offset, int length) throws IOException {
      if (offset < start || offset + length > start + window.limit()) {
        if (length > window.capacity()) {
          // The old one can be collected while there is no room for both.
          window = null;
          window = window(length);
        }
        start = offset;
        window.clear().limit((int) Math.min(window.capacity(), size - offset));
        fill();
      }
      return (int) (offset - start);
    }

    private void fill() throws IOException {
      try {
        while (window.hasRemaining()) {
          if (channel.read(window, start + window.position()) < 0) {
            throw new IOException("it became shorter while it was read");
          }
        }
        window.flip();
      } catch (IOException e) {
        window.limit(0);
        throw new IOException(file + " cannot be read: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() throws IOException {
      if (channel != null) {
        channel.close();
      }
    }
  }
}
