package dev.weir.bench.persistence.store;

import java.io.Closeable;
import java.io.IOException;

/** Messages kept on disk in one way. One thread writes; readers may be used beside it. */
public interface MessageLog extends Closeable {

  /**
   * Adds a message to the commit under way.
   *
   * @param number of the message, from 0, rising by 1
   * @param message copied or written before the call returns
   */
  void append(long number, byte[] message) throws IOException;

  /** Ends the commit: all that was appended is as safe as the flush asks. */
  void commit() throws IOException;

  /** A reader at the first message. In {@link Shape#STORE} it reads the last state of each. */
  LogReader reader() throws IOException;

  /** Whether the log holds the last state of each object only, and not every message. */
  default boolean lastStatesOnly() {
    return false;
  }
}
