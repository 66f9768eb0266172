package dev.weir.state.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.state.DocumentVersion;
import dev.weir.state.change.KeptVersion;
import dev.weir.state.change.KeptVersions;
import dev.weir.state.change.State;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The table of the versions that a factory keeps of its documents. */
final class VersionTable implements Closeable {
  private final Database table;

  VersionTable(Database table) {
    this.table = table;
  }

  /** Adds the versions that a change keeps, and deletes those that are too old. */
  void apply(Transaction transaction, byte[] key, KeptVersions kept) {
    for (KeptVersion each : kept.added()) {
      table.put(
          transaction,
          new DatabaseEntry(KeptVersion.key(key, each.state().version())),
          new DatabaseEntry(each.encode()));
    }
    byte[] end = KeptVersion.key(key, Math.max(0, kept.from()));
    DatabaseEntry found = new DatabaseEntry(KeptVersion.key(key, 0));
    DatabaseEntry nothing = part(0);
    try (Cursor cursor = table.openCursor(transaction, null)) {
      OperationStatus status = cursor.getSearchKeyRange(found, nothing, LockMode.RMW);
      while (status == OperationStatus.SUCCESS
          && Arrays.compareUnsigned(found.getData(), end) < 0) {
        cursor.delete();
        status = cursor.getNext(found, nothing, LockMode.RMW);
      }
    }
  }

  /**
   * A version; null if it is not kept. Takes no locks, so the caller asks for what is committed
   * only.
   */
  State get(byte[] key, long version) {
    DatabaseEntry tableKey = new DatabaseEntry(KeptVersion.key(key, version));
    DatabaseEntry value = new DatabaseEntry();
    return table.get(null, tableKey, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS
        ? KeptVersion.decode(value.getData()).state()
        : null;
  }

  /** The versions of a key up to one that is committed, the newest first; takes no locks. */
  List<DocumentVersion> list(byte[] key, long last) {
    List<DocumentVersion> versions = new ArrayList<>();
    byte[] end = KeptVersion.key(key, last);
    DatabaseEntry found = new DatabaseEntry(KeptVersion.key(key, 0));
    DatabaseEntry time = part(KeptVersion.TIME_BYTES);
    try (Cursor cursor = table.openCursor(null, CursorConfig.READ_UNCOMMITTED)) {
      OperationStatus status = cursor.getSearchKeyRange(found, time, null);
      while (status == OperationStatus.SUCCESS
          && Arrays.compareUnsigned(found.getData(), end) <= 0) {
        long version = KeptVersion.versionOf(found.getData());
        versions.add(new DocumentVersion(version, KeptVersion.timeOf(time.getData())));
        status = cursor.getNext(found, time, null);
      }
    }
    Collections.reverse(versions);
    return versions;
  }

  /** Receives the first bytes of a value. */
  private static DatabaseEntry part(int bytes) {
    DatabaseEntry entry = new DatabaseEntry();
    entry.setPartial(0, bytes, true);
    return entry;
  }

  @Override
  public void close() {
    table.close();
  }
}
