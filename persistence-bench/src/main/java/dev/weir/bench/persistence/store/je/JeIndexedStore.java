package dev.weir.bench.persistence.store.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.bench.persistence.store.LogSpec;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A JE environment with documents by key, and two indexes: a number that is unique, and a group.
 * The indexes are plain databases, written in the transaction of the document. JE's own secondary
 * databases would do the same, and would ask a key creator to decode each document.
 *
 * <p>One thread writes. Reads take no locks, and may find what is not committed yet.
 */
public final class JeIndexedStore implements Closeable {
  private static final String DOCUMENTS = "documents";
  private static final String NUMBERS = "numbers";
  private static final String GROUPS = "groups";
  private static final LockMode NO_LOCKS = LockMode.READ_UNCOMMITTED;
  private static final CursorConfig CURSOR =
      new CursorConfig().setReadUncommitted(true).setNonSticky(true);
  private static final int FAULT_READ_BYTES = 4 << 10;
  private static final byte[] NOTHING = {};

  private final Environment environment;
  private Database documents;
  private Database numbers;
  private Database groups;
  private Transaction transaction;

  /**
   * Opens the environment, without tables.
   *
   * @param cacheBytes heap for the nodes of the tables and for the documents
   */
  public JeIndexedStore(Path directory, LogSpec spec, long cacheBytes) {
    EnvironmentConfig config = JeStore.environmentConfig(spec);
    config.setCacheSize(cacheBytes);
    config.setConfigParam(
        EnvironmentConfig.LOG_FAULT_READ_SIZE, Integer.toString(FAULT_READ_BYTES));
    // Tables that were removed stay in the files: to clean them would take the CPU from what is
    // measured next.
    config.setConfigParam(EnvironmentConfig.ENV_RUN_CLEANER, "false");
    environment = new Environment(directory.toFile(), config);
  }

  /** Replaces the tables with empty ones; there must be no commit under way. */
  public void clear() {
    if (documents != null) {
      closeTables();
      environment.removeDatabase(null, DOCUMENTS);
      environment.removeDatabase(null, NUMBERS);
      environment.removeDatabase(null, GROUPS);
    }
    documents = open(DOCUMENTS);
    numbers = open(NUMBERS);
    groups = open(GROUPS);
  }

  private Database open(String name) {
    return environment.openDatabase(
        null,
        name,
        new DatabaseConfig().setAllowCreate(true).setTransactional(true).setKeyPrefixing(true));
  }

  /** Adds a document to the commit under way. */
  public void put(String key, byte[] body, long number, String group) {
    if (transaction == null) {
      transaction = environment.beginTransaction(null, null);
    }
    byte[] keyBytes = bytes(key);
    byte[] groupBytes = bytes(group);
    byte[] groupEntry =
        ByteBuffer.allocate(groupBytes.length + 1 + keyBytes.length)
            .put(groupBytes)
            .put((byte) 0)
            .put(keyBytes)
            .array();
    documents.put(transaction, new DatabaseEntry(keyBytes), new DatabaseEntry(body));
    numbers.put(transaction, number(number), new DatabaseEntry(keyBytes));
    groups.put(transaction, new DatabaseEntry(groupEntry), new DatabaseEntry(NOTHING));
  }

  /** Ends the commit: all documents that were put are in the operating system. */
  public void commit() {
    Transaction ended = transaction;
    transaction = null;
    ended.commit();
  }

  /** The key and the document of a number, if there is one. */
  public List<Map.Entry<String, byte[]>> find(long number) {
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry body = new DatabaseEntry();
    boolean found =
        numbers.get(null, number(number), key, NO_LOCKS) == OperationStatus.SUCCESS
            && documents.get(null, key, body, NO_LOCKS) == OperationStatus.SUCCESS;
    return found ? List.of(document(key, body)) : List.of();
  }

  /** Keys and documents from a number on, sorted by it. */
  public List<Map.Entry<String, byte[]>> findFrom(long number, int limit) {
    List<Map.Entry<String, byte[]>> found = new ArrayList<>(limit);
    DatabaseEntry entry = number(number);
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry body = new DatabaseEntry();
    try (Cursor index = numbers.openCursor(null, CURSOR);
        Cursor table = documents.openCursor(null, CURSOR)) {
      OperationStatus status = index.getSearchKeyRange(entry, key, NO_LOCKS);
      while (status == OperationStatus.SUCCESS
          && table.getSearchKey(key, body, NO_LOCKS) == OperationStatus.SUCCESS) {
        found.add(document(key, body));
        status =
            found.size() < limit ? index.getNext(entry, key, NO_LOCKS) : OperationStatus.NOTFOUND;
      }
    }
    return found;
  }

  private static Map.Entry<String, byte[]> document(DatabaseEntry key, DatabaseEntry body) {
    return Map.entry(new String(key.getData(), StandardCharsets.UTF_8), body.getData());
  }

  private static DatabaseEntry number(long number) {
    byte[] numberBytes = new byte[Long.BYTES];
    LogSpec.putKey(numberBytes, number);
    return new DatabaseEntry(numberBytes);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Documents that are in the table and in both indexes; reads all keys. */
  public long count() {
    return Math.min(documents.count(), Math.min(numbers.count(), groups.count()));
  }

  private void closeTables() {
    documents.close();
    numbers.close();
    groups.close();
  }

  @Override
  public void close() {
    try {
      if (transaction != null) {
        transaction.abort();
      }
      if (documents != null) {
        closeTables();
      }
    } finally {
      environment.close();
    }
  }
}
