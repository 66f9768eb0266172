package dev.weir.queue.je;

import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.LogFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the log had come: a small file beside it, {@value #FILE}, with the end of the log and the
 * sequence after the last message that was written to each queue. JE takes any end of the log for
 * the right one; with this a log whose end is gone is found. The file is written in place, once a
 * second at most while messages are written, once more after the last of them, when a log file
 * begins, and when the store is closed; it is not forced to the device, and a file that cannot be
 * read is ignored.
 *
 * <pre>
 * log 00000005.jdb 1048576 closed
 * synced 00000005.jdb 1048576
 * queue 17 orders
 * end (CRC32C of the lines before)
 * </pre>
 */
public final class LogMark {
  static final String FILE = "weir.end";

  private static final Logger LOG = LoggerFactory.getLogger(LogMark.class);
  private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
  private static final String END = "\nend ";
  private static final String CLOSED = "closed";
  private static final String OPEN = "open";

  /**
   * What the file says.
   *
   * @param file number of the log file in which the log ended
   * @param offset of the end in it
   * @param syncedLsn place up to which the log was forced to the device, or 0
   * @param closed true if the store was closed in order, so that nothing was written afterwards
   * @param endSequences by queue: the sequence after the last message that was written
   */
  public record Content(
      long file, long offset, boolean closed, long syncedLsn, Map<String, Long> endSequences) {}

  private final Path directory;
  private final Map<String, long[]> endSequences = new HashMap<>();
  private long nextNs = System.nanoTime();
  private long file = -1;

  /** Where the log ended that was handed to the system; 0 if nothing was. */
  private long handedLsn;

  private long syncedLsn;

  /** There is more to tell than the file does. */
  private boolean late;

  LogMark(Path directory) {
    this.directory = directory;
  }

  /** Reads the file of a directory; null if there is none that can be read. */
  public static Content read(Path directory) {
    try {
      List<String> lines = checked(Files.readString(directory.resolve(FILE))).lines().toList();
      String[] log = lines.get(0).split(" ");
      Map<String, Long> queues = new HashMap<>();
      String[] synced = lines.get(1).split(" ");
      for (String line : lines.subList(2, lines.size())) {
        String[] queue = line.split(" ", 3);
        queues.put(queue[2], Long.parseLong(queue[1]));
      }
      long number = LogFiles.number(Path.of(log[1]));
      long syncedLsn =
          DbLsn.makeLsn(LogFiles.number(Path.of(synced[1])), Long.parseLong(synced[2]));
      return new Content(number, Long.parseLong(log[2]), log[3].equals(CLOSED), syncedLsn, queues);
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      LOG.debug("{} has no {} that can be read", directory, FILE, e);
      return null;
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
   * Says so if the log is shorter than it was, and writes its end once more if it was not closed in
   * order. To be called before the environment is opened.
   *
   * @param unsyncedFrom number of the first file whose sync is known to have failed; larger than
   *     all for none
   */
  void compare(long unsyncedFrom) throws IOException {
    Content last = read(directory);
    if (LogFiles.exist(directory) && isShorter(directory, last)) {
      LOG.error(
          "the log in {} had reached {} offset {} and ends before it: what was written there is"
              + " lost",
          directory,
          LogFiles.name(last.file),
          last.offset);
    }
    if (!isClosedIn(directory, last)) {
      // The last user may have ended with a sync that failed.
      JeLogTail.rewrite(directory, unsyncedFrom);
    }
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
   * Whether a fault in the last file is damage, and not the end of what a loss of power has left:
   * the log was forced to the device beyond it. Behind any other fault nothing is known to be
   * complete: some pages of a transaction may be there and others not.
   */
  static boolean isDamage(Path directory, LogFault fault) {
    Content mark = read(directory);
    long lsn = DbLsn.makeLsn(LogFiles.number(Path.of(fault.file())), fault.offset());
    return mark != null && DbLsn.compareTo(lsn, mark.syncedLsn) < 0;
  }

  /** What is missing of a log that {@linkplain #isShorter is shorter}, as faults. */
  public static List<LogFault> missingEnd(Path directory, Content mark) throws IOException {
    List<Path> files = LogFiles.of(directory);
    Path last = files.isEmpty() ? null : files.get(files.size() - 1);
    long number = last == null ? -1 : LogFiles.number(last);
    if (number == mark.file) {
      long size = Files.size(last);
      String what = "the log had reached offset " + mark.offset + " and ends here";
      String name = LogFiles.name(number);
      return List.of(new LogFault(name, size, mark.offset - size, true, mark.offset - size, what));
    }
    return LongStream.rangeClosed(number + 1, mark.file)
        .mapToObj(n -> new LogFault(LogFiles.name(n), 0, 0, true, 0, "the file is missing"))
        .toList();
  }

  /** Continues with what the file says. */
  synchronized void begin(Environment environment) {
    Content known = read(directory);
    if (known != null) {
      known.endSequences.forEach((queue, end) -> wrote(queue, end));
    }
    long lsn = end(environment);
    handedLsn = 0;
    late = false;
    syncedLsn = known == null ? 0 : known.syncedLsn;
    file = DbLsn.getFileNumber(lsn);
    write(file, DbLsn.getFileOffset(lsn), OPEN);
  }

  private static long end(Environment environment) {
    return DbInternal.getNonNullEnvImpl(environment).getFileManager().getNextLsn();
  }

  /** Notes that messages are written; the mark tells so when they are committed. */
  synchronized void wrote(String queue, long endSequence) {
    long[] end = endSequences.computeIfAbsent(queue, ignored -> new long[1]);
    end[0] = Math.max(end[0], endSequence);
  }

  /** Where the log ends before a commit, which hands all before it to the system. */
  long beforeCommit(Environment environment) {
    return end(environment);
  }

  /** Called after a commit that has handed all up to a position to the system. */
  synchronized void committed(long lsn) {
    handedLsn = lsn;
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
    writeIfDue();
  }

  /** Called when the environment was closed in order. */
  synchronized void closed() {
    try {
      List<Path> files = LogFiles.of(directory);
      if (!files.isEmpty()) {
        Path last = files.get(files.size() - 1);
        syncedLsn = DbLsn.makeLsn(LogFiles.number(last), Files.size(last));
        write(LogFiles.number(last), Files.size(last), CLOSED);
      }
    } catch (IOException e) {
      LOG.debug("{} is not changed", FILE, e);
    }
  }

  private void write(long number, long offset, String state) {
    StringBuilder text = new StringBuilder();
    text.append("log ").append(LogFiles.name(number)).append(' ').append(offset).append(' ');
    text.append(state).append("\nsynced ");
    text.append(LogFiles.name(DbLsn.getFileNumber(syncedLsn))).append(' ');
    text.append(DbLsn.getFileOffset(syncedLsn)).append('\n');
    endSequences.forEach(
        (queue, end) ->
            text.append("queue ").append(end[0]).append(' ').append(oneLine(queue)).append('\n'));
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

  /** A name with a line break is not compared. */
  private static String oneLine(String queue) {
    return queue.replace('\n', ' ').replace('\r', ' ');
  }

  /** Moves the file, because another log takes the place of the one it tells of. */
  static void move(Path directory, Path to) throws IOException {
    if (Files.exists(directory.resolve(FILE))) {
      Files.move(directory.resolve(FILE), to.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
