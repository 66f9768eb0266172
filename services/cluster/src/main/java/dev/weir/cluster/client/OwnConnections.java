package dev.weir.cluster.client;

import dev.weir.cluster.HostPort;
import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The connections of one client. */
public final class OwnConnections implements MemberConnections {
  private final NetClient client;

  private OwnConnections(Vertx vertx, ProcessorClientOptions options) {
    this.client = vertx.createNetClient(ClientSecurity.net(options));
  }

  /** Creates a client of members whose addresses may change. */
  public static TcpProcessorClient client(
      Vertx vertx, ProcessorClientOptions options, Supplier<List<HostPort>> members) {
    Executor turns = TurnBatch.turns(vertx.getOrCreateContext(), Runnable::run);
    return new TcpProcessorClient(
        vertx, turns, options, members, new OwnConnections(vertx, options));
  }

  @Override
  public Future<ClientLink> connect(HostPort member) {
    return client.connect(member.port(), member.host()).map(SocketLink::new);
  }

  @Override
  public Future<Void> close() {
    return client.close();
  }
}
