package dev.weir.cluster.log;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseException;
import dev.weir.cluster.protocol.LogEnd;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots of a log, each in a table of its own. A snapshot is valid once the stored list of
 * snapshots names its table. Any thread: snapshots are written and read beside other work of the
 * log.
 */
final class SnapshotTables {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotTables.class);
  private static final String LIST = "snapshots";
  private static final String PREFIX = "snapshot.";
  private static final int ENTRY_BYTES = 5 * Long.BYTES;

  /** The end of a snapshot whose objects are elsewhere: format and number of the objects. */
  static final int OBJECTS_BYTES = 2 * Integer.BYTES;

  /**
   * A complete snapshot.
   *
   * @param number names its table
   * @param generation number of the history to which it belongs
   * @param bytes size of its content
   * @param objects whether the objects of its state are those at the mark of its number, and its
   *     content ends with {@link #OBJECTS_BYTES} that tell how many they are
   */
  private record Snapshot(long number, long generation, LogEnd end, long bytes, boolean objects) {
    String table() {
      return PREFIX + number;
    }

    long mark() {
      return objects ? number : 0;
    }
  }

  private final LogEnvironment environment;
  private final MetaTable meta;

  /** Tables of snapshots that are being read, each as often as it is. */
  private final List<String> read = new ArrayList<>();

  private volatile SnapshotList<Snapshot> snapshots;

  /** What a primary sends; null if there is nothing. */
  private volatile Spool spool;

  private volatile long generation;
  private long lastNumber;

  /** Tables of snapshots that are not complete yet. */
  private final Set<String> unfinished = new HashSet<>();

  /**
   * @param generation number of the current history
   * @param start position where its batches start
   */
  SnapshotTables(LogEnvironment environment, MetaTable meta, long generation, long start) {
    this.environment = environment;
    this.meta = meta;
    this.generation = generation;
    List<Snapshot> found = decode(meta.get(LIST));
    List<Snapshot> own = found.stream().filter(one -> one.generation == generation).toList();
    snapshots = new SnapshotList<>(own, Snapshot::end, start);
    long lastFound = found.stream().mapToLong(Snapshot::number).max().orElse(0);
    lastNumber = Math.max(lastFound, environment.lastNumber(PREFIX));
  }

  LogEnd last() {
    return snapshots.lastEnd();
  }

  /** See {@link SnapshotList#isWhole}. */
  boolean isWhole() {
    return snapshots.isWhole();
  }

  /** The mark of the objects of the last snapshot; 0 if it has none, or there is none. */
  long lastMark() {
    Snapshot last = snapshots.last();
    return last == null ? 0 : last.mark();
  }

  /** The first mark of which a snapshot has the objects; the largest number if there is none. */
  long firstMark() {
    return snapshots.all().stream()
        .mapToLong(Snapshot::mark)
        .filter(mark -> mark > 0)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** A number for a snapshot that is saved later. */
  synchronized long reserve() {
    return ++lastNumber;
  }

  /**
   * Writes a snapshot and forces it to the device.
   *
   * @param mark a reserved number if the objects of its state are those at this mark; otherwise 0
   * @param holds whether the history still contains that end; asked when the snapshot is complete
   */
  void save(LogEnd end, long mark, BooleanSupplier holds, TransactionLog.SnapshotWriter writer)
      throws IOException {
    long number = begin(mark == 0 ? reserve() : mark);
    long ofGeneration = generation;
    try {
      long bytes = write(PREFIX + number, writer);
      add(new Snapshot(number, ofGeneration, end, bytes, mark > 0), holds);
    } finally {
      finish(PREFIX + number);
    }
  }

  private synchronized long begin(long number) {
    unfinished.add(PREFIX + number);
    return number;
  }

  /** A table for bytes that are to become a snapshot. */
  Spool spool() {
    String name = PREFIX + begin(reserve());
    spool =
        new JeSpool(
            environment, environment.open(name, JeLogConfig.appended()), () -> finish(name));
    return spool;
  }

  void close() {
    if (spool != null) {
      spool.discard();
    }
  }

  private synchronized void finish(String name) {
    unfinished.remove(name);
    try {
      removeOld();
    } catch (DatabaseException e) {
      // A failure of the snapshot itself is more important; otherwise the next use fails too.
      LOG.debug("removing snapshots: {}", e.toString());
    }
  }

  private long write(String name, TransactionLog.SnapshotWriter writer) throws IOException {
    try (Database database = environment.open(name, JeLogConfig.appended());
        SnapshotOutput chunks = new SnapshotOutput(environment, database);
        DataOutputStream out = new DataOutputStream(chunks)) {
      writer.write(out);
      out.flush();
      return chunks.finish();
    }
  }

  private synchronized void add(Snapshot added, BooleanSupplier holds) {
    boolean current = added.generation == generation && holds.getAsBoolean();
    if (!current || added.end.position() < last().position()) {
      LOG.info(
          "a snapshot is not kept: the log does not contain {}, or has a later snapshot",
          added.end);
      return;
    }
    // JE's log is sequential: batches appended before the snapshot are forced with it.
    keep(snapshots.with(added));
    environment.flush(true);
  }

  /** Forgets snapshots after a position; forced to the device. */
  synchronized void cut(long position) {
    SnapshotList<Snapshot> cut = snapshots.cut(position);
    if (cut.all().size() < snapshots.all().size()) {
      keep(cut);
      environment.flush(true);
    }
  }

  /**
   * Moves the start of the batches to the latest snapshot at or before a position. Earlier
   * snapshots are kept until {@link #forgetTrimmed}.
   *
   * @return position where the batches start
   */
  synchronized long trim(long position) {
    long start = snapshots.trim(position).start();
    snapshots = new SnapshotList<>(snapshots.all(), Snapshot::end, start);
    return start;
  }

  synchronized void forgetTrimmed() {
    keep(snapshots.trim(snapshots.start()));
  }

  /** Forgets all snapshots; durable once the stored history has the new generation. */
  synchronized void reset(long newGeneration, long start) {
    generation = newGeneration;
    snapshots = SnapshotList.empty(Snapshot::end, start);
  }

  private void keep(SnapshotList<Snapshot> kept) {
    meta.put(LIST, encode(kept.all()));
    snapshots = kept;
  }

  private boolean isOld(String database) {
    return database.startsWith(PREFIX)
        && !unfinished.contains(database)
        && !read.contains(database)
        && snapshots.all().stream().noneMatch(one -> one.table().equals(database));
  }

  /** Removes tables that are not needed any more. */
  synchronized void removeOld() {
    environment.removeAll(this::isOld);
  }

  private static ByteBuffer encode(List<Snapshot> list) {
    ByteBuffer value = MetaTable.value(list.size() * ENTRY_BYTES);
    for (Snapshot one : list) {
      value
          .putLong(one.number)
          .putLong(one.generation)
          .putLong(one.end.epoch())
          .putLong(one.end.position())
          .putLong(one.objects ? ~one.bytes : one.bytes);
    }
    return value;
  }

  private static List<Snapshot> decode(ByteBuffer in) {
    List<Snapshot> list = new ArrayList<>();
    while (in != null && in.hasRemaining()) {
      long number = in.getLong();
      long generation = in.getLong();
      LogEnd end = new LogEnd(in.getLong(), in.getLong());
      long bytes = in.getLong();
      list.add(new Snapshot(number, generation, end, bytes < 0 ? ~bytes : bytes, bytes < 0));
    }
    return list;
  }

  /**
   * Reads the last snapshot, if there is one.
   *
   * @param objects of its state, which take the place of the end that tells how many they are; null
   *     to read the snapshot as it was saved
   */
  void read(Supplier<JeObjects> objects, TransactionLog.SnapshotReader reader) throws IOException {
    Snapshot last = beginRead();
    if (last == null) {
      return;
    }
    try {
      read(last, objects, reader);
    } finally {
      endRead(last);
    }
    removeOld();
  }

  private synchronized Snapshot beginRead() {
    Snapshot last = snapshots.last();
    if (last != null) {
      read.add(last.table());
    }
    return last;
  }

  private synchronized void endRead(Snapshot snapshot) {
    read.remove(snapshot.table());
  }

  private void read(
      Snapshot snapshot, Supplier<JeObjects> objects, TransactionLog.SnapshotReader reader)
      throws IOException {
    try (Database database = environment.open(snapshot.table(), JeLogConfig.appended());
        SnapshotInput chunks = new SnapshotInput(environment, database, snapshot.bytes)) {
      if (!snapshot.objects || objects == null) {
        reader.read(new DataInputStream(chunks));
        return;
      }
      int count = count(database, snapshot);
      try (ObjectCopy copy = objects.get().copy(snapshot.number, count)) {
        reader.read(new DataInputStream(whole(chunks, snapshot, count, copy)));
      }
    }
  }

  /** Reads how many objects a snapshot has. */
  private int count(Database database, Snapshot snapshot) throws IOException {
    try (SnapshotInput chunks = new SnapshotInput(environment, database, snapshot.bytes)) {
      chunks.skipNBytes(snapshot.bytes - Integer.BYTES);
      return new DataInputStream(chunks).readInt();
    }
  }

  private static InputStream whole(
      InputStream chunks, Snapshot snapshot, int count, InputStream objects) {
    byte[] head =
        ByteBuffer.allocate(OBJECTS_BYTES)
            .putInt(TransactionLog.OBJECTS_FORMAT)
            .putInt(count)
            .array();
    return new SequenceInputStream(
        Collections.enumeration(
            List.of(
                new BoundedInput(chunks, snapshot.bytes - OBJECTS_BYTES),
                new ByteArrayInputStream(head),
                objects)));
  }
}
