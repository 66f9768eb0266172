package dev.weir.queue.offline;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Goes through the records of a table in a closed directory, past those that cannot be read. */
final class RecordScan {
  private static final int KEYS_AT_ONCE = 512;

  /** Told what is found. */
  interface Sink {
    /**
     * @param lsn place in the log
     * @param value null if it cannot be read
     * @return false to see no more
     */
    boolean record(byte[] key, long lsn, ByteBuffer value);

    /** Neither what is behind this key can be found, nor how much it is. */
    void unreachable(byte[] after);
  }

  /** A record whose value has not been read. */
  record Place(byte[] key, long lsn) {}

  private final OfflineFiles files;
  private final Supplier<Database> table;
  private final LongPredicate unreadable;

  /**
   * @param table asked again when the files were opened anew
   * @param unreadable tells of a place in the log (an LSN) that there is no use in reading it,
   *     which spares opening the files anew for each record of it
   */
  RecordScan(OfflineFiles files, Supplier<Database> table, LongPredicate unreadable) {
    this.files = files;
    this.table = table;
    this.unreadable = unreadable;
  }

  /** Shows all records from a key on. */
  void run(byte[] first, Sink sink) {
    byte[] from = first;
    while (true) {
      List<Place> places = new ArrayList<>(KEYS_AT_ONCE);
      boolean broken = false;
      try {
        keys(from, places);
      } catch (DatabaseException e) {
        files.revive();
        broken = true;
      }
      for (Place place : places) {
        if (!sink.record(place.key, place.lsn, read(place))) {
          return;
        }
      }
      byte[] last = places.isEmpty() ? from : places.get(places.size() - 1).key;
      if (broken) {
        sink.unreachable(last);
        return;
      }
      if (places.size() < KEYS_AT_ONCE) {
        return;
      }
      // The next larger key there can be.
      from = Arrays.copyOf(last, last.length + 1);
    }
  }

  private void keys(byte[] from, List<Place> places) {
    DatabaseEntry key = new DatabaseEntry(from);
    DatabaseEntry none = new DatabaseEntry();
    none.setPartial(0, 0, true);
    try (Cursor cursor = table.get().openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, none, LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS) {
        places.add(new Place(key.getData(), OfflineFiles.lsnOf(cursor)));
        if (places.size() == KEYS_AT_ONCE) {
          return;
        }
        status = cursor.getNext(key, none, LockMode.READ_UNCOMMITTED);
      }
    }
  }

  /** The value, or null if it cannot be read. */
  ByteBuffer read(Place place) {
    if (unreadable.test(place.lsn)) {
      return null;
    }
    DatabaseEntry value = new DatabaseEntry();
    try {
      OperationStatus status =
          table.get().get(null, new DatabaseEntry(place.key), value, LockMode.READ_UNCOMMITTED);
      return status == OperationStatus.SUCCESS ? ByteBuffer.wrap(value.getData()) : null;
    } catch (DatabaseException e) {
      files.revive();
      return null;
    }
  }
}
