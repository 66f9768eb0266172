package dev.weir.cluster.replica;

import dev.weir.cluster.OfferResult;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Clients of a simulated group, which send again what is not answered, and the judge of what they
 * were answered.
 *
 * <p>The replies give the order in which the messages for a register took effect. Their history is
 * linearizable if that order is without a gap or a repetition, each reply names the message before
 * it, and no message stands before one that was answered before it was first sent.
 */
final class SimClients {
  private static final long MS = SimWorld.MS;
  private static final int CLIENTS = 2;
  private static final int WINDOW = 5;

  private static final class Message {
    private final long client;
    private final long sequence;
    private final int key;
    private final long sentNs;
    private long answeredNs = Long.MAX_VALUE;
    private long number;
    private long clientBefore;
    private long sequenceBefore;

    Message(long client, long sequence, int key, long sentNs) {
      this.client = client;
      this.sequence = sequence;
      this.key = key;
      this.sentNs = sentNs;
    }

    boolean isAnswered() {
      return answeredNs != Long.MAX_VALUE;
    }

    @Override
    public String toString() {
      return client + "/" + sequence;
    }
  }

  private static final class Client {
    private final long id;
    private final Deque<Message> open = new ArrayDeque<>();
    private long sequence;
    private SimProcess asked;

    Client(long id) {
      this.id = id;
    }
  }

  private final SimWorld world;
  private final SimGroup group;
  private final int bodyBytes;
  private final ByteBuffer body;
  private final List<Message> messages = new ArrayList<>();
  private final Map<Long, Client> clients = new HashMap<>();
  private long lastId;

  SimClients(SimWorld world, SimGroup group, int bodyBytes) {
    this.world = world;
    this.group = group;
    this.bodyBytes = bodyBytes;
    this.body = ByteBuffer.allocate(bodyBytes);
    begin();
  }

  /** Judges what was answered; new clients begin, for whom the state may be another. */
  void beginAnew() {
    check();
    messages.clear();
    clients.clear();
    begin();
  }

  private void begin() {
    for (int i = 0; i < CLIENTS; i++) {
      Client client = new Client(++lastId);
      clients.put(client.id, client);
      work(client);
    }
  }

  private void work(Client client) {
    if (clients.get(client.id) != client) {
      return;
    }
    if (client.open.size() < WINDOW) {
      int key = world.random.nextInt(SimProcessor.KEYS);
      Message message = new Message(client.id, ++client.sequence, key, world.nowNs());
      client.open.add(message);
      messages.add(message);
    }
    if (client.asked == null || world.once(10)) {
      client.asked = group.anyProcess();
    }
    if (client.asked != null) {
      offerAll(client);
    }
    world.after(world.between(5 * MS, 60 * MS), () -> work(client));
  }

  private void offerAll(Client client) {
    SimProcess process = client.asked;
    for (Message message : client.open) {
      body.put(0, (byte) message.key);
      OfferResult result = process.offer(client.id, message.sequence, body, bodyBytes);
      world.require(result != OfferResult.INVALID, message + " is valid");
      world.require(result != OfferResult.FORGOTTEN, "the reply to " + message + " is kept");
      if (result == OfferResult.NOT_PRIMARY || result == OfferResult.UNAVAILABLE) {
        client.asked = null;
        break;
      }
    }
    process.flush();
  }

  /** A reply is on its way; some are lost. */
  void reply(long client, long sequence, ByteBuffer buffer, int at) {
    long number = buffer.getLong(at);
    long clientBefore = buffer.getLong(at + Long.BYTES);
    long sequenceBefore = buffer.getLong(at + 2 * Long.BYTES);
    if (!world.once(20)) {
      world.after(
          world.between(0, 2 * MS),
          () -> answered(client, sequence, number, clientBefore, sequenceBefore));
    }
  }

  private void answered(long id, long sequence, long number, long before, long beforeSequence) {
    Client client = clients.get(id);
    if (client == null) {
      return;
    }
    for (Message message : client.open) {
      if (message.sequence == sequence) {
        message.answeredNs = world.nowNs();
        message.number = number;
        message.clientBefore = before;
        message.sequenceBefore = beforeSequence;
      }
    }
    client.open.removeIf(Message::isAnswered);
  }

  /** Throws unless the history of each register is linearizable. */
  void check() {
    for (int key = 0; key < SimProcessor.KEYS; key++) {
      int register = key;
      List<Message> answered =
          messages.stream()
              .filter(message -> message.key == register && message.isAnswered())
              .sorted(Comparator.comparingLong(message -> message.number))
              .toList();
      long answeredNs = Long.MAX_VALUE;
      for (int i = answered.size() - 1; i >= 0; i--) {
        Message message = answered.get(i);
        world.require(
            message.sentNs <= answeredNs,
            message + " took effect before a message that was answered before it was sent");
        answeredNs = Math.min(answeredNs, message.answeredNs);
        checkFollows(i == 0 ? null : answered.get(i - 1), message);
      }
    }
  }

  private void checkFollows(Message before, Message message) {
    if (before != null) {
      world.require(
          before.number < message.number, before + " and " + message + " took effect once each");
      boolean next = before.number + 1 == message.number;
      boolean named =
          message.clientBefore == before.client && message.sequenceBefore == before.sequence;
      world.require(
          next == named, message + " took effect after " + before + ", as its reply says");
    }
  }

  int answered() {
    return (int) messages.stream().filter(Message::isAnswered).count();
  }
}
