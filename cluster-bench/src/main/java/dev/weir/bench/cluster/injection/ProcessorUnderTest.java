package dev.weir.bench.cluster.injection;

import dev.weir.bench.load.RoundResult;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The processor as its driver sees it. All methods but {@link #close} are called by one thread,
 * that of the processor itself or one of the driver; none blocks.
 */
public interface ProcessorUnderTest extends AutoCloseable {

  /** Takes replies. */
  interface Replies {
    /**
     * The reply to a message.
     *
     * @param sequence as offered
     * @param body holds other things too; valid during the call, accessed absolutely
     */
    void onReply(long sequence, ByteBuffer body, int offset, int length);
  }

  /**
   * Hands a message to the processor.
   *
   * @param sequence from 1 on without gaps, as long as the processor lives
   * @param body holds other things too; free again after the call
   * @return false if it cannot be taken at the moment: the same is offered again
   */
  boolean offer(long sequence, ByteBuffer body, int offset, int length);

  /**
   * Does what there is to do, and hands over the replies that have come.
   *
   * @return how much was done; 0 for nothing
   */
  int poll(Replies replies);

  /** Runs a round, blocking the caller; by default on the calling thread, which polls. */
  default RoundResult run(Injection injection) throws InterruptedException {
    return injection.run(this);
  }

  @Override
  void close() throws IOException;
}
