package dev.weir.gateway.limits;

import dev.weir.gateway.http.HeldBytes;
import dev.weir.options.ByteBudget;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The streams of a connection of HTTP/2 that are not closed. On its event loop. */
final class OpenStreams {
  private final WatchedConnection connection;
  private final Connections connections;
  private final Set<StreamWatch> open = new HashSet<>();

  /** Whether what waits to be encrypted is not seen below. */
  private final boolean encrypted;

  /** Null before the first request. */
  private ByteBudget heads;

  /** Actions of {@link #whenWritten}. */
  private final List<Runnable> unwritten = new ArrayList<>();

  /** Whether an empty write goes behind what was written, to tell when that is gone. */
  private boolean marked;

  OpenStreams(WatchedConnection connection, Connections connections) {
    this.connection = connection;
    this.connections = connections;
    this.encrypted = connection.channel.pipeline().get(SslHandler.class) != null;
  }

  static int id(HttpServerRequest request) {
    // An int in Vert.x 5.0, a long in 5.1.
    return Math.toIntExact(request.response().streamId());
  }

  /** The part of a budget that the heads of requests on this connection have together. */
  ByteBudget headsOf(ByteBudget all) {
    if (heads == null) {
      heads = all.part(all.limitBytes() / 2);
    }
    return heads;
  }

  /**
   * Watches a request until its stream is closed.
   *
   * @param closed run then
   */
  void watch(HttpServerRequest request, HeldBytes held, Runnable closed) {
    StreamWatch stream = new StreamWatch(request, held, connection.nowMs(), closed);
    open.add(stream);
    connection.progress.requestBegins();
    request.response().closeHandler(gone -> close(stream));
  }

  /**
   * Runs an action once all that was written before has gone to the system or is given up. Frames
   * of a stream that wait for that keep the stream with all its parts, though it is closed: the
   * client may have reset it.
   */
  void whenWritten(Runnable action) {
    if (!marked && isWritten()) {
      action.run();
      return;
    }
    unwritten.add(action);
    if (!marked) {
      mark();
    }
  }

  private boolean isWritten() {
    // Null if the channel is closed.
    ChannelOutboundBuffer buffer = connection.channel.unsafe().outboundBuffer();
    return buffer == null || !encrypted && buffer.totalPendingWriteBytes() == 0;
  }

  private void mark() {
    marked = true;
    int before = unwritten.size();
    context().write(Unpooled.EMPTY_BUFFER).addListener(written -> passed(before));
    connection.channel.eventLoop().execute(this::flushClosed);
  }

  /** Below the codec of HTTP/2, and above TLS. */
  private ChannelHandlerContext context() {
    return connection.channel.pipeline().context(connection);
  }

  private void passed(int count) {
    List<Runnable> actions = unwritten.subList(0, count);
    List<Runnable> due = List.copyOf(actions);
    actions.clear();
    marked = false;
    due.forEach(Runnable::run);
    if (!marked && !unwritten.isEmpty()) {
      mark();
    }
  }

  /**
   * What was written last of streams that are closed goes to the system now, and not after all
   * connections were read that can be read.
   */
  void flushClosed() {
    if (marked) {
      context().flush();
      // The first handler of the pipeline gathers flushes.
      connection.channel.pipeline().firstContext().flush();
    }
  }

  /** The connection is closed, and so are its streams. */
  void close() {
    List.copyOf(open).forEach(this::close);
  }

  private void close(StreamWatch stream) {
    if (open.remove(stream)) {
      connection.progress.requestEnds(connection.nowMs());
      stream.close();
    }
  }

  /** Resets those whose clients are too slow; closes the connection if a reset is not taken. */
  void resetSlow(long bodyTimeoutMs, long replyTimeoutMs) {
    long nowMs = connection.nowMs();
    for (StreamWatch stream : List.copyOf(open)) {
      Slowness slowness = stream.slowness(nowMs, bodyTimeoutMs, replyTimeoutMs);
      if (stream.isClosed()) {
        // Somebody has set another handler for the end of the stream.
        close(stream);
      } else if (slowness != null) {
        connections.slow(slowness);
        reset(stream.id(), Http2Error.CANCEL);
      } else if (stream.isStuck(nowMs, replyTimeoutMs)) {
        connections.slow(Slowness.WRITE);
        connection.closeNow();
        return;
      }
    }
  }

  /** Vert.x does not reset a stream whose response has ended. */
  private void reset(int stream, Http2Error error) {
    ChannelHandlerContext context =
        connection.channel.pipeline().context(Http2ConnectionHandler.class);
    ((Http2ConnectionHandler) context.handler())
        .resetStream(context, stream, error.code(), context.newPromise());
    context.flush();
  }

  /**
   * Has the codec make no further streams: some hundred can be in what was read together with that
   * for which the connection is closed, and would stay until all other connections have been read.
   */
  void refuseMore() {
    Http2ConnectionHandler handler =
        connection.channel.pipeline().get(Http2ConnectionHandler.class);
    if (handler == null) {
      return;
    }
    try {
      int last = handler.connection().remote().lastStreamCreated();
      handler.connection().goAwaySent(last, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER);
    } catch (Http2Exception e) {
      // It has sent one already, which has the same effect.
    }
  }

  /** Tells the client of an answered request not to send the rest of it: RFC 9113, 8.1. */
  void giveUpBody(int stream) {
    Http2ConnectionHandler handler =
        connection.channel.pipeline().get(Http2ConnectionHandler.class);
    Http2Stream answered = handler.connection().stream(stream);
    if (answered != null && answered.state().remoteSideOpen()) {
      reset(stream, Http2Error.NO_ERROR);
    }
  }
}
