package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_IN_USE;
import static dev.weir.queue.QueueException.Reason.DISK_FULL;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.CheckpointConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.Transaction;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.StoreStats;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.SideKey;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Berkeley DB JE environment of a store: opened, closed and, when it has become invalid, opened
 * anew. Only threads of the store come here, which nobody interrupts: an interrupt inside JE costs
 * the environment.
 */
public final class JeFiles implements AutoCloseable {

  /**
   * The databases of one queue.
   *
   * @param packets {@link PacketKey} to packet
   * @param progress first sequence to progress bytes
   */
  public record Tables(Database packets, Database progress) {}

  public static final String PACKETS = "queue.";
  public static final String PROGRESS = "progress.";
  private static final Logger LOG = LoggerFactory.getLogger(JeFiles.class);
  private static final byte[] PROBE = "probe".getBytes(StandardCharsets.UTF_8);
  private static final String META = "weir.meta";

  /** Tables that a queue has only if it needs them. */
  public enum Extra {
    /** {@link SideKey} to message. */
    SIDE("side."),
    /** {@link DeadKey} to message. */
    DEAD("dead."),
    /** First sequence to the ids of a packet. */
    IDS("ids.");

    private final String prefix;

    Extra(String prefix) {
      this.prefix = prefix;
    }

    public String tableOf(String queue) {
      return prefix + queue;
    }
  }

  private final QueueStoreOptions options;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<String, Tables> tables = new ConcurrentHashMap<>();
  private final Map<String, Database> extras = new ConcurrentHashMap<>();
  private volatile Environment environment;
  private volatile Database meta;

  /** What is wrong with the files, as long as they were not replaced, or null. */
  private Throwable damage;

  /** A copy of the damaged log did not fit when so much was free. */
  private long tooLittleRoom = -1;

  /** The directory was found gone. */
  private volatile boolean gone;

  /** Why opening again is of no use, or null. */
  private volatile QueueException beyondSalvage;

  public JeFiles(QueueStoreOptions options) {
    this.options = options;
  }

  /**
   * @throws QueueException {@code DIRECTORY_IN_USE}, {@code DISK_FULL} or {@code STORE_FAILED}
   */
  public void open() {
    if (beyondSalvage != null) {
      throw beyondSalvage;
    }
    try {
      new SalvageFiles(options.getDirectory()).finish();
      openEnvironment();
      return;
    } catch (QueueException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // JE that is interrupted while it opens fails with whatever was not yet there.
      closeAll();
      if (!JeSalvage.isDamage(e)) {
        throw cannotOpen(e);
      }
      damage = e;
    }
    salvage();
    try {
      openEnvironment();
    } catch (DatabaseException | UncheckedIOException e) {
      closeAll();
      throw cannotOpen(e);
    }
  }

  private void openEnvironment() {
    JeLogTail.trim(options.getDirectory());
    try {
      environment = new Environment(options.getDirectory().toFile(), JeConfig.environment(options));
      meta = environment.openDatabase(null, META, JeConfig.database());
    } catch (EnvironmentLockedException e) {
      throw new QueueException(
          DIRECTORY_IN_USE,
          "directory " + options.getDirectory() + " is in use by another process",
          e);
    }
  }

  private QueueException cannotOpen(Exception e) {
    return new QueueException(
        reason(e), "cannot open the store in " + options.getDirectory() + ": " + firstLine(e), e);
  }

  /** Replaces the files, which must be closed, by what can be read of them. */
  private void salvage() {
    Path directory = options.getDirectory();
    String what = "the log in " + directory + " is damaged (" + JeSalvage.describe(damage) + ")";
    SalvageFiles replacement = new SalvageFiles(directory);
    // Before the room is measured: what it takes is no reason to try again.
    replacement.dropRefusal();
    long room = directory.toFile().getUsableSpace();
    if (room <= tooLittleRoom) {
      throw noRoom(what, damage);
    }
    LOG.error("{}", what);
    try {
      Path copy = replacement.begin();
      String result = new JeSalvage(copy, options).copy();
      replacement.replace();
      LOG.error("{}; the damaged log is kept in {}", result, SalvageFiles.DAMAGED);
      damage = null;
    } catch (IOException | RuntimeException e) {
      if (!hasLog()) {
        throw logIsGone();
      }
      boolean full = reason(e) == DISK_FULL;
      replacement.abandon();
      if (full) {
        tooLittleRoom = room;
        throw noRoom(what, e);
      }
      beyondSalvage =
          new QueueException(
              STORE_FAILED,
              what
                  + " and cannot be copied ("
                  + JeSalvage.describe(e)
                  + "): restore the directory from a copy, or move its .jdb files away to start"
                  + " empty",
              e);
      throw beyondSalvage;
    }
  }

  private QueueException logIsGone() {
    return new QueueException(
        STORE_FAILED,
        "the log files in "
            + options.getDirectory()
            + " are gone: put them back, or open the store anew");
  }

  private static QueueException noRoom(String what, Throwable cause) {
    return new QueueException(
        DISK_FULL,
        what + " and there is no room to copy it: make room, the more the better",
        cause);
  }

  /** Which fault a failure of JE stands for. */
  public Reason reason(Throwable failure) {
    return failure instanceof DiskLimitException || !hasRoom() ? DISK_FULL : STORE_FAILED;
  }

  /** The databases of a queue, created if absent; between {@link #beginUse} and {@link #endUse}. */
  public Tables tables(String queue) {
    return tables.computeIfAbsent(queue, this::openTables);
  }

  private Tables openTables(String queue) {
    return new Tables(
        environment().openDatabase(null, PACKETS + queue, JeConfig.database()),
        environment().openDatabase(null, PROGRESS + queue, JeConfig.database()));
  }

  /** A table of a queue, created if absent; between {@link #beginUse} and {@link #endUse}. */
  public Database extra(Extra extra, String queue) {
    return extras.computeIfAbsent(
        extra.prefix + queue, name -> environment().openDatabase(null, name, JeConfig.database()));
  }

  public boolean hasExtra(Extra extra, String queue) {
    String name = extra.prefix + queue;
    return extras.containsKey(name) || environment().getDatabaseNames().contains(name);
  }

  /** Brings everything committed to the disk. */
  public void flush() {
    environment().flushLog(true);
  }

  /** A record of it that cannot be read is a loss that has to be counted. */
  static boolean holdsMessages(String database) {
    return database.startsWith(PACKETS)
        || database.startsWith(Extra.SIDE.prefix)
        || database.startsWith(Extra.DEAD.prefix);
  }

  /** A record of it that cannot be read may be left out: something is delivered again. */
  static boolean isMemory(String database) {
    return database.startsWith(PROGRESS) || database.startsWith(Extra.IDS.prefix);
  }

  /** The open environment; not the same after a {@link #reopen()}. */
  public Environment current() {
    return environment();
  }

  /** Closes the databases of a queue; they are opened again when they are asked for. */
  public void closeTables(String queue) {
    Tables open = tables.remove(queue);
    if (open != null) {
      closeQuietly(open.packets);
      closeQuietly(open.progress);
    }
    for (Extra extra : Extra.values()) {
      closeQuietly(extras.remove(extra.tableOf(queue)));
    }
  }

  private Environment environment() {
    Environment open = environment;
    if (beyondSalvage != null) {
      throw beyondSalvage;
    }
    if (open == null) {
      throw new IllegalStateException("the store in " + options.getDirectory() + " is not open");
    }
    return open;
  }

  /** Keeps the environment open between this call and {@link #endUse()}. */
  public void beginUse() {
    lock.readLock().lock();
  }

  public void endUse() {
    lock.readLock().unlock();
  }

  Database meta() {
    return meta;
  }

  public Transaction begin() {
    return environment().beginTransaction(null, null);
  }

  public boolean isValid() {
    Environment open = environment;
    return open != null && !gone && open.isValid();
  }

  /**
   * Closes what is left of an invalid environment and recovers it from its files; does nothing if
   * it is valid.
   */
  public void reopen() {
    lock.writeLock().lock();
    try {
      if (isValid()) {
        return;
      }
      if (!hasLog()) {
        throw logIsGone();
      }
      gone = false;
      if (environment != null && JeSalvage.isDamage(environment.getInvalidatingException())) {
        damage = environment.getInvalidatingException();
      }
      closeAll();
      if (damage != null && beyondSalvage == null) {
        salvage();
      } else {
        rewriteTail();
      }
      open();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** The failure that made the environment invalid may have been that of a sync. */
  private void rewriteTail() {
    try {
      JeLogTail.rewrite(options.getDirectory());
    } catch (IOException e) {
      throw cannotOpen(e);
    }
  }

  /** Gives the space of deleted records back to the file system, as far as possible. */
  public void reclaim() {
    beginUse();
    try {
      while (environment().cleanLog() > 0) {
        LOG.debug("cleaned a file in {}", options.getDirectory());
      }
      environment().checkpoint(new CheckpointConfig().setForce(true));
    } finally {
      endUse();
    }
  }

  /** Makes JE ask for the free space, which it does every few seconds only, and clean a file. */
  public void lookAgain() {
    beginUse();
    try {
      environment().cleanLog();
    } finally {
      endUse();
    }
  }

  /**
   * Writes something, to see whether that is possible again.
   *
   * @throws DatabaseException if it is not
   */
  public void probe() {
    beginUse();
    try {
      Transaction transaction = begin();
      try {
        DatabaseEntry entry = new DatabaseEntry(PROBE);
        meta.put(transaction, entry, entry);
        transaction.commit(Durability.COMMIT_WRITE_NO_SYNC);
      } catch (RuntimeException e) {
        transaction.abort();
        throw e;
      }
    } finally {
      endUse();
    }
  }

  /**
   * The file system has the free space that must be left; also true when the directory turns out to
   * be gone, but then the environment is no longer {@linkplain #isValid valid}: JE would go on to
   * write to a file that has no name any more.
   */
  public boolean hasRoom() {
    File directory = options.getDirectory().toFile();
    boolean room = directory.getUsableSpace() >= options.getMinFreeBytes();
    if (!room && !directory.exists()) {
      gone = true;
    }
    return room || gone;
  }

  private boolean hasLog() {
    String[] names = options.getDirectory().toFile().list();
    return names != null && Arrays.stream(names).anyMatch(JeFiles::isLog);
  }

  private static boolean isLog(String name) {
    return name.endsWith(".jdb");
  }

  /** Figures of the directory; any thread, an interrupted one too: nothing is opened. */
  public StoreStats stats(Reason fault) {
    File directory = options.getDirectory().toFile();
    File[] logs = directory.listFiles((parent, name) -> isLog(name));
    return new StoreStats(
        options.getDirectory(),
        logs == null ? 0 : logs.length,
        logs == null ? 0 : Arrays.stream(logs).mapToLong(File::length).sum(),
        directory.getUsableSpace(),
        options.getMinFreeBytes(),
        fault);
  }

  public static String firstLine(Throwable e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  /**
   * Closes everything, whatever it says: an invalid environment complains about being closed, a
   * full disk about the last checkpoint, and the log has all that was committed in any case.
   */
  private void closeAll() {
    tables.values().forEach(open -> closeQuietly(open.packets));
    tables.values().forEach(open -> closeQuietly(open.progress));
    tables.clear();
    extras.values().forEach(JeFiles::closeQuietly);
    extras.clear();
    closeQuietly(meta);
    closeQuietly(environment);
    meta = null;
    environment = null;
  }

  public static void closeQuietly(Closeable closing) {
    if (closing != null) {
      try {
        closing.close();
      } catch (IOException | RuntimeException e) {
        LOG.debug("closing {}: {}", closing.getClass().getSimpleName(), firstLine(e));
      }
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      closeAll();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
