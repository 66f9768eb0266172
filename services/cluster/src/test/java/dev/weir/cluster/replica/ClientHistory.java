package dev.weir.cluster.replica;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the clients of a simulated group sent and what the group replied, and the judge of it. It
 * knows nothing but that: neither logs nor members.
 *
 * <p>The replies of {@link SimProcessor} give the order in which the messages for a register took
 * effect, so no order has to be searched for. The history is linearizable if that order is without
 * a repetition, each reply names the message before it, and no message stands before one that was
 * answered before it was first sent. Besides, all replies to a message are the same, and a message
 * is rejected that its handler throws at, and no other.
 */
final class ClientHistory {
  /** A message of a client. */
  static final class Message {
    private final long client;
    private final long sequence;
    private final int key;
    private final int fault;
    private final long sentNs;
    private long answeredNs = Long.MAX_VALUE;
    private Reply reply;

    private Message(long client, long sequence, int key, int fault, long sentNs) {
      this.client = client;
      this.sequence = sequence;
      this.key = key;
      this.fault = fault;
      this.sentNs = sentNs;
    }

    long sequence() {
      return sequence;
    }

    int key() {
      return key;
    }

    int fault() {
      return fault;
    }

    boolean isAnswered() {
      return answeredNs != Long.MAX_VALUE;
    }

    @Override
    public String toString() {
      return client + "/" + sequence;
    }
  }

  /**
   * To a message.
   *
   * @param number of messages for that register so far, this one included
   * @param clientBefore of the message before it; 0 for none
   */
  record Reply(long number, long clientBefore, long sequenceBefore) {
    /** The handler has thrown, so the message has no effect. */
    static final Reply REJECTED = new Reply(0, 0, 0);

    static Reply read(ByteBuffer buffer, int at) {
      return new Reply(
          buffer.getLong(at), buffer.getLong(at + Long.BYTES), buffer.getLong(at + 2 * Long.BYTES));
    }
  }

  private final SimWorld world;
  private final Map<Long, List<Message>> messages = new HashMap<>();

  ClientHistory(SimWorld world) {
    this.world = world;
  }

  /**
   * A client sends its next message for the first time.
   *
   * @param fault see {@link SimProcessor}; a message with one is rejected, all others are not
   */
  Message send(long client, int key, int fault, long nowNs) {
    List<Message> sent = messages.computeIfAbsent(client, id -> new ArrayList<>());
    Message message = new Message(client, sent.size() + 1, key, fault, nowNs);
    sent.add(message);
    return message;
  }

  /**
   * The group replies to a message; the reply may be lost.
   *
   * @return the message; null if it is of no client here
   */
  Message reply(long client, long sequence, Reply reply) {
    List<Message> sent = messages.get(client);
    if (sent == null) {
      return null;
    }
    Message message = sent.get((int) sequence - 1);
    world.require(
        message.reply == null || message.reply.equals(reply),
        () ->
            "all replies to " + message + " are the same, not " + message.reply + " and " + reply);
    world.require(
        reply.equals(Reply.REJECTED) == (message.fault != SimProcessor.NO_FAULT),
        () -> message + " is rejected if its handler throws, and only then");
    world.require(
        !isRejected(reply.clientBefore(), reply.sequenceBefore()),
        () -> message + " does not find what was rejected, " + reply);
    message.reply = reply;
    return message;
  }

  private boolean isRejected(long client, long sequence) {
    List<Message> sent = messages.get(client);
    return sent != null
        && sequence <= sent.size()
        && sent.get((int) sequence - 1).fault != SimProcessor.NO_FAULT;
  }

  /** A client gets the reply to a message. */
  void answer(Message message, long nowNs) {
    message.answeredNs = Math.min(message.answeredNs, nowNs);
  }

  /** Throws unless the history of each register is linearizable. */
  void check() {
    for (int key = 0; key < SimProcessor.KEYS; key++) {
      int register = key;
      check(
          messages.values().stream()
              .flatMap(List::stream)
              .filter(message -> message.key == register && message.fault == SimProcessor.NO_FAULT)
              .filter(message -> message.reply != null)
              .sorted(Comparator.comparingLong(message -> message.reply.number()))
              .toList());
    }
  }

  private void check(List<Message> inOrder) {
    long answeredNs = Long.MAX_VALUE;
    for (int i = inOrder.size() - 1; i >= 0; i--) {
      Message message = inOrder.get(i);
      world.require(
          message.sentNs <= answeredNs,
          () -> message + " took effect before a message that was answered before it was sent");
      answeredNs = Math.min(answeredNs, message.answeredNs);
      if (i > 0) {
        checkFollows(inOrder.get(i - 1), message);
      }
    }
  }

  private void checkFollows(Message before, Message message) {
    Reply reply = message.reply;
    world.require(
        before.reply.number() < reply.number(),
        () -> before + " and " + message + " took effect once each");
    boolean next = before.reply.number() + 1 == reply.number();
    boolean named =
        reply.clientBefore() == before.client && reply.sequenceBefore() == before.sequence;
    world.require(
        next == named, () -> message + " took effect after " + before + ", as its reply says");
  }
}
