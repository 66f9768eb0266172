package dev.weir.bench.persistence.queue;

import dev.weir.bench.verify.Verdict;
import java.io.Closeable;

/**
 * A durable queue under test. Its messages have rising numbers; it checks those that it gives back:
 * each once, in order, intact. For one thread.
 */
interface PeerQueue extends Closeable {

  /**
   * Sends the next messages as fast as the window allows and waits until all are accepted.
   *
   * @return the time it took, in nanoseconds
   */
  long append(long count) throws Exception;

  /**
   * Takes, checks and acknowledges so many messages.
   *
   * @return the time it took, in nanoseconds
   */
  long drain(long count) throws Exception;

  /** The verdict when all messages have been taken. */
  Verdict verdict() throws Exception;
}
