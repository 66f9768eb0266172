package dev.weir.bench.cluster.injection;

import dev.weir.bench.load.RoundResult;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A processor as its driver sees it. One thread calls all methods but {@link #close}: the
 * processor's own thread or one of the driver. {@link #offer} and {@link #poll} never block.
 */
public interface ProcessorUnderTest extends AutoCloseable {

  /** A receiver of replies. */
  interface Replies {
    /**
     * Takes the reply to a message.
     *
     * @param sequence the number with which the message was offered
     * @param body contains the reply; valid during the call only, read by absolute access
     */
    void onReply(long sequence, ByteBuffer body, int offset, int length);
  }

  /**
   * Hands a message to the processor.
   *
   * @param sequence from 1 on without gaps, as long as the processor is open
   * @param body contains the message; the caller may reuse it after the call
   * @return false if the processor has no room; the caller offers the same message again
   */
  boolean offer(long sequence, ByteBuffer body, int offset, int length);

  /**
   * Does pending work and hands over the replies that have come.
   *
   * @return how many replies were handed over or steps were done; 0 for nothing
   */
  int poll(Replies replies);

  /** Batches that were written so far; 0 for a processor without batches. */
  default long batches() {
    return 0;
  }

  /** Runs a round and blocks the caller. By default the calling thread drives the processor. */
  default RoundResult run(Injection injection) throws InterruptedException {
    return injection.run(this);
  }

  @Override
  void close() throws IOException;
}
