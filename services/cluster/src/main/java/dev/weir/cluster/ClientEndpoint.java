package dev.weir.cluster;

import dev.weir.cluster.client.TcpClientEndpoint;
import dev.weir.options.Checks;
import dev.weir.options.OptionTypes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * The TCP port of a member at which {@link ProcessorClient}s reach its groups.
 *
 * <p>Requests of a connection are handled in their order, on event loops that are the endpoint's
 * own: one for each CPU. So no event loop of the user waits for a log.
 */
public final class ClientEndpoint {
  private final TcpClientEndpoint endpoint;

  /**
   * Creates an endpoint, which does not listen yet.
   *
   * @param vertx the futures of this class complete on its contexts
   */
  public ClientEndpoint(Vertx vertx) {
    this.endpoint = new TcpClientEndpoint(Checks.notNull("vertx", vertx));
  }

  /**
   * Creates an endpoint whose clients come by TLS, or have to know a secret, as the options of the
   * member say.
   *
   * @param node {@link NodeOptions#setTlsCertificates} is what clients are shown, and {@link
   *     NodeOptions#setSecretFile} what they have to know; both may be null
   * @throws IllegalArgumentException if the file of the secret cannot be used
   */
  public ClientEndpoint(Vertx vertx, NodeOptions node) {
    this.endpoint =
        new TcpClientEndpoint(
            Checks.notNull("vertx", vertx), Checks.notNull("node", node).validate());
  }

  /**
   * Returns the reply sink with which a group must be started. It sends replies to the clients that
   * are connected.
   *
   * @param group name of the group
   */
  public ReplySink replies(String group) {
    return endpoint.replies(OptionTypes.name("group", group));
  }

  /** Accepts requests for a group that was started with {@link #replies}. */
  public void serve(MessageSink group) {
    endpoint.serve(group);
  }

  /**
   * Begins to listen.
   *
   * @param port 0 for any free port
   * @return the port; fails if the address is in use
   */
  public Future<Integer> listen(String host, int port) {
    return endpoint.listen(host, port);
  }

  /** Closes all connections and ends the event loops. */
  public Future<Void> close() {
    return endpoint.close();
  }
}
