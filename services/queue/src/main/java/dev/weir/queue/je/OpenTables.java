package dev.weir.queue.je;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.Environment;
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
  private final Environment environment;
  private final DatabaseConfig config;
  private final Map<Table, Map<String, Database>> open = new EnumMap<>(Table.class);

  OpenTables(Environment environment, DatabaseConfig config) {
    this.environment = environment;
    this.config = config;
    for (Table table : Table.values()) {
      open.put(table, new ConcurrentHashMap<>());
    }
  }

  /** A table of a queue; created if it is absent and the environment can be written. */
  Database get(Table table, String queue) {
    Map<String, Database> byQueue = open.get(table);
    Database database = byQueue.get(queue);
    return database != null ? database : byQueue.computeIfAbsent(queue, name -> open(table, name));
  }

  private Database open(Table table, String queue) {
    return environment.openDatabase(null, table.nameFor(queue), config);
  }

  /** Whether a queue has a table. Most queues have only packets and progress. */
  public boolean has(Table table, String queue) {
    return open.get(table).containsKey(queue)
        || environment.getDatabaseNames().contains(table.nameFor(queue));
  }

  /** Creates the tables that every queue has. */
  public void create(String queue) {
    get(Table.PACKETS, queue);
    get(Table.PROGRESS, queue);
  }

  /** Names of all queues, sorted. */
  public List<String> queues() {
    return environment.getDatabaseNames().stream()
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

  /** Closes the tables of a queue; they are opened again when they are asked for. */
  void close(String queue) {
    open.values().forEach(byQueue -> JeFiles.closeQuietly(byQueue.remove(queue)));
  }

  void closeAll() {
    for (Map<String, Database> byQueue : open.values()) {
      byQueue.values().forEach(JeFiles::closeQuietly);
      byQueue.clear();
    }
  }
}
