package dev.weir.cluster.client;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.MessageSink;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A group, and the latest connection of each client that sends it requests. Any thread. */
final class ServedGroup implements ReplySink {
  private final Map<Long, ClientConnection> clients = new ConcurrentHashMap<>();

  /** Connections with requests for which the group had no room. */
  private final Queue<ClientConnection> waiting = new ConcurrentLinkedQueue<>();

  private volatile MessageSink group;
  private volatile int maxMessageBytes;
  private volatile int creditRequests;
  private volatile long creditBytes;
  private volatile long clientExpiryMs;

  void serve(MessageSink served) {
    GroupOptions options = served.options();
    maxMessageBytes = options.getMaxMessageBytes();
    creditRequests = options.getReplyWindow();
    clientExpiryMs = options.getClientExpiryMs();
    // Twice what the group has on the way, so that one client can keep it busy.
    creditBytes =
        2L * options.getMaxBatches() * options.getBatchBytes() + 2L * options.getMaxMessageBytes();
    group = served;
  }

  boolean isServed() {
    return group != null;
  }

  MessageSink group() {
    return group;
  }

  int maxMessageBytes() {
    return maxMessageBytes;
  }

  /** Requests of one connection that may be without a reply. */
  int creditRequests() {
    return creditRequests;
  }

  /** Bytes of requests of one connection that may be without a reply. */
  long creditBytes() {
    return creditBytes;
  }

  /** The group remembers a client for so long after its last message, or longer. */
  long clientExpiryMs() {
    return clientExpiryMs;
  }

  /**
   * Sends replies to a client over this connection from now on, unless it has made a later one:
   * what is left of a connection that it has given up may be read after that.
   */
  void use(long clientId, ClientConnection connection) {
    clients.merge(clientId, connection, ClientConnection::later);
  }

  /** Clients to which replies are sent. */
  int clients() {
    return clients.size();
  }

  void leave(long clientId, ClientConnection connection) {
    clients.remove(clientId, connection);
  }

  /** Has a connection offer its requests again when the group may have room. */
  void await(ClientConnection connection) {
    waiting.add(connection);
  }

  /**
   * There may be room. Called for each reply: a look at the head of an empty queue, which costs
   * nothing beside the reply.
   */
  private void wakeWaiting() {
    for (ClientConnection next = waiting.poll(); next != null; next = waiting.poll()) {
      next.wake();
    }
  }

  @Override
  public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    answer(ClientFrames.REPLY, clientId, sequence, buffer, offset, length);
  }

  @Override
  public void onRejected(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    answer(OfferResult.REJECTED.ordinal(), clientId, sequence, buffer, offset, length);
  }

  private void answer(
      int kind, long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    ClientConnection connection = clients.get(clientId);
    if (connection != null) {
      byte[] body = new byte[length];
      buffer.get(offset, body);
      connection.answer(ClientFrames.answer(kind, clientId, sequence, length).appendBytes(body));
    }
    wakeWaiting();
  }

  @Override
  public void onRole(Role role, long epoch) {
    wakeWaiting();
  }
}
