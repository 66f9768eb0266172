package dev.weir.gateway.limits;

import dev.weir.gateway.LimitOptions;
import dev.weir.options.ByteBudget;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerConnection;

/** Where the bytes of a connection come in. */
public final class WatchedConnection extends ChannelDuplexHandler implements RequestDecoder.Sender {
  private static final AttributeKey<WatchedConnection> KEY =
      AttributeKey.valueOf(WatchedConnection.class, "watch");

  /** More requests of a client that does not wait for answers are decoded later. */
  private static final int MAX_REQUESTS_AHEAD = 8;

  public final Channel channel;
  final ConnectionProgress progress;
  private final Connections connections;
  private final HttpServerOptions server;
  private final WriteStall stall = new WriteStall();
  private final HeadBytes heads;

  /** Null once it is known whether the client speaks HTTP/1 or HTTP/2. */
  private RequestDecoder.Installer undecided;

  /** Null unless this is a connection of HTTP/1. */
  private RequestDecoder decoder;

  /** True while requests of HTTP/1 wait in the decoder, and nothing more is read. */
  private boolean stopped;

  /** The first byte of the connection, once there is one. */
  private Byte first;

  /** Null before the connection may become a WebSocket. */
  private volatile SocketBytes socketBytes;

  private Runnable refused;

  /** True while messages of a WebSocket would only gather here. */
  private boolean paused;

  /** What a WebSocket's client has sent. */
  private final FrameGate frames = new FrameGate(() -> paused);

  /** True from the moment when this side closes the WebSocket for what its client sends. */
  private boolean refusing;

  /** True while the client may be sending what nobody will read if the connection is closed. */
  private boolean sendsOn;

  /** Not null while the connection is closed and its client may still send. */
  private LingeringClose lingering;

  /** The open streams of HTTP/2. */
  final OpenStreams streams;

  /** Null before a request that shares this connection with others. */
  private ByteBudget share;

  /**
   * @param decoders null if the pipeline is complete, with a decoder of its own
   */
  WatchedConnection(
      Channel channel,
      Connections connections,
      HttpServerOptions server,
      RequestDecoder.Installer decoders) {
    this.channel = channel;
    this.connections = connections;
    this.server = server;
    this.undecided = decoders;
    this.progress = new ConnectionProgress(connections.nowMs());
    this.heads = new HeadBytes(connections.heads());
    this.streams = new OpenStreams(this, connections);
    channel.attr(KEY).set(this);
    channel.closeFuture().addListener(closed -> heads.release());
    if (decoders == null) {
      keepBuffersSmall();
    }
  }

  /** What the heads of its requests over HTTP/1 take. */
  @Override
  public HeadBytes heads() {
    return heads;
  }

  /** Whether the next request over HTTP/1 has to wait until {@link #answered}. */
  @Override
  public boolean mustWait() {
    if (channel.isWritable() && progress.requests() < MAX_REQUESTS_AHEAD) {
      return false;
    }
    stopped = true;
    channel.config().setAutoRead(false);
    progress.headWaits();
    return true;
  }

  /** A request over HTTP/1 has its answer. */
  void answered() {
    heads.answered();
    if (stopped) {
      channel.eventLoop().execute(this::readOn);
    }
  }

  private void readOn() {
    if (!stopped || lingering != null || !channel.isActive()) {
      return;
    }
    try {
      decoder.readOn();
    } catch (Exception e) {
      channel.pipeline().fireExceptionCaught(e);
    }
    // With more requests than one, Vert.x does not read either, and would keep what comes.
    if (!decoder.isWaiting() && progress.requests() <= 1) {
      stopped = false;
      channel.config().setAutoRead(true);
    }
  }

  /** A client of HTTP/2 that does not take its answers is not read: they would gather here. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (progress.isHttp2()) {
      channel.config().setAutoRead(lingering != null || channel.isWritable());
    } else if (channel.isWritable() && stopped) {
      channel.eventLoop().execute(this::readOn);
    }
    context.fireChannelWritabilityChanged();
  }

  public static WatchedConnection of(HttpConnection connection) {
    return channel(connection).attr(KEY).get();
  }

  static Channel channel(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext().channel();
  }

  /** Called when the codecs of the connection have changed. */
  public void keepBuffersSmall() {
    SmallBuffers.of(channel.pipeline());
  }

  long nowMs() {
    return connections.nowMs();
  }

  /**
   * The part of a budget that requests which are on this connection at the same time may have
   * together: half of it, so that one client does not take all.
   *
   * @param minBytes the part has as many at least
   */
  ByteBudget shareOf(ByteBudget bodies, long minBytes) {
    if (share == null) {
      share = bodies.part(Math.max(bodies.limitBytes() / 2, minBytes));
    }
    return share;
  }

  /**
   * Counts the bytes of incomplete messages once this connection is a WebSocket. Only the first
   * call has an effect: a client may ask for a WebSocket many times before it gets one.
   *
   * @param refused run when the connection is closed because there is no room
   */
  void charge(ByteBudget budget, Runnable refused) {
    if (socketBytes != null) {
      return;
    }
    SocketBytes bytes = new SocketBytes(budget);
    this.socketBytes = bytes;
    this.refused = refused;
    channel
        .closeFuture()
        .addListener(
            closed -> {
              bytes.release();
              frames.release();
            });
  }

  /**
   * Reads no more of a WebSocket, or reads on if there is room: Vert.x alone would take some
   * messages more that nobody counts. On the event loop, after Vert.x was told the same.
   */
  public void pause(boolean pause) {
    paused = pause;
    if (!paused && frames.isWaiting()) {
      channel.eventLoop().execute(this::passOn);
    }
    boolean room = socketBytes == null || !socketBytes.isStalled();
    boolean ready = !paused && !frames.isWaiting() && room && !refusing;
    channel.config().setAutoRead(lingering != null || ready);
  }

  /**
   * Called when a frame of a WebSocket is complete and is about to be passed to Vert.x.
   *
   * @return false if it must not be passed on, because its message is too long and the socket is
   *     being closed; Vert.x would only lose the message
   */
  boolean frameCame(WebSocketFrame frame) {
    sendsOn &= !(frame instanceof CloseWebSocketFrame);
    if (socketBytes == null) {
      return true;
    }
    boolean data = !(frame instanceof PingWebSocketFrame || frame instanceof PongWebSocketFrame);
    long message =
        socketBytes.frame(frame.content().readableBytes(), data, frame.isFinalFragment());
    if (message > server.getMaxWebSocketMessageSize()) {
      closeSocket(WebSocketCloseStatus.MESSAGE_TOO_BIG);
    }
    return !refusing;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    if (lingering != null) {
      lingering.discard((ByteBuf) bytes);
      return;
    }
    progress.bytesCame(connections.nowMs());
    if (stopped && decoder.isWaiting()) {
      // Vert.x may read on when it has handled a body.
      channel.config().setAutoRead(false);
    }
    if (progress.isWebSocket() && socketBytes != null) {
      readSocket(context, (ByteBuf) bytes);
    } else if (undecided != null) {
      decide(context, (ByteBuf) bytes);
    } else {
      context.fireChannelRead(bytes);
    }
  }

  private void readSocket(ChannelHandlerContext context, ByteBuf bytes) {
    boolean room = socketBytes.came(bytes.readableBytes(), connections.nowMs());
    if (!room || paused) {
      channel.config().setAutoRead(false);
    }
    if (!room && socketBytes.isOverdrawn()) {
      // What it sends from now on is discarded, so that it can read why.
      bytes.release();
      refuseSocket();
    } else {
      frames.pass(context, bytes);
    }
  }

  private void passOn() {
    if (lingering == null && channel.isActive()) {
      frames.passOn(channel.pipeline().context(this));
      pause(paused);
    }
  }

  /**
   * Gives the room of the streams back when the codec has given up the streams, not when the
   * channel is closed: the codec is told after all other connections were read that can be read.
   */
  @Override
  public void channelInactive(ChannelHandlerContext context) {
    context.fireChannelInactive();
    streams.close();
  }

  /**
   * Vert.x makes the pipeline when the first bytes tell HTTP/1 from HTTP/2. It gets them one by
   * one, so that there is a moment after that and before the first request.
   */
  private void decide(ChannelHandlerContext context, ByteBuf bytes) {
    ChannelPipeline pipeline = context.pipeline();
    if (first == null && bytes.isReadable()) {
      first = bytes.getByte(bytes.readerIndex());
    }
    while (bytes.isReadable() && undecided.isUndecided(pipeline)) {
      context.fireChannelRead(bytes.readRetainedSlice(1));
    }
    if (!undecided.isUndecided(pipeline)) {
      decoder = undecided.install(pipeline, server, this, first);
      undecided = null;
      UpgradeFilter.install(pipeline, connections.isUpgradeAllowed());
      keepBuffersSmall();
    }
    if (bytes.isReadable()) {
      context.fireChannelRead(bytes);
    } else {
      bytes.release();
    }
  }

  /**
   * Called by any thread; looks twice, the second time where nothing changes meanwhile.
   *
   * @param replyTimeoutMs how long a reply over HTTP/2 may wait for its client
   */
  void closeIfSlow(LimitOptions limits, long replyTimeoutMs) {
    SocketBytes bytes = socketBytes;
    if (bytes != null && (bytes.isStalled() || bytes.isIncomplete())) {
      channel.eventLoop().execute(() -> readOn(bytes, limits));
    }
    if (progress.slowness(nowMs(), limits) != null
        || progress.hasStreams()
        || !channel.isWritable()) {
      channel.eventLoop().execute(() -> closeIfReallySlow(limits, replyTimeoutMs));
    }
  }

  private void readOn(SocketBytes bytes, LimitOptions limits) {
    if (refusing || lingering != null || !channel.isActive()) {
      return;
    }
    boolean stalled = bytes.isStalled();
    boolean reads = channel.config().isAutoRead();
    if (bytes.isOverdue(reads, nowMs(), limits.getBodyTimeoutMs())) {
      refuseSocket();
    } else if (stalled && !bytes.isStalled()) {
      pause(paused);
    }
  }

  private void refuseSocket() {
    refused.run();
    closeSocket(WebSocketCloseStatus.TRY_AGAIN_LATER);
  }

  /** Tells the client why, once. */
  void closeSocket(WebSocketCloseStatus status) {
    if (!refusing) {
      refusing = true;
      HttpWatch.closeSocket(channel, status);
    }
  }

  /** The client speaks HTTP/2 or has a WebSocket, or has not ended a request that is refused. */
  void mustLinger() {
    sendsOn = true;
  }

  /** All codecs and Vert.x close by this, {@link #closeNow} does not. */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (lingering == null && sendsOn && channel.isActive()) {
      lingering = new LingeringClose(context);
      lingering.begin();
    }
    if (lingering == null) {
      context.close(promise);
    } else {
      lingering.whenClosed(promise);
    }
  }

  /** From the head of the pipeline: further up it would wait for what the client does not take. */
  void closeNow() {
    streams.refuseMore();
    channel.pipeline().firstContext().close();
  }

  private void closeIfReallySlow(LimitOptions limits, long replyTimeoutMs) {
    streams.resetSlow(limits.getBodyTimeoutMs(), replyTimeoutMs);
    if (!channel.config().isAutoRead()) {
      progress.bodyMustWait(nowMs());
    }
    if (paused) {
      // What the client sends to stay is not read.
      progress.frame(nowMs());
    }
    Slowness slowness = progress.slowness(nowMs(), limits);
    if (stall.isOver(channel, nowMs(), limits.getWriteTimeoutMs())) {
      slowness = Slowness.WRITE;
    }
    if (slowness != null && channel.isActive()) {
      connections.slow(slowness);
      closeNow();
    }
  }
}
