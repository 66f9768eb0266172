package dev.weir.queue.je;

import com.sleepycat.je.log.FileManager;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.StoreStats;
import dev.weir.queue.segment.SegmentDirectory;
import java.io.Closeable;
import java.io.File;
import java.io.FilenameFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of JE's log in a directory: names, numbers, order and size. */
public final class LogFiles {
  /** A file that JE creates when it finds damage; while it is there JE opens nothing. */
  public static final String MARKER = "7fffffff.jdb";

  private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);
  private static final String SUFFIX = ".jdb";
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{8}\\.jdb");
  private static final Pattern MOVED = Pattern.compile("[0-9a-f]{8}\\.bad(\\.\\d+)?");
  private static final int NUMBER_CHARS = 8;

  private LogFiles() {}

  /** Closes something; false if that failed. */
  public static boolean closeQuietly(Closeable closing) {
    if (closing != null) {
      try {
        closing.close();
      } catch (IOException | RuntimeException e) {
        LOG.debug("closing {}: {}", closing.getClass().getSimpleName(), JeFiles.firstLine(e));
        return false;
      }
    }
    return true;
  }

  public static String name(long number) {
    return String.format("%08x.jdb", number);
  }

  public static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().substring(0, NUMBER_CHARS), 16);
  }

  /** The log files in the order of the log, without {@link #MARKER}. */
  public static List<Path> of(Path directory) throws IOException {
    return names(directory).filter(LogFiles::isInLog).sorted().map(directory::resolve).toList();
  }

  /**
   * The last file of a log in use. JE itself forces each file when it begins the next one, so only
   * the newest is to be forced.
   */
  static Path newest(Path directory) throws IOException {
    List<Path> files = of(directory);
    if (files.isEmpty()) {
      throw new IOException("no log file in " + directory);
    }
    return files.get(files.size() - 1);
  }

  /**
   * Fails if the last file of a log has the name that JE gives a file whose header it cannot read
   * and that seems to be empty, which a failing disk may say too. JE would go on without the file,
   * and earlier versions did: so only its user knows whether the file is the end or left over.
   *
   * @throws IOException {@link FileObstacle#MOVED}, or if the directory cannot be listed
   */
  static void requireEnd(Path directory) throws IOException {
    requireEnd(directory, names(directory).toList());
  }

  private static void requireEnd(Path directory, List<String> names) throws IOException {
    String last = names.stream().filter(LogFiles::isInLog).max(String::compareTo).orElse("");
    Map<String, FileTime> behind = new TreeMap<>();
    for (String name : names) {
      Path file = directory.resolve(name);
      if (isMoved(name)
          && name.compareTo(last) > 0
          && Files.size(file) > FileManager.firstLogEntryOffset()) {
        behind.put(name, Files.getLastModifiedTime(file));
      }
    }
    if (!behind.isEmpty()) {
      Comparator<Map.Entry<String, FileTime>> byTime = Map.Entry.comparingByValue();
      Comparator<Map.Entry<String, FileTime>> byAge = byTime.thenComparing(Map.Entry::getKey);
      String newest = Collections.max(behind.entrySet(), byAge).getKey();
      String why = whatToDo(newest, behind);
      throw new FileSystemException(directory.resolve(newest).toString(), null, why);
    }
  }

  private static String whatToDo(String newest, Map<String, FileTime> behind) {
    StringBuilder text =
        new StringBuilder(FileObstacle.MOVED)
            .append(" of the log: copy the directory with its times; then, if the store was not")
            .append(" used after ")
            .append(second(behind.get(newest)))
            .append(", when the file was last written, name the file ")
            .append(newest, 0, NUMBER_CHARS)
            .append(SUFFIX)
            .append(" again, else move the file out of the directory");
    behind.forEach(
        (name, time) -> {
          if (!name.equals(newest)) {
            // Of one number only the newest can be the end.
            boolean isOld = name.startsWith(newest.substring(0, NUMBER_CHARS));
            text.append(isOld ? "; move out also " : "; decide so too of ")
                .append(name)
                .append(", last written ")
                .append(second(time));
          }
        });
    return text.toString();
  }

  private static Instant second(FileTime time) {
    return time.toInstant().truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * Forces the newest log file to the device, as far as it was written. The file stays open: when
   * pages are lost, the system tells each open file once, and a file that is opened afterwards not
   * at all. So this sync fails too when one of JE's own has failed, however soon it comes after it,
   * and once it has failed it fails for good.
   */
  public static final class Sync implements Closeable {
    /** An event of Flight Recorder: what was written has reached the device. */
    @Name("dev.weir.Fsync")
    @Label("Fsync")
    @Description("The log of a store or of a group was forced to the device")
    @Category("Weir")
    @StackTrace(false)
    static final class FsyncEvent extends Event {
      @Label("Directory")
      String directory;
    }

    private static final long UNKNOWN = -1;

    private final Path directory;
    private FileChannel channel;
    private Path file;
    private IOException failure;

    /** Opens the newest log file of an environment, which must be open. */
    public Sync(Path directory) throws IOException {
      this.directory = directory;
      open(newest(directory));
    }

    private void open(Path newest) throws IOException {
      channel = FileChannel.open(newest, StandardOpenOption.WRITE);
      file = newest;
    }

    /** Returns once all that was written is on the device; any thread. */
    public void force() throws IOException {
      force(UNKNOWN);
    }

    /**
     * The same without a look at the directory, which takes longer than some devices, if the log
     * still ends in the file that was forced last.
     *
     * @param lastNumber number of the file in which JE appends now, whether it exists already or
     *     not
     */
    synchronized void force(long lastNumber) throws IOException {
      if (failure != null) {
        throw new IOException("an earlier sync has failed: " + failure.getMessage(), failure);
      }
      FsyncEvent event = new FsyncEvent();
      event.begin();
      try {
        forceNewest(lastNumber);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
      event.end();
      if (event.shouldCommit()) {
        event.directory = directory.toString();
        event.commit();
      }
    }

    private void forceNewest(long lastNumber) throws IOException {
      Path newest = lastNumber == LogFiles.number(file) ? file : newest(directory);
      // JE forces a file before it begins the next one; this tells if that has failed.
      channel.force(false);
      if (!newest.equals(file)) {
        channel.close();
        open(newest);
        channel.force(false);
      }
    }

    /** Number of the file that is forced, or was when that failed. */
    public synchronized long number() {
      return LogFiles.number(file);
    }

    @Override
    public synchronized void close() throws IOException {
      channel.close();
    }
  }

  /**
   * Whether a directory has a log; a mark of JE that it is damaged, alone, is none. Opens no file.
   * Of a directory that cannot be listed it is not known, so it may have one.
   */
  static boolean exist(Path directory) {
    try {
      return names(directory).anyMatch(LogFiles::isInLog);
    } catch (IOException e) {
      return Files.isDirectory(directory);
    }
  }

  /** Whether a directory, if it exists, has anything that a store takes for its own. */
  static boolean hasAny(Path directory) throws IOException {
    return Files.exists(directory)
        && names(directory)
            .anyMatch(
                name ->
                    isLog(name) || SegmentDirectory.isSegment(name) || SalvageFiles.isCopy(name));
  }

  private static Stream<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList().stream();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * The directory of an environment, as JE is to see it. A listing that fails, or breaks off, or
   * shows that the end of the log {@linkplain #requireEnd has another name}, ends what JE does.
   * {@link File} says null or leaves names out then, and JE takes the directory for empty, or an
   * older file for the last one: it begins a new log over the old one, or cuts the first file.
   */
  static final class Home extends File {
    private static final long serialVersionUID = 1;

    private final transient Runnable beforeFailure;

    /**
     * The home of an environment.
     *
     * @param beforeFailure is called before a failure is thrown
     */
    Home(Path directory, Runnable beforeFailure) {
      super(directory.toString());
      this.beforeFailure = beforeFailure;
    }

    @Override
    public String[] list(FilenameFilter filter) {
      try {
        List<String> names = names(toPath()).toList();
        requireEnd(toPath(), names);
        return names.stream().filter(name -> filter.accept(this, name)).toArray(String[]::new);
      } catch (IOException e) {
        beforeFailure.run();
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public File[] listFiles(FilenameFilter filter) {
      return Arrays.stream(list(filter)).map(name -> new File(this, name)).toArray(File[]::new);
    }
  }

  /** How many files a store has, and their size, as far as its directory could be listed. */
  static final class Usage {
    /** Their number and size. */
    private volatile long[] last = {0, 0};

    /** Figures of the directory; nothing is opened. Any thread. */
    StoreStats stats(QueueStoreOptions options, Reason fault) {
      File directory = options.getDirectory().toFile();
      File[] found =
          directory.listFiles((parent, name) -> isLog(name) || SegmentDirectory.isSegment(name));
      // Null also for want of a right, or of a file descriptor.
      if (found != null || !directory.exists()) {
        File[] logs = found == null ? new File[0] : found;
        last = new long[] {logs.length, Arrays.stream(logs).mapToLong(File::length).sum()};
      }
      long[] known = last;
      return new StoreStats(
          options.getDirectory(),
          known[0],
          known[1],
          directory.getUsableSpace(),
          options.getMinFreeBytes(),
          fault);
    }
  }

  private static boolean isInLog(String name) {
    return NAME.matcher(name).matches() && !name.equals(MARKER);
  }

  /** Whether JE has taken a file with this name out of the log. */
  static boolean isMoved(String name) {
    return MOVED.matcher(name).matches();
  }

  static boolean isLog(String name) {
    return name.endsWith(SUFFIX);
  }

  /** Bytes of the log and of the segments beside it. */
  public static long bytes(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : withSegments(directory)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /** The log files in the order of the log, then the segments beside it. */
  public static List<Path> withSegments(Path directory) throws IOException {
    return Stream.concat(of(directory).stream(), SegmentDirectory.of(directory).stream()).toList();
  }
}
