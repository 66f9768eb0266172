package dev.weir.cluster.client;

import dev.weir.cluster.MessageSink;
import dev.weir.cluster.ReplySink;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Listens for clients: a {@link ClientConnection} for each connection. */
public final class TcpClientEndpoint {
  private final Vertx vertx;
  private final Map<String, ServedGroup> groups = new ConcurrentHashMap<>();
  private NetServer server;

  public TcpClientEndpoint(Vertx vertx) {
    this.vertx = vertx;
  }

  public ReplySink replies(String group) {
    return groups.computeIfAbsent(group, name -> new ServedGroup());
  }

  public void serve(MessageSink group) {
    ((ServedGroup) replies(group.options().getName())).serve(group);
  }

  public Future<Integer> listen(String host, int port) {
    server =
        vertx
            .createNetServer(new NetServerOptions().setTcpNoDelay(true))
            .connectHandler(socket -> new ClientConnection(vertx, groups, socket).start());
    return server.listen(port, host).map(NetServer::actualPort);
  }

  public Future<Void> close() {
    return server == null ? Future.succeededFuture() : server.close();
  }
}
