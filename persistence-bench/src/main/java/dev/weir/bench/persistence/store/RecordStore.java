package dev.weir.bench.persistence.store;

import java.io.Closeable;
import java.io.IOException;

/** Records kept on disk in one way. One thread writes; readers may be used beside it. */
public interface RecordStore extends Closeable {

  /**
   * Adds a record to the commit under way.
   *
   * @param key rising, but in {@link Shape#STORE} the number of an object
   * @param record its first {@code length} bytes are copied or written before the call returns
   */
  void put(long key, byte[] record, int length) throws IOException;

  /** Ends the commit: all that was put is as safe as the flush asks. */
  void commit() throws IOException;

  /** A reader at the first record. */
  LogReader reader() throws IOException;

  /** Whether the store holds the last record of each key only, and not every record. */
  default boolean replaces() {
    return false;
  }
}
