package dev.weir.state.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_IN_USE;
import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.state.DocumentFailure.DISK_FULL;
import static dev.weir.state.DocumentFailure.STORE_FAILED;

import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentLockedException;
import dev.weir.queue.QueueException;
import dev.weir.queue.je.DirectoryLock;
import dev.weir.queue.je.JeConfig;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeLogTail;
import dev.weir.queue.je.LogFiles;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.DocumentVersion;
import dev.weir.state.FactoryOptions;
import dev.weir.state.change.Batch;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.change.Records;
import dev.weir.state.change.State;
import dev.weir.state.table.ChangeLog;
import dev.weir.state.table.Range;
import dev.weir.state.table.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static final long SYNCED = Long.MAX_VALUE;

  /** JE may use this part of the space that is to be left free, for its checkpoints. */
  private static final int RESERVE_PART = 2;

  private final Path directory;
  private final long cacheBytes;
  private final long logFileBytes;
  private final long minFreeBytes;
  private final DirectoryLock lock;
  private final boolean afterCrash;

  /** Held for reading by who uses the environment, for writing by who replaces it. */
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

  /** Options of the factories by name, for when the environment is opened anew. */
  private final Map<String, FactoryOptions> options = new ConcurrentHashMap<>();

  private Environment environment;

  /** Null if the environment is not open. */
  private Databases databases;

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
      afterCrash = Files.exists(directory.resolve(OPEN_MARK));
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
          JeConfig.open(
              directory,
              JeSettings.environment(cacheBytes, logFileBytes, minFreeBytes / RESERVE_PART));
      databases = new Databases(environment, options);
      sync = new LogFiles.Sync(directory);
      unsyncedFrom = SYNCED;
    } catch (EnvironmentLockedException e) {
      String message = "directory " + directory + " is in use by another process";
      throw new DocumentException(
          STORE_FAILED, message, new QueueException(DIRECTORY_IN_USE, message, e));
    } catch (DatabaseException | IOException | UncheckedIOException e) {
      closeEnvironment();
      String message = "cannot open the store in " + directory + ": " + JeFiles.firstLine(e);
      // The cause tells a program to end with the exit code of an unusable directory.
      throw new DocumentException(
          failure(e), message, new QueueException(DIRECTORY_UNUSABLE, message, e));
    }
  }

  /**
   * Opens the tables of a factory, and makes its index and its kept versions those that its options
   * ask for. Nobody else may use the factory meanwhile.
   */
  public FactoryContent openFactory(String name, FactoryOptions asked) {
    return using(() -> databases.openFactory(name, asked));
  }

  /** The tables of a factory; each call reads the environment that is open then. */
  public Tables tables(String factory) {
    return new Tables() {
      @Override
      public State get(byte[] key) {
        return using(() -> Records.decode(databases.factory(factory).get(key)));
      }

      @Override
      public State version(byte[] key, long version) {
        return using(() -> databases.factory(factory).version(key, version));
      }

      @Override
      public List<DocumentVersion> versions(byte[] key, long last) {
        return using(() -> databases.factory(factory).versions(key, last));
      }

      @Override
      public ChangeLog changes() {
        return new OpenChanges(factory);
      }

      @Override
      public void scanIndex(Range range, Predicate<byte[]> visitor) {
        using(
            () -> {
              databases.factory(factory).scanIndex(range, visitor);
              return null;
            });
      }

      @Override
      public void scanKeys(Range range, Predicate<byte[]> visitor) {
        using(
            () -> {
              databases.factory(factory).scanKeys(range, visitor);
              return null;
            });
      }
    };
  }

  /** The log of changes of a factory; each call reads the environment that is open then. */
  private final class OpenChanges implements ChangeLog {
    private final String factory;

    OpenChanges(String factory) {
      this.factory = factory;
    }

    @Override
    public long floor() {
      return using(() -> databases.factory(factory).changes().floor());
    }

    @Override
    public boolean has(long position) {
      return using(() -> databases.factory(factory).changes().has(position));
    }

    @Override
    public void scan(long after, long last, Predicate<LoggedChange> visitor) {
      using(
          () -> {
            databases.factory(factory).changes().scan(after, last, visitor);
            return null;
          });
    }
  }

  /** Whether the store was not closed in order before this process opened it. */
  public boolean isAfterCrash() {
    return afterCrash;
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
          databases.commit(batch);
          if (batch.toDevice()) {
            force();
          }
          return null;
        });
  }

  /**
   * Fails unless a batch can be applied, as far as that can be told without one. For the thread
   * that commits.
   *
   * @throws DocumentException what {@link #apply} would throw
   */
  public void requireWritable() {
    using(
        () -> {
          requireRoom();
          return null;
        });
    if (!isValid()) {
      throw new DocumentException(STORE_FAILED, "the store in " + directory + " has failed");
    }
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

  private void keepCounts(Map<String, Long> documents) {
    try {
      databases.keepCounts(documents);
    } catch (DatabaseException e) {
      LOG.debug("the numbers of documents are not kept: {}", JeFiles.firstLine(e));
    }
  }

  /** Closes everything, whatever it says; false if the environment complained. */
  private boolean closeEnvironment() {
    if (databases != null) {
      databases.close();
    }
    LogFiles.closeQuietly(sync);
    boolean closed = LogFiles.closeQuietly(environment);
    databases = null;
    sync = null;
    environment = null;
    return closed;
  }

  @Override
  public void close() {
    close(Map.of());
  }

  /**
   * Closes the files.
   *
   * @param documents how many each factory has, by name; a factory that is not here is counted when
   *     it is opened again
   */
  public void close(Map<String, Long> documents) {
    use.writeLock().lock();
    try {
      boolean valid = environment != null && environment.isValid() && unsyncedFrom == SYNCED;
      if (valid) {
        keepCounts(documents);
      }
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
