package dev.weir.queue.je;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The tables of all queues in one JE environment, opened when they are first asked for. It lives as
 * long as its environment. Any thread.
 */
public final class OpenTables {
  private final Records.Source source;
  private final Map<Table, Map<String, Records>> open = new EnumMap<>(Table.class);

  OpenTables(Records.Source source) {
    this.source = source;
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
    return source.open(table.nameFor(queue));
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
      JeFiles.closeQuietly(meta);
    }
  }

  /** Closes the tables of a queue; they are opened again when they are asked for. */
  void close(String queue) {
    open.values().forEach(byQueue -> JeFiles.closeQuietly(byQueue.remove(queue)));
  }

  void closeAll() {
    for (Map<String, Records> byQueue : open.values()) {
      byQueue.values().forEach(JeFiles::closeQuietly);
      byQueue.clear();
    }
  }
}
