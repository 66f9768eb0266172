package dev.weir.queue.je;

import com.sleepycat.je.log.LogUtils;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.PacketKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the records with messages that the log shows as written and not deleted. An entry of JE
 * that writes or deletes a record (log versions 16 and 17) has two bytes of flags, the number of
 * the database, with a flag an LSN, in a transaction its number, and at its end the record's key.
 */
public final class LogRecords implements LogScan.Visitor {

  /**
   * What a database holds.
   *
   * @param table null for the store's own records
   * @param queue null if {@code table} is null
   */
  public record Source(Table table, String queue) {}

  /** A record of a database, which JE names by a number. */
  public record Place(long database, ByteBuffer key) {}

  /** The messages in a record. */
  public record Content(long firstSequence, long lastSequence, long messages) {}

  private static final Source UNKNOWN = new Source(Table.PACKETS, null);
  private static final int COMMIT = 17;
  private static final int ABORT = 18;
  private static final int DELETED_IN_TRANSACTION = 31;
  private static final int DELETED = 32;
  private static final int UPDATED = 36;
  private static final int HAS_LSN = 0x20;
  private static final int FLAG_BYTES = 2;

  /** Packed numbers are read from an array of their greatest length. */
  private static final int NUMBERS_BYTES = 3 * 9;

  private final boolean cutOffOnly;
  private final Map<Long, Source> databases;
  private final Map<Place, Content> written = new LinkedHashMap<>();
  private final Map<Place, Content> deleted = new LinkedHashMap<>();

  /** The records of transactions that are open before the cut, by transaction. */
  private final Map<Long, List<Place>> open = new HashMap<>();

  /**
   * @param cutOffOnly collect only what JE cuts off at the end of the log, and transactions that
   *     are committed there
   * @param databases by number; a database that is not among them is taken to hold packets
   */
  public LogRecords(boolean cutOffOnly, Map<Long, Source> databases) {
    this.cutOffOnly = cutOffOnly;
    this.databases = databases;
  }

  @Override
  public void entry(LogEntry entry, ByteBuffer content, boolean cutOff) {
    boolean beforeCut = cutOffOnly && !cutOff;
    if (entry.type() == COMMIT || entry.type() == ABORT) {
      if (beforeCut) {
        forget(LogUtils.readPackedLong(numbers(content, 0)));
      }
    } else if (entry.type() >= DELETED_IN_TRANSACTION
        && entry.type() <= UPDATED
        && content.limit() > FLAG_BYTES) {
      record(entry, content, beforeCut);
    }
  }

  private static ByteBuffer numbers(ByteBuffer content, int offset) {
    byte[] numbers = new byte[NUMBERS_BYTES];
    content.get(offset, numbers, 0, Math.min(NUMBERS_BYTES, content.limit() - offset));
    return ByteBuffer.wrap(numbers);
  }

  private void forget(long transaction) {
    List<Place> committed = open.remove(transaction);
    if (committed != null) {
      committed.forEach(written::remove);
      committed.forEach(deleted::remove);
    }
  }

  private void record(LogEntry entry, ByteBuffer content, boolean beforeCut) {
    ByteBuffer numbers = numbers(content, FLAG_BYTES);
    long database = LogUtils.readPackedLong(numbers);
    Table table = databases.getOrDefault(database, UNKNOWN).table();
    // Entries of transactions have odd types.
    boolean inTransaction = entry.type() % 2 == 1;
    if (table == null
        || content.limit() <= FLAG_BYTES + table.keyBytes()
        || beforeCut && !inTransaction) {
      return;
    }
    byte[] key = new byte[table.keyBytes()];
    content.get(content.limit() - key.length, key);
    Content messages = messages(table, key);
    if (messages == null) {
      return;
    }
    Place place = new Place(database, ByteBuffer.wrap(key));
    if (beforeCut) {
      if ((content.get(0) & HAS_LSN) != 0) {
        LogUtils.readPackedLong(numbers);
      }
      long transaction = LogUtils.readPackedLong(numbers);
      open.computeIfAbsent(transaction, number -> new ArrayList<>()).add(place);
    }
    if (entry.type() <= DELETED) {
      written.remove(place);
      deleted.put(place, messages);
    } else {
      deleted.remove(place);
      written.put(place, messages);
    }
  }

  /** The messages of a record; null if it holds none. */
  private static Content messages(Table table, byte[] bytes) {
    switch (table) {
      case PACKETS -> {
        PacketKey key = PacketKey.of(bytes);
        return isPlausible(key)
            ? new Content(key.firstSequence(), key.endSequence() - 1, key.keep())
            : null;
      }
      case DEFERRED -> {
        DeferredKey key = DeferredKey.of(bytes);
        boolean counts = key.kind() != DeferredKey.DELIVERIES && !key.isTransient();
        return counts ? new Content(key.sequence(), key.sequence(), 1) : null;
      }
      case DEAD -> {
        long sequence = DeadKey.of(bytes).sequence();
        return new Content(sequence, sequence, 1);
      }
      default -> {
        return null;
      }
    }
  }

  /** False for a key that no packet has: an unknown database may hold something else. */
  private static boolean isPlausible(PacketKey key) {
    return key.firstSequence() > 0
        && key.count() > 0
        && key.alive() <= key.count()
        && key.keep() > 0
        && key.keep() <= key.alive()
        && key.bytes() >= key.count() * (long) PacketCodec.MESSAGE_HEADER_BYTES;
  }

  /** Records that were written and not deleted afterwards, in the order of the log. */
  public Map<Place, Content> written() {
    return written;
  }

  /** Records that were deleted and not written afterwards, in the order of the log. */
  public Map<Place, Content> deleted() {
    return deleted;
  }
}
