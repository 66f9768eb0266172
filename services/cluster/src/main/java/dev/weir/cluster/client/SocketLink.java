package dev.weir.cluster.client;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection of its own. */
record SocketLink(NetSocket socket) implements ClientLink {
  private static final Logger LOG = LoggerFactory.getLogger(SocketLink.class);

  @Override
  public void handler(Handler<Buffer> bytes) {
    socket.handler(bytes);
  }

  @Override
  public void closeHandler(Runnable closed) {
    socket.exceptionHandler(e -> LOG.debug("{}: {}", socket.remoteAddress(), e.toString()));
    socket.closeHandler(v -> closed.run());
  }

  @Override
  public Future<Void> write(Buffer bytes) {
    return socket.write(bytes);
  }

  @Override
  public boolean pause() {
    socket.pause();
    return true;
  }

  @Override
  public void resume() {
    socket.resume();
  }

  @Override
  public void close() {
    socket.close();
  }

  /**
   * With a Vert.x that has no such way, the connection stays for as long as the other side does not
   * read. Its client goes on without it, but waits for it when it closes.
   */
  @Override
  public void abort() {
    try {
      ((NetSocketInternal) socket).channelHandlerContext().close();
    } catch (LinkageError | ClassCastException e) {
      socket.close();
    }
  }

  @Override
  public void unanswered() {
    abort();
  }

  @Override
  public SocketAddress remoteAddress() {
    return socket.remoteAddress();
  }
}
