package dev.weir.cluster.client;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;

/**
 * What a client and a member exchange frames over: a connection, or a stream of one that several
 * clients share. On its Vert.x context.
 */
interface ClientLink {
  /** Sets who gets the bytes that arrive; before any has. */
  void handler(Handler<Buffer> bytes);

  /** Sets what is called once when the other side has closed, or the connection is lost. */
  void closeHandler(Runnable closed);

  /** Completes when the bytes are handed to the operating system. */
  Future<Void> write(Buffer bytes);

  /** Reads no more until {@link #resume}; false if it cannot, because others share it. */
  boolean pause();

  void resume();

  /** Closes when what was written before is sent. */
  void close();

  /** Closes without waiting for the other side to read what was written. */
  void abort();

  /** Closes at once, because the other side has said nothing since this was opened. */
  void unanswered();

  SocketAddress remoteAddress();
}
