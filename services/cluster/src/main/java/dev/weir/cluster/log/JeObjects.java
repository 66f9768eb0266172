package dev.weir.cluster.log;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import dev.weir.queue.je.LogFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The objects of a state in two tables for each history, without transactions.
 *
 * <pre>
 * objects.N  key: id of the object, 8 bytes in the order of the numbers; value: its bytes
 * undo.N     key: id, and a mark of 8 bytes; value: 1 and the bytes that the object had at that
 *            mark, or 0 if there was none
 * </pre>
 *
 * Before an object is changed for the first time after a mark, what it was goes to the undo. JE's
 * log has both in this order, and a crash leaves a prefix of it. So at the mark of a snapshot an
 * object is the first undo of that mark or a later one, or else what it is now.
 *
 * <p>The marks are the numbers of the snapshots, 0 for none: what was before the first snapshot
 * needs no undo.
 */
final class JeObjects implements StoredObjects {
  static final String OBJECTS = "objects.";
  static final String UNDO = "undo.";
  private static final int FORGOTTEN_PER_STEP = 500;

  private final LogEnvironment environment;
  private final SnapshotTables snapshots;

  /** Held for reading while an object is read beside other calls, for writing at the end. */
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

  /** Marks of the snapshots that are being copied. */
  private final List<Long> copies = new ArrayList<>();

  private volatile Database objects;
  private volatile Database undo;

  /** What comes for another history; null if nothing does. */
  private Arrived arriving;

  /** Names of tables that are to be removed. */
  private final Queue<String> old = new ConcurrentLinkedQueue<>();

  private final Runnable onOld;
  private Runnable onClose = () -> {};

  /** The mark of a snapshot that is not saved yet; 0 if there is none. */
  private final AtomicLong reserved = new AtomicLong();

  /** The undo of earlier marks is forgotten. */
  private long forgotten;

  /** Another one after each loss of snapshots. */
  private long version;

  private long generation;

  /** Objects of another history, in a table of their own. */
  private final class Arrived implements Arrival {
    private final long generation;
    private final Database table;
    private boolean complete;

    Arrived(long generation) {
      this.generation = generation;
      this.table = environment.open(OBJECTS + generation, JeLogConfig.appended());
    }

    @Override
    public void put(long id, byte[] bytes) {
      environment.use(() -> table.put(null, ObjectKeys.of(id), new DatabaseEntry(bytes)));
      environment.count(bytes.length);
    }

    @Override
    public void complete() {
      complete = true;
    }

    @Override
    public void discard() {
      forget(this);
    }
  }

  /**
   * @param generation number of the current history
   * @param onOld called when there is something for {@link #removeOld}
   */
  JeObjects(LogEnvironment environment, SnapshotTables snapshots, long generation, Runnable onOld) {
    this.environment = environment;
    this.snapshots = snapshots;
    this.generation = generation;
    this.onOld = onOld;
    environment.removeAll(
        name ->
            name.startsWith(OBJECTS) && !name.equals(OBJECTS + generation)
                || name.startsWith(UNDO) && !name.equals(UNDO + generation));
    objects = environment.open(OBJECTS + generation, JeLogConfig.appended());
    undo = environment.open(UNDO + generation, JeLogConfig.appended());
  }

  @Override
  public synchronized Arrival arrive() {
    forget(arriving);
    arriving = environment.use(() -> new Arrived(BatchTables.unused(environment)));
    return arriving;
  }

  private synchronized void forget(Arrived arrived) {
    if (arrived != null && arrived == arriving) {
      arriving = null;
      LogFiles.closeQuietly(arrived.table);
      old.add(OBJECTS + arrived.generation);
      onOld.run();
    }
  }

  /** Number of the history whose objects have all come; 0 if there is none. */
  synchronized long arrived() {
    return arriving != null && arriving.complete ? arriving.generation : 0;
  }

  /** Goes on for another history with the objects that have come for it, or without objects. */
  synchronized void replace(long next) {
    version++;
    closeTables();
    old.add(OBJECTS + generation);
    old.add(UNDO + generation);
    generation = next;
    if (arrived() == next) {
      objects = arriving.table;
      arriving = null;
      mark();
    } else {
      forget(arriving);
      objects = environment.open(OBJECTS + next, JeLogConfig.appended());
    }
    undo = environment.open(UNDO + next, JeLogConfig.appended());
  }

  /** Removes a table that is not used any more; returns whether there are more. */
  boolean removeOld() {
    String useless = old.poll();
    if (useless != null) {
      environment.removeAll(useless::equals);
    }
    return !old.isEmpty();
  }

  @Override
  public byte[] get(long id) {
    use.readLock().lock();
    try {
      return environment.use(() -> read(id));
    } finally {
      use.readLock().unlock();
    }
  }

  @Override
  public boolean has(long id) {
    use.readLock().lock();
    try {
      return environment.use(() -> has(objects, ObjectKeys.of(id)));
    } finally {
      use.readLock().unlock();
    }
  }

  private static boolean has(Database table, DatabaseEntry key) {
    DatabaseEntry nothing = new DatabaseEntry();
    nothing.setPartial(0, 0, true);
    return table.get(null, key, nothing, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
  }

  private byte[] read(long id) {
    DatabaseEntry value = new DatabaseEntry();
    return objects.get(null, ObjectKeys.of(id), value, LockMode.READ_UNCOMMITTED)
            == OperationStatus.SUCCESS
        ? value.getData()
        : null;
  }

  @Override
  public synchronized void put(long id, long mark, byte[] bytes, int length) {
    environment.use(
        () -> {
          keep(id, mark);
          objects.put(null, ObjectKeys.of(id), new DatabaseEntry(bytes, 0, length));
          environment.count(length);
        });
  }

  @Override
  public synchronized void remove(long id, long mark) {
    environment.use(
        () -> {
          keep(id, mark);
          objects.delete(null, ObjectKeys.of(id));
        });
  }

  /** Keeps what an object is, unless it is kept for that mark. */
  private void keep(long id, long mark) {
    if (mark == 0) {
      return;
    }
    DatabaseEntry key = ObjectKeys.of(id, mark);
    if (!has(undo, key)) {
      byte[] before = ObjectKeys.undo(read(id));
      undo.put(null, key, new DatabaseEntry(before));
      environment.count(before.length);
    }
  }

  @Override
  public long mark() {
    long mark = snapshots.reserve();
    reserved.set(mark);
    return mark;
  }

  /** The mark of the snapshot that is to be saved next; 0 if it is not one of the objects. */
  long takeMark() {
    return reserved.getAndSet(0);
  }

  @Override
  public synchronized long rollBack() {
    version++;
    reserved.set(0);
    long mark = snapshots.lastMark();
    if (mark == 0) {
      clear();
    } else {
      environment.use(() -> rollBack(mark));
    }
    return mark;
  }

  /** A crash in the middle leaves what leads to the same. */
  private void rollBack(long mark) {
    try (UndoCursor cursor = new UndoCursor(undo, mark)) {
      while (cursor.isFound()) {
        long id = cursor.id();
        byte[] before = cursor.before();
        if (before == null) {
          objects.delete(null, ObjectKeys.of(id));
        } else {
          objects.put(null, ObjectKeys.of(id), new DatabaseEntry(before));
        }
        List<Long> marks = new ArrayList<>();
        for (; cursor.isFound() && cursor.id() == id; cursor.next()) {
          marks.add(cursor.mark());
        }
        // The first one counts, so it goes last.
        for (int i = marks.size() - 1; i >= 0; i--) {
          undo.delete(null, ObjectKeys.of(id, marks.get(i)));
        }
      }
    }
  }

  @Override
  public synchronized void clear() {
    version++;
    environment.use(
        () -> {
          // Not removed and made anew, see SharedEnvironment#remove.
          UndoCursor.deleteAll(objects);
          UndoCursor.deleteAll(undo);
        });
  }

  /** Begins to copy what a snapshot has; {@link ObjectCopy#close} must follow. */
  synchronized ObjectCopy copy(long mark, int count) {
    copies.add(mark);
    return new ObjectCopy(this, mark, count, version);
  }

  synchronized void ended(ObjectCopy copy) {
    copies.remove((Long) copy.mark());
  }

  /**
   * The next objects of a copy, in the order of their ids.
   *
   * @throws SnapshotGoneException if they cannot be told any more
   */
  synchronized byte[] next(ObjectCopy copy) throws SnapshotGoneException {
    if (copy.version() != version) {
      throw new SnapshotGoneException();
    }
    byte[] next = environment.use(() -> copy.read(objects, undo));
    if (copy.missing() != 0) {
      throw environment.damaged(
          copy.missing() + " of the objects of its snapshot are missing or too many");
    }
    return next;
  }

  /** Forgets the undo that no kept snapshot and no copy needs. One thread at a time. */
  void forget() {
    long first = firstNeeded();
    // All of the undo is looked at, so only if there is something to forget.
    byte[] from = first == forgotten ? null : new byte[0];
    while (from != null) {
      from = forgetSome(from, first);
    }
    forgotten = first;
  }

  private synchronized long firstNeeded() {
    long needed = copies.stream().mapToLong(mark -> mark).min().orElse(Long.MAX_VALUE);
    return Math.min(needed, snapshots.firstMark());
  }

  private synchronized byte[] forgetSome(byte[] from, long first) {
    return environment.use(() -> UndoCursor.delete(undo, from, first, FORGOTTEN_PER_STEP));
  }

  @Override
  public void onClose(Runnable listener) {
    onClose = listener;
  }

  private void closeTables() {
    use.writeLock().lock();
    try {
      LogFiles.closeQuietly(objects);
      LogFiles.closeQuietly(undo);
    } finally {
      use.writeLock().unlock();
    }
  }

  synchronized void close() {
    version++;
    closeTables();
    if (arriving != null) {
      LogFiles.closeQuietly(arriving.table);
    }
    onClose.run();
  }
}
