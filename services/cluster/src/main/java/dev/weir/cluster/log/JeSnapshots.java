package dev.weir.cluster.log;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Durability;
import dev.weir.cluster.protocol.LogEnd;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots of a log: each a database of its own, which counts once the list of snapshots names
 * it. Locked, since they are written and read beside the other work of the log.
 */
final class JeSnapshots {
  private static final Logger LOG = LoggerFactory.getLogger(JeSnapshots.class);
  private static final String LIST = "snapshots";
  private static final String PREFIX = "snapshot.";
  private static final int ENTRY_BYTES = 5 * Long.BYTES;

  /**
   * A complete snapshot.
   *
   * @param number names its database
   * @param generation of the history it belongs to
   */
  private record Snapshot(long number, long generation, LogEnd end, long bytes) {
    String database() {
      return PREFIX + number;
    }
  }

  private final JeLogFiles files;
  private final LogMeta meta;

  /** Held for reading while one is read, and for writing while some are removed. */
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

  private volatile SnapshotChain<Snapshot> chain;

  private volatile long generation;
  private long lastNumber;

  /** Databases of snapshots that are not complete yet. */
  private final Set<String> unfinished = new HashSet<>();

  /**
   * @param generation of the history
   * @param start position where its batches start
   */
  JeSnapshots(JeLogFiles files, LogMeta meta, long generation, long start) {
    this.files = files;
    this.meta = meta;
    this.generation = generation;
    List<Snapshot> found = decode(meta.get(LIST));
    List<Snapshot> own = found.stream().filter(one -> one.generation == generation).toList();
    chain = new SnapshotChain<>(own, Snapshot::end, start);
    lastNumber = found.stream().mapToLong(Snapshot::number).max().orElse(0);
  }

  LogEnd last() {
    return chain.lastEnd();
  }

  /** See {@link SnapshotChain#isWhole}. */
  boolean isWhole() {
    return chain.isWhole();
  }

  /**
   * Writes a snapshot, forced; it may be read when this returns.
   *
   * @param holds whether the history has that end, asked again when the snapshot is complete
   */
  void save(LogEnd end, BooleanSupplier holds, TransactionLog.SnapshotWriter writer)
      throws IOException {
    long number = begin();
    long ofGeneration = generation;
    try {
      long bytes = write(PREFIX + number, writer);
      add(new Snapshot(number, ofGeneration, end, bytes), holds);
    } finally {
      finish(PREFIX + number);
    }
  }

  private synchronized long begin() {
    unfinished.add(PREFIX + ++lastNumber);
    return lastNumber;
  }

  private synchronized void finish(String name) {
    unfinished.remove(name);
    try {
      removeOld();
    } catch (DatabaseException e) {
      // What counts is why it was not completed. If it was, the next use of the log fails.
      LOG.debug("removing snapshots: {}", e.toString());
    }
  }

  private long write(String name, TransactionLog.SnapshotWriter writer) throws IOException {
    try (Database database = files.open(name, JeLogConfig.appended());
        ChunkOutput chunks = new ChunkOutput(database);
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
          "a snapshot is not kept: the log does not hold its {}, or has a later one", added.end);
      return;
    }
    // What was appended before the snapshot is before it in JE's log and forced with it.
    keep(chain.with(added), Durability.COMMIT_SYNC);
  }

  /** Forgets those from after a position, durably. */
  synchronized void cut(long position) {
    SnapshotChain<Snapshot> cut = chain.cut(position);
    if (cut.all().size() < chain.all().size()) {
      keep(cut, Durability.COMMIT_SYNC);
    }
  }

  /**
   * Makes the latest snapshot from a position, or from before it, the one where the batches start;
   * those before it are kept until {@link #forgetTrimmed}.
   *
   * @return where they start
   */
  synchronized long trim(long position) {
    long start = chain.trim(position).start();
    chain = new SnapshotChain<>(chain.all(), Snapshot::end, start);
    return start;
  }

  synchronized void forgetTrimmed() {
    keep(chain.trim(chain.start()), Durability.COMMIT_NO_SYNC);
  }

  /** Forgets all: durably once the history is of that generation. */
  synchronized void reset(long newGeneration, long start) {
    generation = newGeneration;
    chain = SnapshotChain.empty(Snapshot::end, start);
  }

  private void keep(SnapshotChain<Snapshot> kept, Durability durability) {
    meta.put(durability, LIST, encode(kept.all()));
    chain = kept;
  }

  private boolean isOld(String database) {
    return database.startsWith(PREFIX)
        && !unfinished.contains(database)
        && chain.all().stream().noneMatch(one -> one.database().equals(database));
  }

  /**
   * Removes what is not needed any more, unless a snapshot is being read: who reads may wait for
   * who calls this. The next call does it then.
   */
  synchronized void removeOld() {
    if (use.writeLock().tryLock()) {
      try {
        files.removeAll(this::isOld);
      } finally {
        use.writeLock().unlock();
      }
    }
  }

  private static ByteBuffer encode(List<Snapshot> list) {
    ByteBuffer value = LogMeta.value(list.size() * ENTRY_BYTES);
    for (Snapshot one : list) {
      value
          .putLong(one.number)
          .putLong(one.generation)
          .putLong(one.end.epoch())
          .putLong(one.end.position())
          .putLong(one.bytes);
    }
    return value;
  }

  private static List<Snapshot> decode(ByteBuffer in) {
    List<Snapshot> list = new ArrayList<>();
    while (in != null && in.hasRemaining()) {
      list.add(
          new Snapshot(
              in.getLong(), in.getLong(), new LogEnd(in.getLong(), in.getLong()), in.getLong()));
    }
    return list;
  }

  void read(TransactionLog.SnapshotReader reader) throws IOException {
    use.readLock().lock();
    try {
      Snapshot last = chain.last();
      if (last != null) {
        read(last, reader);
      }
    } finally {
      use.readLock().unlock();
    }
    removeOld();
  }

  private void read(Snapshot snapshot, TransactionLog.SnapshotReader reader) throws IOException {
    try (Database database = files.open(snapshot.database(), JeLogConfig.appended());
        ChunkInput chunks = new ChunkInput(files, database, snapshot.bytes)) {
      reader.read(new DataInputStream(chunks));
    }
  }
}
