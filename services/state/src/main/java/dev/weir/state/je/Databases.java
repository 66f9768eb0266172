package dev.weir.state.je;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseNotFoundException;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogFiles;
import dev.weir.state.FactoryOptions;
import dev.weir.state.change.Batch;
import dev.weir.state.change.Change;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The databases of one open environment; they are closed with it. */
final class Databases {
  private static final Logger LOG = LoggerFactory.getLogger(Databases.class);
  private static final String META = "weir.meta";
  private static final String DOCUMENTS = "d.";
  private static final String INDEX = "i.";
  private static final String VERSIONS = "h.";
  private static final String CHANGES = "c.";

  private final Environment environment;

  /** Of each factory that was opened since the start, by name. */
  private final Map<String, FactoryOptions> options;

  private final Database meta;
  private final Map<String, FactoryTables> tables = new ConcurrentHashMap<>();

  /**
   * @param options of the factories by name; {@link #openFactory} adds to it
   */
  Databases(Environment environment, Map<String, FactoryOptions> options) {
    this.environment = environment;
    this.options = options;
    this.meta = environment.openDatabase(null, META, JeSettings.meta());
  }

  /** Opens the tables of a factory, and makes them those that its options ask for. */
  FactoryContent openFactory(String name, FactoryOptions asked) {
    if (asked.getChangeLogBytes() == 0) {
      removeLog(name);
    }
    FactoryMeta old = meta(null, name);
    FactoryMeta next = old.withFields(asked.getIndexes()).withDocuments(FactoryMeta.UNKNOWN);
    if (asked.getHistoryVersions() == 0) {
      remove(VERSIONS + name);
    }
    options.put(name, asked);
    FactoryTables opened = factory(name);
    IndexBuilder builder = new IndexBuilder(environment, opened);
    if (!next.equals(old)) {
      // First without all that is changed: a kill leaves no field that is indexed by half.
      putMeta(null, name, next.without(next.added(old)));
    }
    // Also the entries that a kill has left of a change before this one.
    next.unused().forEach(builder::remove);
    if (!next.equals(old)) {
      builder.add(next.added(old));
      putMeta(null, name, next);
    }
    ChangeTable changes = opened.changes();
    long lastChange = changes == null ? 0 : changes.lastAtStart();
    long documents = old.documents() == FactoryMeta.UNKNOWN ? opened.count() : old.documents();
    return new FactoryContent(next.floor(), next.indexFields(), lastChange, documents);
  }

  /** Keeps how many documents factories have, before they are closed; else they are counted. */
  void keepCounts(Map<String, Long> documents) {
    documents.forEach((name, count) -> putMeta(null, name, meta(null, name).withDocuments(count)));
  }

  /** Deletes the log of a factory; its positions never come again. */
  private void removeLog(String name) {
    long last;
    try (ChangeTable log = new ChangeTable(openExisting(CHANGES + name), 0, 0)) {
      last = log.lastAtStart();
    } catch (DatabaseNotFoundException e) {
      LOG.trace("there is no log of {}", name);
      return;
    }
    FactoryMeta old = meta(null, name);
    putMeta(null, name, old.withPosition(Math.max(last, old.position())));
    remove(CHANGES + name);
  }

  private Database openExisting(String database) {
    return environment.openDatabase(null, database, JeSettings.documents().setAllowCreate(false));
  }

  private void remove(String database) {
    try {
      environment.removeDatabase(null, database);
    } catch (DatabaseNotFoundException e) {
      LOG.trace("there is no {}", database);
    }
  }

  private FactoryMeta meta(Transaction transaction, String name) {
    DatabaseEntry value = new DatabaseEntry();
    LockMode mode = transaction == null ? LockMode.DEFAULT : LockMode.RMW;
    return meta.get(transaction, entry(name), value, mode) == OperationStatus.SUCCESS
        ? FactoryMeta.decode(value.getData())
        : FactoryMeta.NEW;
  }

  private void putMeta(Transaction transaction, String name, FactoryMeta value) {
    meta.put(transaction, entry(name), new DatabaseEntry(value.encode()));
  }

  /** The tables of a factory that was opened since the start. */
  FactoryTables factory(String name) {
    return tables.computeIfAbsent(name, this::openTables);
  }

  private FactoryTables openTables(String name) {
    FactoryOptions asked = options.get(name);
    VersionTable versions = null;
    if (asked.getHistoryVersions() > 0) {
      versions = new VersionTable(open(VERSIONS + name));
    }
    ChangeTable changes = null;
    if (asked.getChangeLogBytes() > 0) {
      long gone = meta(null, name).position();
      // A reader of the log that was deleted has missed changes, so its position is too old.
      long start = gone == 0 ? 0 : gone + 1;
      changes = new ChangeTable(open(CHANGES + name), asked.getChangeLogBytes(), start);
    }
    return new FactoryTables(open(DOCUMENTS + name), open(INDEX + name), versions, changes);
  }

  private Database open(String database) {
    return environment.openDatabase(null, database, JeSettings.documents());
  }

  /** Applies a batch in one transaction, which is committed to the operating system. */
  void commit(Batch batch) {
    Map<String, Long> floors = new HashMap<>();
    List<Runnable> committing = new ArrayList<>();
    Transaction transaction = environment.beginTransaction(null, null);
    boolean committed = false;
    try {
      for (Change change : batch.changes()) {
        factory(change.factory()).apply(transaction, change);
        if (change.floor() > 0) {
          floors.merge(change.factory(), change.floor(), Math::max);
        }
      }
      floors.forEach((name, floor) -> raiseFloor(transaction, name, floor));
      batch
          .logged()
          .forEach(
              (name, changes) -> {
                ChangeTable log = factory(name).changes();
                ChangeTable.Extent extent = log.append(transaction, changes);
                committing.add(() -> log.committed(extent));
              });
      transaction.commit(Durability.COMMIT_WRITE_NO_SYNC);
      committed = true;
      committing.forEach(Runnable::run);
    } finally {
      if (!committed) {
        abort(transaction);
      }
    }
  }

  private void raiseFloor(Transaction transaction, String name, long floor) {
    FactoryMeta old = meta(transaction, name);
    if (floor > old.floor()) {
      putMeta(transaction, name, old.withFloor(floor));
    }
  }

  private static void abort(Transaction transaction) {
    try {
      transaction.abort();
    } catch (RuntimeException e) {
      LOG.debug("aborting a transaction: {}", JeFiles.firstLine(e));
    }
  }

  private static DatabaseEntry entry(String text) {
    return new DatabaseEntry(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Closes all databases, whatever they say. */
  void close() {
    tables.values().forEach(LogFiles::closeQuietly);
    LogFiles.closeQuietly(meta);
  }
}
