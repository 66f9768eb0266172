package dev.weir.cluster.replica;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.replica.ClientHistory.Message;
import dev.weir.cluster.replica.ClientHistory.Reply;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Clients of a simulated group, which send again what is not answered. */
final class SimClients {
  private static final long MS = SimWorld.MS;
  private static final int CLIENTS = 2;
  private static final int WINDOW = 5;

  private static final class Client {
    private final long id;
    private final Deque<Message> open = new ArrayDeque<>();
    private SimProcess asked;

    Client(long id) {
      this.id = id;
    }
  }

  private final SimWorld world;
  private final SimGroup group;
  private final int bodyBytes;
  private final boolean rejects;

  /** How long a client may be idle; 0 if none is so for long. */
  private final long idleNs;

  private final ByteBuffer body;
  private final Map<Long, Client> clients = new HashMap<>();
  private ClientHistory history;
  private long lastId;

  SimClients(SimWorld world, SimGroup group, SimSettings settings) {
    this.world = world;
    this.group = group;
    bodyBytes = settings.bodyBytes();
    rejects = settings.rejects();
    idleNs = settings.idleMs() * MS;
    body = ByteBuffer.allocate(bodyBytes);
    begin();
  }

  /** Judges what was answered; new clients begin, for whom the state may be another. */
  void beginAnew() {
    check();
    clients.clear();
    begin();
  }

  private void begin() {
    history = new ClientHistory(world);
    for (int i = 0; i < CLIENTS; i++) {
      beginOne();
    }
  }

  private void beginOne() {
    Client client = new Client(++lastId);
    clients.put(client.id, client);
    work(client);
  }

  /** The group has forgotten what became of its messages: they are not sent again. */
  private void expire(Client client) {
    world.require(idleNs > 0, "client " + client.id + " is not forgotten");
    world.trace("CLIENT " + client.id + " HAS EXPIRED");
    clients.remove(client.id);
    world.after(0, this::beginOne);
  }

  private void work(Client client) {
    if (clients.get(client.id) != client) {
      return;
    }
    if (client.open.size() < WINDOW) {
      int key = world.random.nextInt(SimProcessor.KEYS);
      int fault = rejects && world.once(20) ? 1 + world.random.nextInt(2) : SimProcessor.NO_FAULT;
      client.open.add(history.send(client.id, key, fault, world.nowNs()));
    }
    if (client.asked == null || world.once(10)) {
      client.asked = group.anyProcess();
    }
    if (client.asked != null) {
      offerAll(client);
    }
    boolean idle = idleNs > 0 && world.once(100);
    long pauseNs = idle ? world.between(0, idleNs) : world.between(5 * MS, 60 * MS);
    world.after(pauseNs, () -> work(client));
  }

  private void offerAll(Client client) {
    SimProcess process = client.asked;
    if (!client.open.isEmpty() && world.once(3)) {
      process.release(client.id, client.open.peek().sequence());
    }
    boolean busy = false;
    for (Message message : client.open) {
      body.put(0, (byte) message.key()).put(1, (byte) message.fault());
      OfferResult result = process.offer(client.id, message.sequence(), body, bodyBytes);
      world.require(result != OfferResult.INVALID, () -> message + " is valid");
      world.require(result != OfferResult.FORGOTTEN, () -> "the reply to " + message + " is kept");
      world.require(
          result != OfferResult.GAP || busy, () -> message + " is the next of its client");
      busy |= result == OfferResult.BUSY || result == OfferResult.TOO_MANY_CLIENTS;
      if (result == OfferResult.SESSION_EXPIRED) {
        expire(client);
        break;
      }
      if (result == OfferResult.NOT_PRIMARY || result == OfferResult.UNAVAILABLE) {
        client.asked = null;
        break;
      }
    }
    process.flush();
  }

  /** A reply is on its way; some are lost. */
  void reply(long client, long sequence, Reply reply) {
    Message message = history.reply(client, sequence, reply);
    if (!world.once(20)) {
      world.after(world.between(0, 2 * MS), () -> answered(clients.get(client), message));
    }
  }

  /** Neither is null, unless the client began before an operator gave something up. */
  private void answered(Client client, Message message) {
    if (client != null && message != null) {
      history.answer(message, world.nowNs());
      client.open.removeIf(Message::isAnswered);
    }
  }

  /** Throws unless what was answered is linearizable. */
  void check() {
    history.check();
  }
}
