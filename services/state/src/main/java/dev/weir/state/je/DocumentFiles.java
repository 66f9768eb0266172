package dev.weir.state.je;

import static dev.weir.state.DocumentFailure.DISK_FULL;
import static dev.weir.state.DocumentFailure.STORE_FAILED;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.queue.QueueException;
import dev.weir.queue.je.DirectoryLock;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeLogTail;
import dev.weir.queue.je.LogFiles;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.change.Batch;
import dev.weir.state.change.Change;
import dev.weir.state.change.Records;
import dev.weir.state.change.State;
import dev.weir.state.table.Range;
import dev.weir.state.table.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a store of documents, with one JE environment. It applies batches, one
 * transaction each, and reads. All failures are {@link DocumentException}s of one line. Only
 * threads that nobody interrupts may call it: an interrupt inside JE costs the environment.
 */
public final class DocumentFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DocumentFiles.class);

  /** There while the store is open: the log was not closed in order if it is there before. */
  private static final String OPEN_MARK = "weir.documents.open";

  private static final String META = "weir.meta";
  private static final long SYNCED = Long.MAX_VALUE;

  /** JE may use this part of the space that is to be left free, for its checkpoints. */
  private static final int RESERVE_PART = 2;

  private final Path directory;
  private final long cacheBytes;
  private final long logFileBytes;
  private final long minFreeBytes;
  private final DirectoryLock lock;

  /** Held for reading by who uses the environment, for writing by who replaces it. */
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

  private final Map<String, FactoryTables> tables = new ConcurrentHashMap<>();
  private Environment environment;
  private Database meta;
  private LogFiles.Sync sync;

  /** There was no room at the last commit; used by the thread that commits. */
  private boolean shortOfRoom;

  /** Number of the log file whose sync has failed. */
  private volatile long unsyncedFrom = SYNCED;

  /** Opens the directory, which is created if it is absent. */
  public DocumentFiles(Path directory, long cacheBytes, long logFileBytes, long minFreeBytes) {
    this.directory = directory;
    this.cacheBytes = cacheBytes;
    this.logFileBytes = logFileBytes;
    this.minFreeBytes = minFreeBytes;
    try {
      this.lock = DirectoryLock.acquire(directory);
    } catch (QueueException e) {
      throw new DocumentException(STORE_FAILED, e.getMessage(), e);
    }
    try {
      open();
    } catch (RuntimeException e) {
      LogFiles.closeQuietly(lock);
      throw e;
    }
  }

  private void open() {
    Path mark = directory.resolve(OPEN_MARK);
    try {
      if (Files.exists(mark)) {
        // A sync may have failed before the end: see JeLogTail.
        JeLogTail.rewrite(directory, unsyncedFrom);
      } else {
        Files.createFile(mark);
      }
      JeLogTail.trim(directory);
      environment =
          new Environment(
              directory.toFile(),
              JeSettings.environment(cacheBytes, logFileBytes, minFreeBytes / RESERVE_PART));
      meta = environment.openDatabase(null, META, JeSettings.meta());
      sync = new LogFiles.Sync(directory);
      unsyncedFrom = SYNCED;
    } catch (EnvironmentLockedException e) {
      throw new DocumentException(
          STORE_FAILED, "directory " + directory + " is in use by another process", e);
    } catch (DatabaseException | IOException | UncheckedIOException e) {
      closeEnvironment();
      throw new DocumentException(
          failure(e), "cannot open the store in " + directory + ": " + JeFiles.firstLine(e), e);
    }
  }

  /**
   * Opens the tables of a factory, and makes its index that of these fields. Nobody else may use
   * the factory meanwhile.
   *
   * @param paths the fields to be indexed
   */
  public FactoryContent openFactory(String name, List<String> paths) {
    return using(
        () -> {
          FactoryMeta old = meta(null, name);
          FactoryMeta next = old.withFields(paths);
          FactoryTables opened = factory(name);
          if (!next.equals(old)) {
            // First without all that is changed: a kill leaves no field that is indexed by half.
            putMeta(null, name, next.without(next.added(old)));
            IndexBuilder builder = new IndexBuilder(environment, opened);
            old.gone(next).forEach(builder::remove);
            builder.add(next.added(old));
            putMeta(null, name, next);
          }
          return new FactoryContent(next.floor(), next.indexFields());
        });
  }

  private FactoryMeta meta(Transaction transaction, String name) {
    DatabaseEntry value = new DatabaseEntry();
    LockMode mode = transaction == null ? LockMode.DEFAULT : LockMode.RMW;
    return meta.get(transaction, entry(name), value, mode) == OperationStatus.SUCCESS
        ? FactoryMeta.decode(value.getData())
        : FactoryMeta.NEW;
  }

  private void putMeta(Transaction transaction, String name, FactoryMeta value) {
    meta.put(transaction, entry(name), new DatabaseEntry(value.encode()));
  }

  private FactoryTables factory(String name) {
    return tables.computeIfAbsent(
        name,
        absent ->
            new FactoryTables(
                environment.openDatabase(null, "d." + name, JeSettings.documents()),
                environment.openDatabase(null, "i." + name, JeSettings.documents())));
  }

  /** The tables of a factory; each call reads the environment that is open then. */
  public Tables tables(String factory) {
    return new Tables() {
      @Override
      public State get(byte[] key) {
        return using(() -> Records.decode(factory(factory).get(key)));
      }

      @Override
      public void scanIndex(Range range, Predicate<byte[]> visitor) {
        using(
            () -> {
              factory(factory).scanIndex(range, visitor);
              return null;
            });
      }

      @Override
      public void scanKeys(Range range, Predicate<byte[]> visitor) {
        using(
            () -> {
              factory(factory).scanKeys(range, visitor);
              return null;
            });
      }
    };
  }

  /**
   * Applies a batch in one transaction. It is committed to the operating system, and forced to the
   * device if the batch asks for that.
   *
   * @throws DocumentException if it is not applied; or, if the environment is no longer {@linkplain
   *     #isValid valid}, may be applied or not
   */
  public void apply(Batch batch) {
    using(
        () -> {
          requireRoom();
          commit(batch);
          if (batch.toDevice()) {
            force();
          }
          return null;
        });
  }

  /**
   * Checked before each commit: JE by itself looks seldom, and fails when the disk is really full.
   */
  private void requireRoom() {
    if (!hasRoom()) {
      shortOfRoom = true;
      throw new DocumentException(
          DISK_FULL,
          "the file system of "
              + directory
              + " has less than "
              + minFreeBytes
              + " bytes free: free some space");
    }
    if (shortOfRoom) {
      // Makes JE measure the space.
      DbInternal.getNonNullEnvImpl(environment).getCleaner().freshenLogSizeStats();
      shortOfRoom = false;
    }
  }

  private boolean hasRoom() {
    return directory.toFile().getUsableSpace() >= minFreeBytes;
  }

  private void commit(Batch batch) {
    Map<String, Long> floors = new HashMap<>();
    Transaction transaction = environment.beginTransaction(null, null);
    boolean committed = false;
    try {
      for (Change change : batch.changes()) {
        factory(change.factory()).apply(transaction, change);
        if (change.floor() > 0) {
          floors.merge(change.factory(), change.floor(), Math::max);
        }
      }
      floors.forEach((name, floor) -> raiseFloor(transaction, name, floor));
      transaction.commit(Durability.COMMIT_WRITE_NO_SYNC);
      committed = true;
    } finally {
      if (!committed) {
        abort(transaction);
      }
    }
  }

  private void raiseFloor(Transaction transaction, String name, long floor) {
    FactoryMeta old = meta(transaction, name);
    if (floor > old.floor()) {
      putMeta(transaction, name, old.withFloor(floor));
    }
  }

  private static void abort(Transaction transaction) {
    try {
      transaction.abort();
    } catch (RuntimeException e) {
      LOG.debug("aborting a transaction: {}", JeFiles.firstLine(e));
    }
  }

  /** JE's own sync tells only the first of those who wait for it that it has failed. */
  private void force() {
    try {
      sync.force();
    } catch (IOException e) {
      unsyncedFrom = Math.min(unsyncedFrom, sync.number());
      throw new UncheckedIOException(e);
    }
    if (!environment.isValid()) {
      throw new IllegalStateException("JE has failed meanwhile");
    }
  }

  /** Whether the environment can be used; if not, {@link #reopen} may help. */
  public boolean isValid() {
    use.readLock().lock();
    try {
      return environment != null && environment.isValid() && unsyncedFrom == SYNCED;
    } finally {
      use.readLock().unlock();
    }
  }

  /** Opens the environment anew from its files. */
  public void reopen() {
    use.writeLock().lock();
    try {
      closeEnvironment();
      open();
      LOG.info("the store in {} is open again", directory);
    } finally {
      use.writeLock().unlock();
    }
  }

  private <T> T using(Supplier<T> work) {
    use.readLock().lock();
    try {
      if (environment == null) {
        throw new DocumentException(STORE_FAILED, "the store in " + directory + " is not open");
      }
      return work.get();
    } catch (DatabaseException | UncheckedIOException | IllegalStateException e) {
      throw new DocumentException(
          failure(e), "the store in " + directory + " failed: " + JeFiles.firstLine(e), e);
    } finally {
      use.readLock().unlock();
    }
  }

  private DocumentFailure failure(Exception e) {
    return e instanceof DiskLimitException || !hasRoom() ? DISK_FULL : STORE_FAILED;
  }

  private static DatabaseEntry entry(String text) {
    return new DatabaseEntry(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Closes everything, whatever it says; false if the environment complained. */
  private boolean closeEnvironment() {
    tables.values().forEach(each -> closeTables(each));
    tables.clear();
    LogFiles.closeQuietly(meta);
    LogFiles.closeQuietly(sync);
    boolean closed = LogFiles.closeQuietly(environment);
    meta = null;
    sync = null;
    environment = null;
    return closed;
  }

  private static void closeTables(FactoryTables tables) {
    try {
      tables.close();
    } catch (RuntimeException e) {
      LOG.debug("closing tables: {}", JeFiles.firstLine(e));
    }
  }

  @Override
  public void close() {
    use.writeLock().lock();
    try {
      boolean valid = environment != null && environment.isValid() && unsyncedFrom == SYNCED;
      if (closeEnvironment() && valid) {
        Files.deleteIfExists(directory.resolve(OPEN_MARK));
      }
    } catch (IOException e) {
      LOG.debug("cannot delete the mark in {}: {}", directory, e.toString());
    } finally {
      use.writeLock().unlock();
      LogFiles.closeQuietly(lock);
    }
  }
}
