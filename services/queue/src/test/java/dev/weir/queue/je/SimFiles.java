package dev.weir.queue.je;

import com.sleepycat.je.DatabaseEntry;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.StoreStats;
import dev.weir.queue.je.SimDisk.Change;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.segment.Segments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The files of a simulated store: tables in memory over a {@link SimDisk}. A failed commit or sync
 * makes them invalid until they are reopened; it is not known then whether the transaction was
 * written.
 */
public final class SimFiles extends JeFiles {

  /** The world around the files. */
  public interface World {
    /** Others act: other threads, users, and chance. */
    void others();

    /** Whether the disk fails a write or sync now. */
    boolean fails();

    /** Notes what happens. */
    void trace(Supplier<String> what);

    /** Whether chance says so, 1 in {@code of}. */
    boolean chance(int of);
  }

  private static final class DiskFull extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    DiskFull() {
      super(new IOException("disk full"));
    }
  }

  /** Some packets, so that segments come and go. */
  private static final int SEGMENT_BYTES = 1000;

  private final SimDisk disk;
  private final World world;
  private Map<String, TreeMap<byte[], byte[]>> live;
  private OpenTables tables;
  private boolean valid;
  private boolean syncFailed;

  /** The process is gone: nothing it does reaches the disk. */
  private boolean dead;

  private SimTransaction current;
  private int users;

  /** Nothing is written while less is free. */
  private long keptFreeBytes;

  public SimFiles(QueueStoreOptions options, SimDisk disk, World world) {
    super(options, new Segments(disk.segments, SEGMENT_BYTES));
    this.disk = disk;
    this.world = world;
  }

  @Override
  public void open() {
    live = disk.read();
    disk.clean(live);
    keptFreeBytes = disk.minFreeBytes / (hasRoom() ? 2 : 8);
    tables = new OpenTables(new Source(), segments());
    valid = true;
    disk.segments.failWrites(bytes -> false);
    tables.beginSegments(true, false, true);
    disk.segments.failWrites(
        bytes -> dead || disk.freeBytes() < keptFreeBytes + bytes || world.fails());
    if (disk.powerLost) {
      disk.powerLost = false;
      dropUnwritten();
    }
  }

  /** As JE's files do; here every transaction may be one that was not forced. */
  private void dropUnwritten() {
    for (String queue : tables.queues()) {
      String name = Table.PACKETS.nameFor(queue);
      for (byte[] bytes : List.copyOf(live.get(name).keySet())) {
        PacketKey key = PacketKey.of(bytes);
        DatabaseEntry value = new DatabaseEntry();
        tables.get(Table.PACKETS, queue).get(new DatabaseEntry(bytes), value);
        if (key.segment() != 0 && !PacketCodec.isIntact(key, ByteBuffer.wrap(value.getData()))) {
          forget(name, bytes);
          forget(Table.PROGRESS.nameFor(queue), PacketKey.from(key.firstSequence()));
          forget(Table.IDS.nameFor(queue), PacketKey.from(key.firstSequence()));
          segments().freed(key.segment(), 1);
        }
      }
    }
  }

  private void forget(String table, byte[] key) {
    disk.forget(table, key);
    if (live.containsKey(table)) {
      live.get(table).remove(key);
    }
  }

  /** Ends the process that has these files. */
  public void die() {
    dead = true;
  }

  /** Names of the tables of a queue that have records, and how many. */
  public Map<String, Integer> contents(String queue) {
    Map<String, Integer> sizes = new TreeMap<>();
    for (Table table : Table.values()) {
      TreeMap<byte[], byte[]> records = live.get(table.nameFor(queue));
      if (records != null && !records.isEmpty()) {
        sizes.put(table.name(), records.size());
      }
    }
    return sizes;
  }

  private void check() {
    if (dead || !valid) {
      throw new IllegalStateException("the files are invalid");
    }
  }

  // ---- tables

  private final class Source implements Records.Source {
    @Override
    public Records open(String name) {
      check();
      return new SimRecords(name, live.computeIfAbsent(name, n -> SimDisk.newTable()));
    }

    @Override
    public List<String> names() {
      check();
      return List.copyOf(live.keySet());
    }
  }

  private final class SimRecords implements Records {
    private final String name;
    private final TreeMap<byte[], byte[]> records;

    SimRecords(String name, TreeMap<byte[], byte[]> records) {
      this.name = name;
      this.records = records;
    }

    @Override
    public boolean get(DatabaseEntry key, DatabaseEntry value) {
      check();
      byte[] found = records.get(bytes(key));
      if (found != null) {
        value.setData(found);
      }
      return found != null;
    }

    @Override
    public void put(StoreTransaction transaction, DatabaseEntry key, DatabaseEntry value) {
      write(transaction, bytes(key), bytes(value));
    }

    @Override
    public boolean delete(StoreTransaction transaction, DatabaseEntry key) {
      byte[] existing = bytes(key);
      if (!records.containsKey(existing)) {
        check();
        return false;
      }
      write(transaction, existing, null);
      return true;
    }

    private void write(StoreTransaction transaction, byte[] key, byte[] value) {
      check();
      if (transaction != current) {
        throw new AssertionError("one thread writes, one transaction at a time");
      }
      if (disk.freeBytes() < keptFreeBytes) {
        throw new DiskFull();
      }
      world.trace(() -> (value == null ? "- " : "+ ") + describe(name, key));
      byte[] old = value == null ? records.remove(key) : records.put(key, value);
      disk.grow(key, value);
      current.changes.add(new Change(name, key, value));
      current.undo.add(new Change(name, key, old));
      if (world.chance(8)) {
        world.others();
      }
    }

    @Override
    public TableCursor cursor(byte[] from, boolean withValues) {
      check();
      world.others();
      return new SimCursor(records, from);
    }

    @Override
    public void close() {}
  }

  private static String describe(String name, byte[] key) {
    Table table = Table.of(name);
    return name
        + " "
        + switch (table == null ? Table.IDS : table) {
          case PACKETS -> PacketKey.of(key);
          case DEFERRED -> DeferredKey.of(key);
          case DEAD -> DeadKey.of(key);
          case PROGRESS, IDS -> table == null ? "" : ByteBuffer.wrap(key).getLong();
        };
  }

  private static byte[] bytes(DatabaseEntry entry) {
    int from = entry.getOffset();
    return Arrays.copyOfRange(entry.getData(), from, from + entry.getSize());
  }

  private final class SimCursor implements TableCursor {
    private final TreeMap<byte[], byte[]> records;
    private final byte[] from;
    private Map.Entry<byte[], byte[]> at;

    SimCursor(TreeMap<byte[], byte[]> records, byte[] from) {
      this.records = records;
      this.from = from;
    }

    private boolean moveTo(Map.Entry<byte[], byte[]> entry) {
      check();
      at = entry == null ? at : entry;
      return entry != null;
    }

    @Override
    public boolean next() {
      return moveTo(at == null ? records.ceilingEntry(from) : records.higherEntry(at.getKey()));
    }

    @Override
    public boolean previous() {
      return moveTo(records.lowerEntry(at == null ? from : at.getKey()));
    }

    @Override
    public byte[] key() {
      return at.getKey();
    }

    @Override
    public byte[] value() {
      return at.getValue();
    }

    @Override
    public long lsn() {
      return -1;
    }

    @Override
    public void close() {}
  }

  // ---- transactions

  private final class SimTransaction extends StoreTransaction {
    private final List<Change> changes = new ArrayList<>();
    private final List<Change> undo = new ArrayList<>();
    private boolean ended;

    SimTransaction() {
      super(segments());
    }

    @Override
    public void commit(Durability durability) {
      world.others();
      check();
      beginCommit();
      boolean fails = world.fails();
      if (!fails || mayBeWritten() && world.chance(2)) {
        disk.commit(changes);
        if (durability != Durability.NONE || world.chance(4)) {
          disk.write();
        }
      }
      world.trace(() -> fails ? "commit fails" : "commit " + durability);
      if (fails) {
        valid = false;
        throw new UncheckedIOException(new IOException("write failed"));
      }
      ended = true;
      current = null;
      endCommit(true);
      if (durability == Durability.MACHINE) {
        forceSegments();
        disk.syncAll();
      }
      world.others();
    }

    /**
     * Whether the transaction may be on disk although its commit fails. Known: what an operator
     * changes is taken for not done then; if it was, the figures are wrong until the next opening.
     */
    private boolean mayBeWritten() {
      return StackWalker.getInstance()
          .walk(frames -> frames.noneMatch(frame -> frame.getMethodName().equals("transact")));
    }

    @Override
    public void close() {
      if (ended) {
        return;
      }
      world.trace(() -> "abort");
      ended = true;
      current = null;
      for (int i = undo.size() - 1; i >= 0; i--) {
        Change change = undo.get(i);
        TreeMap<byte[], byte[]> records = live.get(change.table());
        if (change.value() == null) {
          records.remove(change.key());
        } else {
          records.put(change.key(), change.value());
        }
      }
      endCommit(false);
    }
  }

  @Override
  public StoreTransaction begin() {
    world.others();
    check();
    if (current != null) {
      throw new AssertionError("a transaction is open");
    }
    current = new SimTransaction();
    return current;
  }

  // ---- the environment

  @Override
  public OpenTables tables() {
    check();
    return tables;
  }

  @Override
  Records meta() {
    return new Source().open("weir.meta");
  }

  @Override
  public void force(boolean withSegments) {
    check();
    int count = disk.writtenNow();
    long before = disk.syncs();
    world.others();
    check();
    disk.segments.syncFails = withSegments && world.chance(2) && world.fails();
    boolean fails = !disk.segments.syncFails && world.fails();
    try {
      if (withSegments) {
        forceSegments();
      }
      world.others();
      check();
    } catch (UncheckedIOException e) {
      fails = true;
    } finally {
      disk.segments.syncFails = false;
    }
    if (fails) {
      valid = false;
      syncFailed = true;
      throw new UncheckedIOException(new IOException("sync failed"));
    }
    disk.sync(count - (int) (disk.syncs() - before));
  }

  private void forceSegments() {
    try {
      segments().force();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void handOver() {
    check();
    disk.write();
  }

  @Override
  public boolean isValid() {
    return valid && !dead;
  }

  @Override
  public void reopen() {
    if (dead || users > 0) {
      throw new IllegalStateException("the files are in use");
    }
    if (!valid) {
      disk.kill();
      if (syncFailed) {
        disk.syncAll();
        syncFailed = false;
      }
      open();
    }
  }

  @Override
  public void beginUse() {
    users++;
  }

  @Override
  public void endUse() {
    users--;
  }

  @Override
  public boolean reclaim(boolean copies) {
    check();
    disk.clean(live);
    return false;
  }

  @Override
  public void measureRoom() {
    check();
    boolean room = hasRoom();
    keptFreeBytes = disk.minFreeBytes / (room ? 2 : 8);
    // JE's own cleaner.
    if (room && world.chance(2)) {
      disk.clean(live);
    }
  }

  @Override
  public void probe() {
    check();
    if (disk.freeBytes() < keptFreeBytes) {
      throw new DiskFull();
    }
    segments().probe();
  }

  @Override
  public boolean hasRoom() {
    return disk.freeBytes() >= disk.minFreeBytes;
  }

  @Override
  public boolean hasRoomForMoves(boolean last) {
    return disk.freeBytes() >= disk.minFreeBytes / (last ? 4 : 2);
  }

  @Override
  public StoreStats stats(Reason fault) {
    long logBytes = disk.usedBytes();
    return new StoreStats(
        options().getDirectory(), 1, logBytes, disk.freeBytes(), disk.minFreeBytes, fault);
  }

  @Override
  public Reason reason(Throwable failure) {
    return failure instanceof DiskFull || !hasRoom() ? Reason.DISK_FULL : Reason.STORE_FAILED;
  }

  @Override
  public void close() {
    if (!dead && valid) {
      forceSegments();
      disk.syncAll();
      segments().deleteEmpty();
    }
    dead = true;
  }
}
