package dev.weir.bench.cluster.injection;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps what it is offered until a test has it answered. */
final class Echo implements ProcessorUnderTest {
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private final Deque<Long> sequences = new ArrayDeque<>();
  private int capacity = Integer.MAX_VALUE;
  private int toReply;
  private long offered;

  void capacity(int messages) {
    capacity = messages;
  }

  /** The next poll brings so many replies. */
  Echo reply(int messages) {
    toReply += messages;
    return this;
  }

  int open() {
    return waiting.size();
  }

  /** Offers that were taken. */
  long offered() {
    return offered;
  }

  /** Forgets the oldest message. */
  void lose() {
    waiting.remove();
    sequences.remove();
  }

  /** Has the oldest message answered twice. */
  void duplicate() {
    waiting.addFirst(waiting.peek());
    sequences.addFirst(sequences.peek());
  }

  /** Changes the oldest message. */
  void corrupt() {
    waiting.peek()[0]++;
  }

  @Override
  public boolean offer(long sequence, ByteBuffer body, int offset, int length) {
    if (waiting.size() >= capacity) {
      return false;
    }
    byte[] bytes = new byte[length];
    body.get(offset, bytes);
    waiting.add(bytes);
    sequences.add(sequence);
    offered++;
    return true;
  }

  @Override
  public int poll(Replies replies) {
    int count = 0;
    for (; toReply > 0 && !waiting.isEmpty(); toReply--) {
      byte[] bytes = waiting.remove();
      replies.onReply(sequences.remove(), ByteBuffer.wrap(bytes), 0, bytes.length);
      count++;
    }
    return count;
  }

  @Override
  public void close() {
    waiting.clear();
  }
}
