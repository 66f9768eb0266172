package dev.weir.bench.cluster.peers;

import dev.weir.bench.verify.Verdict;
import java.io.Closeable;
import java.util.concurrent.CompletionStage;

/** A client of a replicated log, or of what is used as one, in processes of their own. */
interface PeerLog extends Closeable {

  /**
   * Appends a body behind those before; for one thread. It may block while the client's own window
   * is full.
   *
   * @return completes, on any thread, when the body is accepted as the row states
   */
  CompletionStage<?> append(byte[] body);

  /**
   * Reads back what was accepted.
   *
   * @param sent all bodies that were appended; each was accepted
   */
  Verdict verify(SentBodies sent) throws Exception;
}
