package dev.weir.cluster.replica;

/** Client and sequence of each message that is not committed yet, in the order of positions. */
final class PendingReplies {
  private static final int INITIAL = 1 << 10;

  private long[] clients = new long[INITIAL];
  private long[] sequences = new long[INITIAL];
  private long first;
  private long end;

  /** Removes all; the next message has this position. */
  void reset(long position) {
    first = position;
    end = position;
  }

  void add(long clientId, long sequence) {
    if (end - first == clients.length) {
      grow();
    }
    int index = index(end++);
    clients[index] = clientId;
    sequences[index] = sequence;
  }

  /** Position of the first uncommitted message. */
  long first() {
    return first;
  }

  /** Position behind the last. */
  long end() {
    return end;
  }

  long clientId() {
    return clients[index(first)];
  }

  long sequence() {
    return sequences[index(first)];
  }

  void removeFirst() {
    first++;
  }

  boolean contains(long clientId, long sequence) {
    for (long position = first; position < end; position++) {
      int index = index(position);
      if (clients[index] == clientId && sequences[index] == sequence) {
        return true;
      }
    }
    return false;
  }

  boolean contains(long clientId) {
    for (long position = first; position < end; position++) {
      if (clients[index(position)] == clientId) {
        return true;
      }
    }
    return false;
  }

  private int index(long position) {
    return (int) (position & clients.length - 1);
  }

  private void grow() {
    long[] moreClients = new long[clients.length * 2];
    long[] moreSequences = new long[clients.length * 2];
    for (long position = first; position < end; position++) {
      int index = (int) (position & moreClients.length - 1);
      moreClients[index] = clients[index(position)];
      moreSequences[index] = sequences[index(position)];
    }
    clients = moreClients;
    sequences = moreSequences;
  }
}
