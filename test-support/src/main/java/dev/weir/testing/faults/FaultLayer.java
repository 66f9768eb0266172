package dev.weir.testing.faults;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A library under one child process that records what the process does to the files below one
 * directory, and makes chosen calls fail while it runs. Not for use by several threads.
 */
public final class FaultLayer {

  /** A kind of call that can fail. The numbers are those of the library. */
  public enum Call {
    /** {@code write}, {@code pwrite}, {@code ftruncate}. */
    WRITE(1),
    /** {@code fsync}, {@code fdatasync}. */
    SYNC(2),
    /** An {@code open} that would create a file, and {@code rename}. */
    CREATE(4),
    /** {@code unlink}. */
    UNLINK(8),
    /** A {@code write} that writes half of its bytes and succeeds. */
    SHORT_WRITE(16),
    /**
     * A {@code write} that writes half of its bytes, as on a disk that becomes full; the next one
     * fails. Each counts as a failure: ask for an even number.
     */
    TORN_WRITE(32),
    /** An {@code opendir} or {@code fdopendir}, with which the listing of a directory begins. */
    LIST(64),
    /** A {@code readdir}: the listing of a directory breaks off. */
    READ_LIST(128),
    /** An {@code open} of a file or directory that exists. */
    OPEN(256),
    /** A {@code read} or {@code pread} of a file. */
    READ(512);

    private final int bit;

    Call(int bit) {
      this.bit = bit;
    }
  }

  /** What a failed call says. The numbers are those of Linux. */
  public enum Errno {
    /** Input/output error. */
    EIO(5),
    /** No space left on device. */
    ENOSPC(28),
    /** Too many open files. */
    EMFILE(24);

    private final int number;

    Errno(int number) {
      this.number = number;
    }
  }

  private static final String LIBRARY = "LD_PRELOAD";
  private static final String ROOT = "WEIR_FAULTS_ROOT";
  private static final String JOURNAL = "WEIR_FAULTS_JOURNAL";
  private static final String MARKS = "WEIR_FAULTS_MARKS";
  private static final String CONTROL = "WEIR_FAULTS_CONTROL";
  private static final int CONTROL_BYTES = 40;
  private static final int ERROR_AT = 4;
  private static final int SKIP_AT = 8;
  private static final int TIMES_AT = 16;
  private static final int FAILED_AT = 24;
  private static final int SYNC_US_AT = 32;

  private final Path library;
  private final Path root;
  private final Path journal;
  private final Path marks;
  private final Path control;
  private final MappedByteBuffer mapped;

  private FaultLayer(Path library, Path root, Path journal, Path marks, Path control)
      throws IOException {
    this.library = library;
    this.root = root;
    this.journal = journal;
    this.marks = marks;
    this.control = control;
    try (FileChannel channel =
        FileChannel.open(control, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      this.mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, CONTROL_BYTES);
      mapped.order(ByteOrder.nativeOrder());
    }
  }

  /**
   * Compiles the library.
   *
   * @param work an existing directory for the library, the journal and the marks, not below {@code
   *     root}
   * @param root the existing directory whose files are looked at
   * @throws IOException if there is no C compiler, with what it said
   */
  public static FaultLayer create(Path work, Path root) throws IOException {
    Path control = Files.write(work.resolve("control"), new byte[CONTROL_BYTES]);
    Path marks = Files.write(work.resolve("marks"), new byte[0]);
    FaultLayer layer =
        new FaultLayer(
            work.resolve("libfaults.so"),
            root.toRealPath(),
            work.resolve("journal"),
            marks,
            control);
    layer.compile(work.resolve("faults.c"), work.resolve("compiler.log"));
    return layer;
  }

  /** The layer under this process, which is a child that was started with {@link #environment}. */
  public static FaultLayer ofThisProcess() throws IOException {
    return new FaultLayer(
        variable(LIBRARY), variable(ROOT), variable(JOURNAL), variable(MARKS), variable(CONTROL));
  }

  private static Path variable(String name) {
    return Path.of(System.getenv(name));
  }

  private void compile(Path source, Path log) throws IOException {
    try (InputStream text = FaultLayer.class.getResourceAsStream("faults.c")) {
      Files.write(source, text.readAllBytes());
    }
    Process compiler =
        new ProcessBuilder("cc", "-shared", "-fPIC", "-O2", "-o", "" + library, "" + source, "-ldl")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!compiler.waitFor(1, TimeUnit.MINUTES) || compiler.exitValue() != 0) {
        throw new IOException("cc fails: " + Files.readString(log, StandardCharsets.UTF_8));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while cc runs", e);
    }
  }

  /** The variables that put a child process under this layer; not for two processes at once. */
  public Map<String, String> environment() {
    return Map.of(
        LIBRARY, library.toString(),
        ROOT, root.toString(),
        JOURNAL, journal.toString(),
        MARKS, marks.toString(),
        CONTROL, control.toString());
  }

  /** The file to which the child writes its marks; each write is one mark of the journal. */
  public Path marks() {
    return marks;
  }

  /** What the child did, to be read when it has ended. */
  public DiskJournal journal() {
    return new DiskJournal(journal);
  }

  /**
   * Makes calls fail from now on, in place of what was asked before.
   *
   * @param skip so many calls of these kinds succeed first
   * @param times so many fail then; -1 for all
   */
  public void fail(Errno error, long skip, long times, Call... calls) {
    mapped.putInt(0, 0);
    int bits = 0;
    for (Call call : calls) {
      bits |= call.bit;
    }
    mapped.putInt(ERROR_AT, error.number);
    mapped.putLong(SKIP_AT, skip);
    mapped.putLong(TIMES_AT, times);
    mapped.putInt(0, bits);
  }

  /** Makes each {@code fsync} take so much longer, as on a slow disk; 0 for none. */
  public void slowSyncs(long micros) {
    mapped.putLong(SYNC_US_AT, micros);
  }

  /** Lets all calls succeed again. */
  public void heal() {
    mapped.putInt(0, 0);
  }

  /** Calls that have failed so far. */
  public long failed() {
    return mapped.getLong(FAILED_AT);
  }
}
