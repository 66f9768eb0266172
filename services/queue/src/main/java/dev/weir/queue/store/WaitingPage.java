package dev.weir.queue.store;

import dev.weir.queue.WaitingMessage;
import java.util.List;
import java.util.TreeMap;

/**
 * The first waiting messages from a sequence on, by sequence, collected in any order. Holds a
 * limited number of messages and bytes, and one message at least.
 */
final class WaitingPage<T> {
  private static final long MAX_BYTES = 4 << 20;

  private final TreeMap<Long, WaitingMessage<T>> messages = new TreeMap<>();
  private final long from;
  private final int max;
  private long bytes;
  private long end = Long.MAX_VALUE;

  WaitingPage(long from, int max) {
    this.from = from;
    this.max = max;
  }

  long from() {
    return from;
  }

  /** Sequence behind the page: no message from it on is part of it; the largest number for none. */
  long end() {
    return end;
  }

  List<WaitingMessage<T>> messages() {
    return List.copyOf(messages.values());
  }

  /** Adds a message if it is one of the first. */
  void add(WaitingMessage<T> message) {
    if (message.sequence() < from || message.sequence() >= end) {
      return;
    }
    WaitingMessage<T> other = messages.put(message.sequence(), message);
    bytes += message.sizeBytes() - (other == null ? 0 : other.sizeBytes());
    while (messages.size() > max || bytes > MAX_BYTES && messages.size() > 1) {
      WaitingMessage<T> last = messages.pollLastEntry().getValue();
      bytes -= last.sizeBytes();
      end = last.sequence();
    }
  }
}
