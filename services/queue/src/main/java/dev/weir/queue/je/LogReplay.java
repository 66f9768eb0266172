package dev.weir.queue.je;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.log.ChecksumException;
import com.sleepycat.je.log.LogEntryHeader;
import com.sleepycat.je.log.LogEntryType;
import com.sleepycat.je.log.entry.INLogEntry;
import com.sleepycat.je.tree.BIN;
import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.PacketKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings the records that a log shows into another environment, in the order of the log: what was
 * committed is written or deleted. Needs no index of the old log. The index entries in it are read
 * too: they have the small values, which JE keeps there only, and the keys of records whose entries
 * cannot be read. Such a record gets its key without a value, which a reader finds corrupt; so the
 * loss is counted, and the order of its neighbours stays.
 */
final class LogReplay implements LogScan.Visitor, AutoCloseable {
  private static final int INDEX = LogEntryType.LOG_BIN.getTypeNum();
  private static final int INDEX_DELTA = LogEntryType.LOG_BIN_DELTA.getTypeNum();
  private static final int LOG_VERSION = 17;
  private static final long BYTES_PER_TRANSACTION = 1 << 20;
  private static final int RECORD_BYTES = 64;
  private static final DatabaseEntry NO_VALUE = new DatabaseEntry(new byte[0]);
  private static final String NAMELESS = "recovered-";

  /**
   * @param table null for the store's own records
   * @param queue null if {@code table} is null
   */
  private record Target(Database database, Table table, String queue) {
    /** Whether a record makes messages of use no more, or refuses them. */
    boolean settles() {
      return table != null && !table.holdsMessages();
    }
  }

  private final LogHistory history;
  private final DoubtfulPackets doubtful;
  private final Environment to;
  private final long certainLsn;

  /** Where the new log was when the old one came to {@link #certainLsn}. */
  private long forcedLsn = Long.MAX_VALUE;

  private final Map<Long, Target> targets = new HashMap<>();
  private final Map<String, Database> databases = new HashMap<>();
  private final Map<String, Long> lastSequences = new HashMap<>();
  private Transaction transaction;
  private long bytes;
  private long file;
  private boolean isCleaned;
  private boolean ended;
  private int[] obsolete = {};
  private long written;
  private long unreadable;

  LogReplay(LogHistory history, long certainLsn, Environment to) {
    this.history = history;
    this.certainLsn = certainLsn;
    this.doubtful = history.doubtfulPackets();
    this.to = to;
  }

  @Override
  public void file(long number, boolean isLast) {
    file = number;
    isCleaned = history.unused().isCleaned(number);
    obsolete = history.unused().offsets(number);
  }

  private boolean isObsolete(LogEntry entry) {
    return isCleaned || Arrays.binarySearch(obsolete, (int) entry.offset()) >= 0;
  }

  @Override
  public void logEnds() {
    ended = true;
  }

  @Override
  public void entry(LogEntry entry, ByteBuffer content) {
    if (ended) {
      return;
    }
    if (forcedLsn == Long.MAX_VALUE && lsn(entry) >= certainLsn) {
      forcedLsn = certainLsn == 0 ? 0 : LogMark.end(to);
    }
    if (LogWrite.isWrite(entry)) {
      LogWrite write = LogWrite.of(content, LogWrite.isInTransaction(entry));
      if (write != null) {
        replay(entry, write);
      }
    } else if ((entry.type() == INDEX || entry.type() == INDEX_DELTA) && !isObsolete(entry)) {
      index(entry, content);
    }
  }

  private long lsn(LogEntry entry) {
    return DbLsn.makeLsn(file, entry.offset());
  }

  private boolean isUnused(LogEntry entry, LogWrite write) {
    return isCleaned || !write.isEmbedded() && isObsolete(entry) && !history.isKept(lsn(entry));
  }

  private void replay(LogEntry entry, LogWrite write) {
    boolean deletes = entry.type() <= LogWrite.DELETED;
    boolean isInDoubt = history.isInDoubt(write.transaction());
    Target target = history.isUndone(write.transaction()) ? null : target(write);
    if (target == null || isInDoubt && (deletes || target.settles())) {
      return;
    }
    byte[] key = write.key();
    boolean noEffect =
        doubtful.refuses(target.table, target.queue, key, deletes, lsn(entry))
            || !deletes
                && isUnused(entry, write)
                && !doubtful.keeps(target.table, target.queue, key);
    if (noEffect) {
      return;
    }
    note(target, key);
    if (deletes) {
      delete(target, key);
    } else if (write.value() != null) {
      put(target, key, LogWrite.bytes(write.value()));
    }
  }

  /** A record of which only the key can be read. */
  @Override
  public void damaged(LogEntry entry, ByteBuffer content) {
    if (ended || !LogWrite.isWrite(entry) || entry.type() <= LogWrite.DELETED) {
      return;
    }
    LogWrite write = LogWrite.of(content, LogWrite.isInTransaction(entry));
    boolean inUse =
        write != null
            && write.value() != null
            && !history.isUndone(write.transaction())
            && !history.isUnsynced(lsn(entry))
            && !isObsolete(entry);
    String name = inUse ? history.name(write.database()) : null;
    Table table = name == null ? null : Table.of(name);
    if (table != null && isKeyOf(table, write.key(), write.value())) {
      putKey(target(write.database(), name), certain(table, write));
    }
  }

  /** Of a packet's key only what its record repeats is certain: all its messages may be of use. */
  private static byte[] certain(Table table, LogWrite write) {
    if (table != Table.PACKETS) {
      return write.key();
    }
    PacketKey key = PacketKey.of(write.key());
    int count = key.count();
    return new PacketKey(key.firstSequence(), count, count, count, write.value().limit()).toBytes();
  }

  /** Whether key and value say the same, so that neither is where the damage is. */
  private static boolean isKeyOf(Table table, byte[] key, ByteBuffer value) {
    if (key.length != table.keyBytes()) {
      return false;
    }
    return switch (table) {
      case PACKETS -> PacketCodec.isKeyOf(PacketKey.of(key), value);
      case DEFERRED -> DetachedCodec.isOf(DeferredKey.of(key).sequence(), value);
      case DEAD -> DetachedCodec.isOf(DeadKey.of(key).sequence(), value);
      default -> false;
    };
  }

  /** A part of the index: the keys of neighbours, with their places and their small values. */
  private void index(LogEntry entry, ByteBuffer content) {
    INLogEntry<?> index = read(entry, content);
    String name = index == null ? null : history.name(index.getDbId().getId());
    if (name == null || !isOurs(name)) {
      return;
    }
    Target target = target(index.getDbId().getId(), name);
    BIN bin = (BIN) index.getMainItem();
    for (int i = 0; i < bin.getNEntries(); i++) {
      if (!history.isUndoneAt(bin.getLsn(i))) {
        slot(target, bin, i);
      }
    }
  }

  private void slot(Target target, BIN bin, int i) {
    byte[] key = bin.getKey(i);
    boolean deleted = bin.isEntryKnownDeleted(i) || bin.isEntryPendingDeleted(i);
    if (doubtful.refuses(target.table, target.queue, key, deleted, bin.getLsn(i))) {
      return;
    }
    if (deleted) {
      if (!history.isInDoubtAt(bin.getLsn(i))) {
        delete(target, key);
      }
      return;
    }
    note(target, key);
    if (target.settles() && history.isInDoubtAt(bin.getLsn(i))) {
      return;
    }
    if (bin.isEmbeddedLN(i)) {
      put(target, key, bin.getData(i));
    } else if (target.table != null
        && target.table.holdsMessages()
        && history.isUnreadable(bin.getLsn(i))
        && !history.isUnsynced(bin.getLsn(i))) {
      putKey(target, key);
    }
  }

  private static INLogEntry<?> read(LogEntry entry, ByteBuffer content) {
    LogEntryType type = LogEntryType.findType((byte) entry.type());
    try {
      INLogEntry<?> index = (INLogEntry<?>) type.getNewLogEntry();
      ByteBuffer header = ByteBuffer.wrap(entry.header());
      index.readEntry(
          null,
          new LogEntryHeader(header, LOG_VERSION, DbLsn.NULL_LSN),
          ByteBuffer.wrap(LogWrite.bytes(content)));
      return index;
    } catch (ChecksumException e) {
      return null;
    }
  }

  private Target target(LogWrite write) {
    long database = write.database();
    String name = history.name(database);
    if (name == null && history.isNameless(database)) {
      name = nameOf(database, write);
    }
    return name == null || !isOurs(name) ? null : target(database, name);
  }

  private static boolean isOurs(String name) {
    return name.equals(JeFiles.META) || Table.of(name) != null;
  }

  /** A name for a database whose name cannot be read, if the record tells what it holds. */
  private static String nameOf(long database, LogWrite write) {
    for (Table table : new Table[] {Table.PACKETS, Table.DEFERRED, Table.DEAD}) {
      if (write.value() != null && isKeyOf(table, write.key(), write.value())) {
        return table.nameFor(queueOf(database));
      }
    }
    return null;
  }

  /** The name of a queue whose name cannot be read. */
  static String queueOf(long database) {
    return NAMELESS + database;
  }

  private Target target(long number, String name) {
    return targets.computeIfAbsent(
        number,
        ignored -> {
          Table table = Table.of(name);
          return new Target(open(name), table, table == null ? null : table.queueOf(name));
        });
  }

  private Database open(String name) {
    return databases.computeIfAbsent(
        name, ignored -> to.openDatabase(null, name, JeConfig.database()));
  }

  /** Remembers the last sequence of a queue, because none may be used twice. */
  private void note(Target target, byte[] key) {
    if (target.table == null || key.length != target.table.keyBytes()) {
      return;
    }
    long sequence =
        switch (target.table) {
          case PACKETS -> PacketKey.of(key).endSequence() - 1;
          case DEFERRED -> DeferredKey.of(key).sequence();
          case DEAD -> DeadKey.of(key).sequence();
          default -> 0;
        };
    lastSequences.merge(target.queue, sequence, Math::max);
  }

  private void put(Target target, byte[] key, byte[] value) {
    if (target.table == null && isOlder(target, key, value)) {
      return;
    }
    begin(key.length + value.length);
    target.database.put(transaction, new DatabaseEntry(key), new DatabaseEntry(value));
    written++;
  }

  /** The store's own records are numbers that only grow. */
  private boolean isOlder(Target target, byte[] key, byte[] value) {
    DatabaseEntry known = new DatabaseEntry();
    OperationStatus status =
        target.database.get(transaction, new DatabaseEntry(key), known, LockMode.DEFAULT);
    return status == OperationStatus.SUCCESS
        && value.length == Long.BYTES
        && known.getSize() == Long.BYTES
        && ByteBuffer.wrap(known.getData()).getLong() > ByteBuffer.wrap(value).getLong();
  }

  private void putKey(Target target, byte[] key) {
    begin(key.length);
    note(target, key);
    DatabaseEntry record = new DatabaseEntry(key);
    if (target.database.putNoOverwrite(transaction, record, NO_VALUE) == OperationStatus.SUCCESS) {
      unreadable++;
    }
  }

  private void delete(Target target, byte[] key) {
    begin(key.length);
    target.database.delete(transaction, new DatabaseEntry(key));
  }

  private void begin(int more) {
    if (bytes > BYTES_PER_TRANSACTION) {
      commit();
    }
    bytes += more + RECORD_BYTES;
    if (transaction == null) {
      transaction = to.beginTransaction(null, null);
    }
  }

  private void commit() {
    if (transaction != null) {
      transaction.commit(Durability.COMMIT_NO_SYNC);
      transaction = null;
      bytes = 0;
    }
  }

  /** Completes what the scan has shown, and forces it to the device. */
  void end() {
    for (Target each : List.copyOf(targets.values())) {
      if (each.queue != null) {
        // A queue is listed by its packets, and the name of that table may be lost.
        open(Table.PACKETS.nameFor(each.queue));
        open(Table.PROGRESS.nameFor(each.queue));
      }
    }
    Target meta = target(-1, JeFiles.META);
    lastSequences.forEach(
        (queue, sequence) -> {
          long next = QueueTables.blockAfter(sequence);
          put(meta, QueueTables.sequenceKey(queue), PacketKey.from(next));
        });
    commit();
    to.flushLog(true);
  }

  /** Records that were written, those included that were deleted afterwards. */
  long written() {
    return written;
  }

  /** Place in the new log; what is before it was certain in the old one. */
  long forcedLsn() {
    return forcedLsn;
  }

  /** Records of which only the key could be read. */
  long unreadable() {
    return unreadable;
  }

  @Override
  public void close() {
    if (transaction != null) {
      transaction.abort();
    }
    databases.values().forEach(LogFiles::closeQuietly);
  }
}
