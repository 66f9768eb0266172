package dev.weir.bench.persistence.store;

import java.io.Closeable;
import java.io.IOException;

/** Reads the records of a store, or the messages of a log, from the beginning. For one thread. */
public interface LogReader extends Closeable {

  /**
   * The next record or message, or null if there is none yet; a later call may find one.
   *
   * @return an array that the next call may overwrite
   * @throws IOException if what was read is not what was written, among others
   */
  byte[] next() throws IOException;

  /**
   * Skips the next record without reading its content.
   *
   * @return false if there is none
   */
  default boolean skip() throws IOException {
    return next() != null;
  }
}
