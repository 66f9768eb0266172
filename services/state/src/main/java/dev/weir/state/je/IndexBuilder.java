package dev.weir.state.je;

import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.Transaction;
import dev.weir.state.change.Records;
import dev.weir.state.index.IndexField;
import dev.weir.state.index.IndexFields;
import dev.weir.state.table.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes and removes the entries of fields when a factory is opened, many in a transaction. What it
 * does is the same when it is done twice, so after a kill it is done again.
 */
final class IndexBuilder {
  private static final int ENTRIES_IN_TRANSACTION = 1_000;
  private static final byte[] NOTHING = {};

  private final Environment environment;
  private final FactoryTables tables;
  private final List<byte[]> waiting = new ArrayList<>();

  IndexBuilder(Environment environment, FactoryTables tables) {
    this.environment = environment;
    this.tables = tables;
  }

  /** Adds the entries of fields for all documents. */
  void add(IndexFields fields) {
    if (fields.isEmpty()) {
      return;
    }
    tables.scanDocuments(
        (key, record) -> {
          waiting.addAll(Records.fieldEntries(fields, key, Records.decode(record)));
          if (waiting.size() >= ENTRIES_IN_TRANSACTION) {
            write(false);
          }
        });
    write(false);
  }

  /** Removes all entries of a field. */
  void remove(IndexField field) {
    byte[] prefix = field.prefix();
    do {
      waiting.clear();
      tables.scanIndex(
          new Range(prefix, null, false),
          entry ->
              Arrays.equals(entry, 0, prefix.length, prefix, 0, prefix.length)
                  && waiting.add(entry)
                  && waiting.size() < ENTRIES_IN_TRANSACTION);
    } while (write(true));
  }

  /** Whether there was something to write. */
  private boolean write(boolean deletes) {
    if (waiting.isEmpty()) {
      return false;
    }
    Transaction transaction = environment.beginTransaction(null, null);
    boolean committed = false;
    try {
      for (byte[] entry : waiting) {
        if (deletes) {
          tables.index().delete(transaction, new DatabaseEntry(entry));
        } else {
          tables.index().put(transaction, new DatabaseEntry(entry), new DatabaseEntry(NOTHING));
        }
      }
      transaction.commit();
      committed = true;
    } finally {
      if (!committed) {
        transaction.abort();
      }
      waiting.clear();
    }
    return true;
  }
}
