package dev.weir.gateway.vertx50;

import dev.weir.gateway.limits.Connections;
import dev.weir.gateway.limits.RequestDecoder;
import dev.weir.gateway.limits.ServerMaker;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.Http1xOrH2CHandler;
import io.vertx.core.http.impl.HttpServerImpl;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetServerImpl;
import io.vertx.core.net.impl.NetServerInternal;
import io.vertx.core.spi.transport.Transport;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * An HTTP server whose connections are seen when they are accepted, and before their first byte of
 * HTTP. Vert.x itself tells of a connection only when its first request has come, so that one that
 * sends nothing, or a byte now and then, could be neither counted nor closed.
 */
public final class GuardedServer implements ServerMaker {
  private static final RequestDecoder.Installer DECODERS =
      new RequestDecoder.Installer() {
        @Override
        public boolean isUndecided(ChannelPipeline pipeline) {
          return pipeline.get(Http1xOrH2CHandler.class) != null;
        }

        @Override
        public RequestDecoder install(
            ChannelPipeline pipeline,
            HttpServerOptions options,
            RequestDecoder.Sender sender,
            byte first) {
          return StrictRequestDecoder.install(pipeline, options, sender, first);
        }
      };

  @Override
  public HttpServer create(Vertx vertx, HttpServerOptions options, Connections connections) {
    // Fails here, and not at the first connection, if a Vert.x has no such decoder.
    List.of(Http1xOrH2CHandler.class, StrictRequestDecoder.class);
    VertxInternal guarded =
        new GuardedVertx(
            (VertxInternal) vertx,
            connections::arrive,
            channel -> connections.admit(channel, options, DECODERS));
    return new HttpServerImpl(guarded, options)
        .connectionHandler(connections::speaks)
        .exceptionHandler(connections::failed);
  }

  /** Gives the HTTP server the TCP server on which it works, and that one what makes its socket. */
  private static final class GuardedVertx extends VertxWrapper {
    private final Predicate<Channel> arrival;
    private final Consumer<Channel> admission;

    GuardedVertx(VertxInternal vertx, Predicate<Channel> arrival, Consumer<Channel> admission) {
      super(vertx);
      this.arrival = arrival;
      this.admission = admission;
    }

    @Override
    public NetServerInternal createNetServer(NetServerOptions options) {
      return new GuardedNetServer(this, options.copy(), admission);
    }

    @Override
    public Transport transport() {
      return new GuardedTransport(delegate.transport(), arrival);
    }
  }

  private static final class GuardedNetServer extends NetServerImpl {
    private final Consumer<Channel> admission;

    GuardedNetServer(VertxInternal vertx, NetServerOptions options, Consumer<Channel> admission) {
      super(vertx, options);
      this.admission = admission;
    }

    @Override
    public synchronized NetServerInternal connectHandler(Handler<NetSocket> handler) {
      return super.connectHandler(
          socket -> {
            admission.accept(((NetSocketInternal) socket).channelHandlerContext().channel());
            handler.handle(socket);
          });
    }
  }
}
