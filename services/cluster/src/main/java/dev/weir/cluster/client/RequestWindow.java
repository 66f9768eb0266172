package dev.weir.cluster.client;

import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The requests of a client that have no reply yet, in order of their sequence numbers. The last of
 * them may not have been written to the current connection. Not thread-safe.
 */
final class RequestWindow {
  /** A request without a reply. */
  record Request(long sequence, Buffer body, Promise<Buffer> reply) {}

  private final int size;
  private final ArrayDeque<Request> unanswered = new ArrayDeque<>();

  /** The last of the unanswered requests: those not written to the current connection. */
  private final ArrayDeque<Request> unwritten = new ArrayDeque<>();

  private long nextSequence;

  /** The highest sequence number written to any connection. */
  private long lastWritten;

  /** Read by any thread. */
  private volatile long resent;

  /**
   * @param size requests that may be without a reply
   */
  RequestWindow(int size, long firstSequence) {
    this.size = size;
    this.nextSequence = firstSequence;
    this.lastWritten = firstSequence - 1;
  }

  boolean isFull() {
    return unanswered.size() >= size;
  }

  boolean isEmpty() {
    return unanswered.isEmpty();
  }

  /** Number of requests that were written again, on the same or another connection; any thread. */
  long resent() {
    return resent;
  }

  /** Adds a request with the next sequence number. */
  void add(Buffer body, Promise<Buffer> reply) {
    Request request = new Request(nextSequence++, body, reply);
    unanswered.add(request);
    unwritten.add(request);
  }

  /** Has all requests written again, from the first one without a reply on. */
  void rewind() {
    unwritten.clear();
    unwritten.addAll(unanswered);
  }

  /**
   * Returns the next request to write; null if there is none, or it is a whole window ahead of the
   * oldest. That one may have to be sent again, and the group keeps the replies of one window only.
   */
  Request nextToWrite() {
    Request next = unwritten.peek();
    if (next == null || next.sequence - unanswered.peek().sequence >= size) {
      return null;
    }
    if (next.sequence > lastWritten) {
      lastWritten = next.sequence;
    } else {
      resent = resent + 1;
    }
    return unwritten.poll();
  }

  boolean isOldest(long sequence) {
    return !unanswered.isEmpty() && unanswered.peek().sequence == sequence;
  }

  /** Removes the request with this sequence number; null if it has a reply already. */
  Request remove(long sequence) {
    // Replies come in the order of requests, except to those that were sent again.
    if (isOldest(sequence)) {
      return unanswered.poll();
    }
    for (Iterator<Request> each = unanswered.iterator(); each.hasNext(); ) {
      Request request = each.next();
      if (request.sequence == sequence) {
        each.remove();
        return request;
      }
    }
    return null;
  }

  /** Removes and fails all requests. */
  void failAll(String reason) {
    unanswered.forEach(request -> request.reply.fail(reason));
    unanswered.clear();
    unwritten.clear();
  }
}
