package dev.weir.queue.je;

import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.utilint.DbLsn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the log had come: a small file beside it, {@value #FILE}, with the end of the log and the
 * sequence after the last message that was written to each queue. JE takes any end of the log for
 * the right one; with this a log whose end is gone is found. The file is written in place, once a
 * second at most while messages are written, once more after the last of them, when a log file
 * begins, and when the store is closed; it is not forced to the device, and a file whose content
 * cannot be read is ignored. Where the file cannot even be opened, neither is the store.
 *
 * <p>It also names the start of the machine, as Linux tells it. What a process has written to the
 * system is there until the machine stops, whatever became of the process; after another start, or
 * where the start is not known, only what was forced to the device is.
 *
 * <pre>
 * format 2
 * log 00000005.jdb 1048576 closed
 * synced 00000005.jdb 1048576
 * boot 3c1f9d5e-8a51-4b7e-9d0c-2f6a1e7b4c90
 * queue 17 orders
 * end (CRC32C of the lines before)
 * </pre>
 *
 * Files of format 1 have no line for the format and none for the start.
 */
public final class LogMark {
  static final String FILE = "weir.end";

  private static final Logger LOG = LoggerFactory.getLogger(LogMark.class);
  private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
  private static final String END = "\nend ";
  private static final String CLOSED = "closed";
  private static final String OPEN = "open";
  private static final String REPAIRED = "repaired";
  private static final String FORMAT = "format ";
  private static final String VERSION = FORMAT + 2;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final String UNKNOWN = "unknown";

  /**
   * What the file says.
   *
   * @param file number of the log file in which the log ended
   * @param offset of the end in it
   * @param syncedLsn place up to which the log was forced to the device, or 0
   * @param closed true if the store was closed in order, so that nothing was written afterwards
   * @param repaired true if a repair has made the log, so that references to segments may be lost
   * @param sameBoot true if the machine is known to have run since this was written
   * @param endSequences by queue: the sequence after the last message that was written
   */
  public record Content(
      long file,
      long offset,
      boolean closed,
      boolean repaired,
      long syncedLsn,
      boolean sameBoot,
      Map<String, Long> endSequences) {

    /** The place that the log is known to have reached. */
    long reachedLsn() {
      return DbLsn.makeLsn(file, offset);
    }

    /** Place up to which all must be there; larger than all for all that was ever written. */
    long certainLsn() {
      return sameBoot && !closed ? Long.MAX_VALUE : syncedLsn;
    }
  }

  private final Path directory;
  private final Map<String, long[]> endSequences = new HashMap<>();
  private long nextNs = System.nanoTime();
  private long file = -1;

  /** Where the log ended that was handed to the system; 0 if nothing was. */
  private long handedLsn;

  private long syncedLsn;

  private final String boot = boot();

  /** There is more to tell than the file does. */
  private boolean late;

  LogMark(Path directory) {
    this.directory = directory;
  }

  /**
   * Reads the file of a directory; null if there is none, or none whose content can be read.
   *
   * @throws IOException if it cannot be opened, maybe for want of a file descriptor
   */
  public static Content read(Path directory) throws IOException {
    try (InputStream in = Files.newInputStream(directory.resolve(FILE))) {
      return content(directory, in);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static Content content(Path directory, InputStream in) {
    try {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Iterator<String> lines = checked(text).lines().iterator();
      String first = lines.next();
      if (first.startsWith(FORMAT) && !first.equals(VERSION)) {
        throw new IllegalArgumentException("it has " + first);
      }
      boolean hasBoot = first.equals(VERSION);
      String[] log = (hasBoot ? lines.next() : first).split(" ");
      String[] synced = lines.next().split(" ");
      String boot = hasBoot ? lines.next().split(" ")[1] : UNKNOWN;
      Map<String, Long> queues = new HashMap<>();
      while (lines.hasNext()) {
        String[] queue = lines.next().split(" ", 3);
        queues.put(queue[2], Long.parseLong(queue[1]));
      }
      long number = LogFiles.number(Path.of(log[1]));
      long syncedLsn =
          DbLsn.makeLsn(LogFiles.number(Path.of(synced[1])), Long.parseLong(synced[2]));
      boolean sameBoot = !boot.equals(UNKNOWN) && boot.equals(boot());
      long offset = Long.parseLong(log[2]);
      boolean closed = log[3].equals(CLOSED);
      boolean repaired = log[3].equals(REPAIRED);
      return new Content(number, offset, closed, repaired, syncedLsn, sameBoot, queues);
    } catch (IOException
        | IllegalArgumentException
        | IndexOutOfBoundsException
        | NoSuchElementException e) {
      LOG.debug("{} of {} cannot be read", FILE, directory, e);
      return null;
    }
  }

  /** What Linux calls this start of the machine. */
  private static String boot() {
    try {
      return Files.readString(BOOT_ID).trim();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** What stands before the last line, which is its checksum. */
  private static String checked(String text) {
    int end = text.indexOf(END) + 1;
    String sum = text.substring(end + END.length() - 1).lines().findFirst().orElse("");
    String lines = text.substring(0, end);
    if (end == 0 || !sum.equals(sum(lines))) {
      throw new IllegalArgumentException("it was not written to its end");
    }
    return lines;
  }

  private static String sum(String lines) {
    CRC32C sum = new CRC32C();
    sum.update(lines.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(sum.getValue());
  }

  /** Whether a log ends before the place that it had reached. */
  public static boolean isShorter(Path directory, Content mark) throws IOException {
    List<Path> files = LogFiles.of(directory);
    if (mark == null || files.isEmpty()) {
      return mark != null;
    }
    Path last = files.get(files.size() - 1);
    long number = LogFiles.number(last);
    return number < mark.file || number == mark.file && Files.size(last) < mark.offset;
  }

  /**
   * Writes the end of the log once more if it was not closed in order. To be called before the
   * environment is opened.
   *
   * @param unsyncedFrom number of the first file whose sync is known to have failed; larger than
   *     all for none
   */
  static void rewriteEnd(Path directory, long unsyncedFrom) throws IOException {
    if (!isClosedIn(directory, read(directory))) {
      // The last user may have ended with a sync that failed.
      JeLogTail.rewrite(directory, unsyncedFrom);
    }
  }

  /** Whether the last user of a log has closed it in order. */
  static boolean isClosed(Path directory) throws IOException {
    return isClosedIn(directory, read(directory));
  }

  /** Whether a log is as its last user has left it, who closed it in order. */
  private static boolean isClosedIn(Path directory, Content mark) throws IOException {
    List<Path> files = LogFiles.of(directory);
    Path last = files.isEmpty() ? null : files.get(files.size() - 1);
    return last == null
        || mark != null
            && mark.closed
            && mark.file == LogFiles.number(last)
            && mark.offset == Files.size(last);
  }

  /**
   * Whether an entry that is longer than the last file, with nothing behind it, is the write that a
   * kill has stopped in its middle. Whatever was accepted was written before, and is there as long
   * as the machine runs.
   */
  static boolean isUnfinished(Content mark, long lsn) {
    return mark != null
        && mark.certainLsn() == Long.MAX_VALUE
        && DbLsn.compareTo(lsn, Math.max(mark.reachedLsn(), mark.syncedLsn)) >= 0;
  }

  /**
   * Whether a fault in the last file is damage, and not the end of what a loss of power has left.
   * Behind such an end nothing is known to be complete: some pages of a transaction may be there
   * and others not.
   */
  static boolean isDamage(Content mark, long lsn) {
    return mark != null && DbLsn.compareTo(lsn, mark.certainLsn()) < 0;
  }

  /**
   * Whether a directory has no log although there must be one. A loss of power can leave the mark
   * of a log that was never forced, and not the log.
   */
  static boolean isLogGone(Path directory) throws IOException {
    if (LogFiles.exist(directory)) {
      return false;
    }
    Content mark = read(directory);
    return mark != null && mark.certainLsn() > 0;
  }

  /** Continues with what the file has said; null for nothing. */
  synchronized void begin(Environment environment, Content known) {
    if (known != null) {
      known.endSequences.forEach((queue, end) -> wrote(queue, end));
    }
    long lsn = end(environment);
    handedLsn = 0;
    late = false;
    // A log that became shorter is certain up to its end at most.
    syncedLsn = known == null ? 0 : Math.min(known.syncedLsn, lsn);
    file = DbLsn.getFileNumber(lsn);
    write(file, DbLsn.getFileOffset(lsn), OPEN);
  }

  /** Where JE appends next; a commit hands all before it to the system. */
  static long end(Environment environment) {
    return DbInternal.getNonNullEnvImpl(environment).getFileManager().getNextLsn();
  }

  /** Notes that messages are written; the mark tells so when they are committed. */
  synchronized void wrote(String queue, long endSequence) {
    long[] end = endSequences.computeIfAbsent(queue, ignored -> new long[1]);
    end[0] = Math.max(end[0], endSequence);
  }

  /** Notes that all packets of a queue are deleted. */
  synchronized void removed(String queue) {
    endSequences.remove(queue);
  }

  /**
   * Called after a commit.
   *
   * @param lsn where the log ended before it; the commit, or the first byte of what another thread
   *     wrote before that, is there
   */
  synchronized void committed(long lsn) {
    handedLsn = Math.max(handedLsn, lsn + 1);
    writeIfDue();
  }

  private void writeIfDue() {
    long number = DbLsn.getFileNumber(handedLsn);
    long nowNs = System.nanoTime();
    late = handedLsn != 0;
    if (late && (number != file || nowNs - nextNs >= 0)) {
      late = false;
      nextNs = nowNs + INTERVAL_NS;
      file = number;
      write(number, DbLsn.getFileOffset(handedLsn), OPEN);
    }
  }

  /**
   * Tells the rest, when the time for it has come, while nothing else is written.
   *
   * @return time in ns until that; {@link Long#MAX_VALUE} if there is no rest
   */
  synchronized long writeLate() {
    if (late) {
      writeIfDue();
    }
    return late ? Math.max(1, nextNs - System.nanoTime()) : Long.MAX_VALUE;
  }

  /** Where the log ended that was handed to the system. */
  synchronized long handed() {
    return handedLsn;
  }

  /** Called when all up to a position has been forced to the device. */
  synchronized void synced(long lsn) {
    syncedLsn = Math.max(syncedLsn, lsn);
    handedLsn = Math.max(handedLsn, syncedLsn);
    writeIfDue();
  }

  /** Called when the environment was closed in order. */
  void closed() {
    ended(CLOSED, Long.MAX_VALUE);
  }

  /** Called when a repair has made the log; what is behind a place may not have been forced. */
  void repaired(long forcedLsn) {
    ended(REPAIRED, forcedLsn);
  }

  private synchronized void ended(String state, long forcedLsn) {
    try {
      Path last = LogFiles.newest(directory);
      long number = LogFiles.number(last);
      syncedLsn = Math.min(forcedLsn, DbLsn.makeLsn(number, Files.size(last)));
      write(number, Files.size(last), state);
      StoreDirectory.force(directory.resolve(FILE));
    } catch (IOException e) {
      LOG.debug("{} is not changed", FILE, e);
    }
  }

  private void write(long number, long offset, String state) {
    StringBuilder text = new StringBuilder(VERSION);
    text.append("\nlog ").append(LogFiles.name(number)).append(' ').append(offset).append(' ');
    text.append(state).append("\nsynced ");
    text.append(LogFiles.name(DbLsn.getFileNumber(syncedLsn))).append(' ');
    text.append(DbLsn.getFileOffset(syncedLsn)).append("\nboot ");
    // What a repair did not find to be forced is not certain on this start of the machine either.
    text.append(state.equals(REPAIRED) ? UNKNOWN : boot).append('\n');
    endSequences.forEach(
        (queue, end) -> {
          // A name with a line break is not compared.
          if (queue.indexOf('\n') < 0 && queue.indexOf('\r') < 0) {
            text.append("queue ").append(end[0]).append(' ').append(queue).append('\n');
          }
        });
    String sum = sum(text.toString());
    text.append(END, 1, END.length()).append(sum).append('\n');
    ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
    try (FileChannel out =
        FileChannel.open(
            directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.truncate(out.position());
    } catch (IOException e) {
      // Only a later check would miss it.
      LOG.debug("{} is not changed", FILE, e);
    }
  }

  /** Moves the file, because another log takes the place of the one it tells of. */
  static void move(Path directory, Path to) throws IOException {
    if (Files.exists(directory.resolve(FILE))) {
      Files.move(directory.resolve(FILE), to.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
