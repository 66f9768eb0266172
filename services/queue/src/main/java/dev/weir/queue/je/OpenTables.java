package dev.weir.queue.je;

import com.sleepycat.je.DatabaseEntry;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.segment.SegmentReference;
import dev.weir.queue.segment.Segments;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The tables of all queues in one JE environment, opened when they are first asked for. It lives as
 * long as its environment. Any thread.
 */
public final class OpenTables {
  private final Records.Source source;
  private final Segments segments;
  private final Map<Table, Map<String, Records>> open = new EnumMap<>(Table.class);

  /**
   * @param segments where packets may be that the tables refer to
   */
  OpenTables(Records.Source source, Segments segments) {
    this.source = source;
    this.segments = segments;
    for (Table table : Table.values()) {
      open.put(table, new ConcurrentHashMap<>());
    }
  }

  /** A table of a queue; created if it is absent and the environment can be written. */
  Records get(Table table, String queue) {
    Map<String, Records> byQueue = open.get(table);
    Records records = byQueue.get(queue);
    return records != null ? records : byQueue.computeIfAbsent(queue, name -> open(table, name));
  }

  private Records open(Table table, String queue) {
    Records records = source.open(table.nameFor(queue));
    return table == Table.PACKETS ? new PacketRecords(records, segments) : records;
  }

  /** Where packets may be that the tables refer to. */
  Segments segments() {
    return segments;
  }

  /**
   * Begins with the segments that were found.
   *
   * @param counted whether there may be references
   * @param closed whether the store was closed in order
   * @param isWhole whether the log is known to end where it did
   */
  void beginSegments(boolean counted, boolean closed, boolean isWhole) {
    Map<Integer, Long> references = new HashMap<>();
    if (counted) {
      for (String queue : queues()) {
        inSegments(queue).forEach((segment, count) -> references.merge(segment, count, Long::sum));
      }
    }
    segments.begin(references, closed, isWhole);
  }

  /** How many packets of a queue each segment has. */
  Map<Integer, Long> inSegments(String queue) {
    Map<Integer, Long> found = new HashMap<>();
    forEachKey(
        Table.PACKETS,
        queue,
        key -> {
          int segment = key.length == PacketKey.BYTES ? PacketKey.of(key).segment() : 0;
          if (segment != 0) {
            found.merge(segment, 1L, Long::sum);
          }
        });
    return found;
  }

  /**
   * Writes a packet to a segment if it is large enough; returns the key and the record to {@link
   * QueueTables#put}.
   *
   * @param leastForSegment the size from which on it is; 0 for no segment
   */
  public QueueTables.Read place(
      String queue,
      StoreTransaction transaction,
      PacketKey key,
      ByteBuffer packet,
      int leastForSegment) {
    return place(queue, transaction, key, packet, leastForSegment, Long.MAX_VALUE);
  }

  /**
   * The same for a queue with a budget.
   *
   * @param segmentBytes size at which a segment of the queue is full, if others may be larger
   */
  public QueueTables.Read place(
      String queue,
      StoreTransaction transaction,
      PacketKey key,
      ByteBuffer packet,
      int leastForSegment,
      long segmentBytes) {
    if (leastForSegment == 0 || packet.remaining() < leastForSegment) {
      return new QueueTables.Read(key, onHeap(packet));
    }
    SegmentReference place = segments.append(queue, packet, key.keep() > 0, segmentBytes);
    transaction.appended(place.segment());
    PacketKey placed = key.in(place.segment());
    return new QueueTables.Read(placed, PacketCodec.reference(placed, packet, place));
  }

  private static ByteBuffer onHeap(ByteBuffer packet) {
    if (packet.hasArray()) {
      return packet;
    }
    return ByteBuffer.allocate(packet.remaining()).put(packet.duplicate()).flip();
  }

  /**
   * The packet that a record holds or refers to, see {@link PacketCodec#resolve}.
   *
   * @param room gives a buffer of at least so many bytes
   */
  public ByteBuffer packet(QueueTables.Read record, IntFunction<ByteBuffer> room) {
    return PacketCodec.resolve(record.key(), record.value(), segments, room);
  }

  /** Whether a queue has a table. Most queues have only packets and progress. */
  public boolean has(Table table, String queue) {
    return open.get(table).containsKey(queue) || source.names().contains(table.nameFor(queue));
  }

  /** Creates the tables that every queue has. */
  public void create(String queue) {
    get(Table.PACKETS, queue);
    get(Table.PROGRESS, queue);
  }

  /** Names of all queues, sorted. */
  public List<String> queues() {
    return source.names().stream()
        .map(Table.PACKETS::queueOf)
        .filter(Objects::nonNull)
        .sorted()
        .toList();
  }

  /** Shows the keys of a table in order; does nothing if the queue does not have it. */
  public void forEachKey(Table table, String queue, Consumer<byte[]> each) {
    if (has(table, queue)) {
      try (TableCursor cursor = TableCursor.keys(get(table, queue), new byte[0])) {
        while (cursor.next()) {
          each.accept(cursor.key());
        }
      }
    }
  }

  /** See {@link ScheduleTable#releasedBefore}; for an environment that no store has open. */
  long releasedBefore(String queue) {
    if (!source.names().contains(JeFiles.META)) {
      return 0;
    }
    Records meta = source.open(JeFiles.META);
    try {
      return ScheduleTable.releasedBefore(meta, queue);
    } finally {
      LogFiles.closeQuietly(meta);
    }
  }

  /** Closes the tables of a queue; they are opened again when they are asked for. */
  void close(String queue) {
    open.values().forEach(byQueue -> LogFiles.closeQuietly(byQueue.remove(queue)));
  }

  void closeAll() {
    for (Map<String, Records> byQueue : open.values()) {
      byQueue.values().forEach(LogFiles::closeQuietly);
      byQueue.clear();
    }
  }

  /** The packets of a queue, wherever they are; what is put is a packet or a reference. */
  private record PacketRecords(Records records, Segments segments) implements Records {
    @Override
    public boolean get(DatabaseEntry key, DatabaseEntry value) {
      boolean found = records.get(key, value);
      if (found) {
        value.setData(resolve(bytes(key), bytes(value)));
      }
      return found;
    }

    private static byte[] bytes(DatabaseEntry entry) {
      int from = entry.getOffset();
      byte[] data = entry.getData();
      boolean isAll = from == 0 && entry.getSize() == data.length;
      return isAll ? data : Arrays.copyOfRange(data, from, from + entry.getSize());
    }

    private byte[] resolve(byte[] key, byte[] value) {
      boolean isKey = key.length == PacketKey.BYTES;
      if (!isKey) {
        return value;
      }
      ByteBuffer stored = ByteBuffer.wrap(value);
      return PacketCodec.resolve(PacketKey.of(key), stored, segments, ByteBuffer::allocate).array();
    }

    @Override
    public void put(StoreTransaction transaction, DatabaseEntry key, DatabaseEntry value) {
      records.put(transaction, key, value);
    }

    @Override
    public boolean delete(StoreTransaction transaction, DatabaseEntry key) {
      boolean deleted = records.delete(transaction, key);
      byte[] its = bytes(key);
      if (deleted && its.length == PacketKey.BYTES) {
        transaction.freed(PacketKey.of(its).segment(), 1);
      }
      return deleted;
    }

    @Override
    public TableCursor cursor(byte[] from, boolean withValues) {
      TableCursor cursor = records.cursor(from, withValues);
      return withValues ? new PacketCursor(cursor, this) : cursor;
    }

    @Override
    public void close() {
      LogFiles.closeQuietly(records);
    }
  }

  private record PacketCursor(TableCursor cursor, PacketRecords records) implements TableCursor {
    @Override
    public boolean next() {
      return cursor.next();
    }

    @Override
    public boolean previous() {
      return cursor.previous();
    }

    @Override
    public byte[] key() {
      return cursor.key();
    }

    @Override
    public byte[] value() {
      return records.resolve(cursor.key(), cursor.value());
    }

    @Override
    public byte[] stored() {
      return cursor.value();
    }

    @Override
    public long lsn() {
      return cursor.lsn();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
