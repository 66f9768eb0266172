package dev.weir.gateway;

import io.netty.channel.Channel;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerImpl;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetServerImpl;
import io.vertx.core.net.impl.NetServerInternal;
import java.util.function.Predicate;

/**
 * An HTTP server whose connections are seen before their first byte. Vert.x itself tells of a
 * connection only when its first request has come, so that one that sends nothing, or a byte now
 * and then, could be neither counted nor closed.
 */
final class GuardedServer {
  private GuardedServer() {}

  /**
   * @param admission asked on the connection's event loop; false closes it
   */
  static HttpServer create(Vertx vertx, HttpServerOptions options, Predicate<Channel> admission) {
    return new HttpServerImpl(new GuardedVertx((VertxInternal) vertx, admission), options);
  }

  /** Gives the HTTP server the TCP server on which it works. */
  private static final class GuardedVertx extends VertxWrapper {
    private final Predicate<Channel> admission;

    GuardedVertx(VertxInternal vertx, Predicate<Channel> admission) {
      super(vertx);
      this.admission = admission;
    }

    @Override
    public NetServerInternal createNetServer(NetServerOptions options) {
      return new GuardedNetServer(delegate, options.copy(), admission);
    }
  }

  private static final class GuardedNetServer extends NetServerImpl {
    private final Predicate<Channel> admission;

    GuardedNetServer(VertxInternal vertx, NetServerOptions options, Predicate<Channel> admission) {
      super(vertx, options);
      this.admission = admission;
    }

    @Override
    public synchronized NetServerInternal connectHandler(Handler<NetSocket> handler) {
      return super.connectHandler(
          socket -> {
            Channel channel = ((NetSocketInternal) socket).channelHandlerContext().channel();
            if (admission.test(channel)) {
              handler.handle(socket);
            } else {
              channel.close();
            }
          });
    }
  }
}
