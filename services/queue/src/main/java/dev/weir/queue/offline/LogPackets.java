package dev.weir.queue.offline;

import com.sleepycat.je.log.LogUtils;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.SideKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The records with messages that the log says were written, without those it says were deleted. An
 * entry of JE that writes or deletes a record (log versions 16 and 17) has two bytes of flags, the
 * number of the database, with a flag an LSN, in a transaction its number, and at its end the
 * record's key.
 */
public final class LogPackets implements LogScan.Sink {

  /** What a database holds. */
  public enum Kind {
    PACKETS(PacketKey.BYTES),
    SIDE(SideKey.BYTES),
    DEAD(DeadKey.BYTES),
    OTHER(0);

    final int keyBytes;

    Kind(int keyBytes) {
      this.keyBytes = keyBytes;
    }
  }

  /** A record of a database, as JE numbers it. */
  public record Place(long database, ByteBuffer key) {}

  /** What a record holds. */
  public record Content(long firstSequence, long lastSequence, long messages) {}

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
  private final Map<Long, Kind> kinds;
  private final Map<Place, Content> written = new LinkedHashMap<>();
  private final Map<Place, Content> deleted = new LinkedHashMap<>();
  private final Map<Long, List<Place>> open = new HashMap<>();

  /**
   * @param cutOffOnly only what the end of the log, cut off, would have committed
   * @param kinds of the databases that are known; others are taken to hold packets
   */
  public LogPackets(boolean cutOffOnly, Map<Long, Kind> kinds) {
    this.cutOffOnly = cutOffOnly;
    this.kinds = kinds;
  }

  @Override
  public void entry(LogEntry entry, ByteBuffer item, boolean cutOff) {
    boolean settles = cutOffOnly && !cutOff;
    if (entry.type() == COMMIT || entry.type() == ABORT) {
      if (settles) {
        forget(LogUtils.readPackedLong(numbers(item, 0)));
      }
    } else if (entry.type() >= DELETED_IN_TRANSACTION
        && entry.type() <= UPDATED
        && item.limit() > FLAG_BYTES) {
      record(entry, item, settles);
    }
  }

  private static ByteBuffer numbers(ByteBuffer item, int offset) {
    byte[] numbers = new byte[NUMBERS_BYTES];
    item.get(offset, numbers, 0, Math.min(NUMBERS_BYTES, item.limit() - offset));
    return ByteBuffer.wrap(numbers);
  }

  private void forget(long transaction) {
    List<Place> committed = open.remove(transaction);
    if (committed != null) {
      committed.forEach(written::remove);
      committed.forEach(deleted::remove);
    }
  }

  private void record(LogEntry entry, ByteBuffer item, boolean settles) {
    ByteBuffer numbers = numbers(item, FLAG_BYTES);
    long database = LogUtils.readPackedLong(numbers);
    Kind kind = kinds.getOrDefault(database, Kind.PACKETS);
    // In a transaction have odd types.
    boolean inTransaction = entry.type() % 2 == 1;
    if (item.limit() <= FLAG_BYTES + kind.keyBytes || settles && !inTransaction) {
      return;
    }
    byte[] key = new byte[kind.keyBytes];
    item.get(item.limit() - kind.keyBytes, key);
    Content content = content(kind, key);
    if (content == null) {
      return;
    }
    Place place = new Place(database, ByteBuffer.wrap(key));
    if (settles) {
      if ((item.get(0) & HAS_LSN) != 0) {
        LogUtils.readPackedLong(numbers);
      }
      long transaction = LogUtils.readPackedLong(numbers);
      open.computeIfAbsent(transaction, number -> new ArrayList<>()).add(place);
    }
    if (entry.type() <= DELETED) {
      written.remove(place);
      deleted.put(place, content);
    } else {
      deleted.remove(place);
      written.put(place, content);
    }
  }

  /** Null if it holds no messages. */
  private static Content content(Kind kind, byte[] bytes) {
    switch (kind) {
      case PACKETS -> {
        PacketKey key = PacketKey.of(bytes);
        return isPlausible(key)
            ? new Content(key.firstSequence(), key.endSequence() - 1, key.keep())
            : null;
      }
      case SIDE -> {
        SideKey key = SideKey.of(bytes);
        boolean counts = key.kind() != SideKey.DELIVERIES && !key.isTransient();
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

  /** The database may hold something else. */
  private static boolean isPlausible(PacketKey key) {
    return key.firstSequence() > 0
        && key.count() > 0
        && key.alive() <= key.count()
        && key.keep() > 0
        && key.keep() <= key.alive()
        && key.bytes() >= key.count() * (long) PacketCodec.MESSAGE_HEADER_BYTES;
  }

  public Map<Place, Content> written() {
    return written;
  }

  public Map<Place, Content> deleted() {
    return deleted;
  }
}
