package dev.weir.cluster;

import dev.weir.cluster.client.OwnConnections;
import dev.weir.cluster.client.SharedConnections;
import dev.weir.cluster.client.TcpProcessorClient;
import dev.weir.options.Checks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Sends requests to the primary of a group, and has each applied once. When a primary is lost,
 * requests without a reply are sent again to the next one, in order and with the same sequence
 * numbers.
 *
 * <p>Replies come in the order of requests, except to requests that were sent again: the group may
 * have stored the reply to one of them while it still waits to send that to an earlier one.
 *
 * <p>Any thread may use a client. Futures complete on its Vert.x context.
 */
public final class ProcessorClient {
  private final TcpProcessorClient client;

  private ProcessorClient(TcpProcessorClient client) {
    this.client = client;
  }

  /**
   * Creates a client. It connects when it is first used, and again as often as needed.
   *
   * @throws IllegalArgumentException if the options name no member
   */
  public static ProcessorClient create(Vertx vertx, ProcessorClientOptions options) {
    if (options.getMembers().isEmpty()) {
      throw new IllegalArgumentException("members is empty, allowed is at least one host:port");
    }
    List<HostPort> members = options.getMembers().stream().map(HostPort::of).toList();
    return create(vertx, options, () -> members);
  }

  /**
   * Creates a client of members whose addresses may change, or are not known yet. Otherwise as
   * {@link #create(Vertx, ProcessorClientOptions)}.
   *
   * @param options their members are ignored
   * @param members where the members take clients, as far as that is known; asked at each attempt
   *     to connect, on the client's context
   */
  public static ProcessorClient create(
      Vertx vertx, ProcessorClientOptions options, Supplier<List<HostPort>> members) {
    return new ProcessorClient(
        OwnConnections.client(vertx, options, Checks.notNull("members", members)));
  }

  /**
   * Creates a client of each of several groups. They have one event loop, and share one connection
   * to each member: so requests to many groups are written together. Each is to be closed; the last
   * one closes the connections.
   *
   * @param options of all clients; their group and members are ignored
   * @param members where the members of each group take clients, by the name of the group, as for
   *     {@link #create(Vertx, ProcessorClientOptions, Supplier)}
   * @return by the name of the group, in the order given
   */
  public static Map<String, ProcessorClient> createAll(
      Vertx vertx, ProcessorClientOptions options, Map<String, Supplier<List<HostPort>>> members) {
    Map<String, ProcessorClient> all = new LinkedHashMap<>();
    SharedConnections.clients(vertx, options, Checks.notNull("members", members))
        .forEach((group, client) -> all.put(group, new ProcessorClient(client)));
    return all;
  }

  /** The id by which the group knows this client. */
  public long clientId() {
    return client.clientId();
  }

  /**
   * Number of requests that were sent again since the client was created: after a connection was
   * lost or silent, or when the group could not accept a request.
   */
  public long sentAgain() {
    return client.sentAgain();
  }

  /**
   * Sends a request. The future completes with the reply once as many replicas as the group demands
   * hold the request, however many members fail before that.
   *
   * <p>The future fails if the window is full, if the client is closed, or if the group refuses the
   * request for ever. The group refuses all requests of a client whose earlier requests it has
   * forgotten.
   *
   * @param body must not be changed until the future completes
   */
  public Future<Buffer> send(Buffer body) {
    return client.send(body, TcpProcessorClient.NO_TIMEOUT);
  }

  /**
   * Sends a request as {@link #send(Buffer)} does, and gives up after a time. Then the future fails
   * with a {@link RequestTimeoutException}. A request that was not written yet is never sent. In
   * place of one that was, an empty request is sent from then on, because its number must not be
   * missing: so a processor of such clients takes an empty message for none.
   *
   * @param timeoutMs 1 or more; measured in steps of an eighth of a second, or smaller ones if
   *     {@code connectTimeoutMs} or {@code silenceMs} is below half a second
   */
  public Future<Buffer> send(Buffer body, long timeoutMs) {
    return client.send(body, Checks.range("timeoutMs", timeoutMs, 1, TcpProcessorClient.MAX_MS));
  }

  /** Closes the client; requests without a reply fail. */
  public Future<Void> close() {
    return client.close();
  }
}
