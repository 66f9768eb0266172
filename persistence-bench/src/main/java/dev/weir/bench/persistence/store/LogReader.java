package dev.weir.bench.persistence.store;

import java.io.Closeable;
import java.io.IOException;

/** Reads a {@link MessageLog} from its beginning. For one thread. */
public interface LogReader extends Closeable {

  /**
   * The next message, or null if there is none yet; a later call may find one.
   *
   * @return an array that is overwritten by the next call
   * @throws IOException if what was read is not what was written, among others
   */
  byte[] next() throws IOException;

  /**
   * Skips the next record without reading its message.
   *
   * @return false if there is none
   */
  default boolean skip() throws IOException {
    return next() != null;
  }
}
