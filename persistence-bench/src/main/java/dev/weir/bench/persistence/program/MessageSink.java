package dev.weir.bench.persistence.program;

import java.io.IOException;

/** A receiver of messages that are to be written. For one thread. */
interface MessageSink {

  /**
   * Takes the next message.
   *
   * @param startNs where its latency begins
   * @param message not kept
   * @param moreDue whether a further message is due already
   */
  void accept(long number, long startNs, byte[] message, boolean moreDue)
      throws IOException, InterruptedException;

  /** Commits what is open and waits until all is done. */
  void finish() throws IOException, InterruptedException;
}
