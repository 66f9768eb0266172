package dev.weir.cluster.client;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.RequestRefusedException;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The requests of a client that have no reply yet, in order. A request gets its sequence number
 * when it is first written. It is written only within the credit that the member gave: so the group
 * never has to refuse a request for want of room. Not thread-safe.
 */
final class RequestWindow {
  /** A request may be on its way for the other half of the time. */
  private static final int WAYS_PER_EXPIRY = 2;

  /** For so long a request that is over waits for a member to say that it did not take it. */
  private static final long LAST_ANSWER_NS = TimeUnit.SECONDS.toNanos(1);

  /** A request without a reply. */
  static final class Request {
    private final Promise<Buffer> reply;

    /** Empty once nobody waits for the reply. */
    private Buffer body;

    /** When its sender gives up; only if it is {@link #isTimed}. */
    private long deadlineNs;

    private boolean isTimed;

    /** Its sender waits no more; only its number is needed. */
    private boolean givenUp;

    /** Of the last write. */
    private int writtenBytes;

    /** 0 until the request is first written. */
    private long sequence;

    /** Writes of the request that no member has answered: the group may have handled each. */
    private int openWrites;

    /** When the first of these was. */
    private long openSinceNs;

    /** Whether the request was written to the current connection. */
    private boolean inFlight;

    Request(Buffer body, Promise<Buffer> reply) {
      this.body = body;
      this.reply = reply;
    }

    long sequence() {
      return sequence;
    }

    Buffer body() {
      return body;
    }

    Promise<Buffer> reply() {
      return reply;
    }

    private int bytes() {
      return ClientFrames.REQUEST_HEADER_BYTES + body.length();
    }

    private boolean isOver(long nowNs) {
      return isTimed && !givenUp && nowNs - deadlineNs >= 0;
    }

    private boolean isNotNeeded() {
      return givenUp && sequence == 0;
    }
  }

  private final int size;
  private final LongSupplier clockNs;
  private final ArrayDeque<Request> unanswered = new ArrayDeque<>();

  /** The last of the unanswered requests: those not written to the current connection. */
  private final ArrayDeque<Request> unwritten = new ArrayDeque<>();

  private long nextSequence;

  /** Requests that may be without a reply on the current connection. */
  private int creditRequests;

  /** Bytes of requests that may be without a reply on the current connection. */
  private long creditBytes;

  private int maxMessageBytes = Integer.MAX_VALUE;

  /** For so long a request may be written again: the group remembers the first write meanwhile. */
  private long rememberedNs = Long.MAX_VALUE;

  private long bytesInFlight;

  /**
   * Why the group takes no requests; null if it took the last one. A primary that has too few in
   * sync is told of although its client tries the other members too.
   */
  private OfferResult takesNone = OfferResult.NOT_PRIMARY;

  /** Numbers begin with 1 again when no request has one. */
  private boolean anew;

  /** Read by any thread. */
  private volatile long resent;

  /**
   * @param size requests that may be without a reply
   */
  RequestWindow(int size, long firstSequence) {
    this(size, firstSequence, System::nanoTime);
  }

  RequestWindow(int size, long firstSequence, LongSupplier clockNs) {
    this.size = size;
    this.clockNs = clockNs;
    this.nextSequence = firstSequence;
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

  /**
   * @param timeoutMs 0 for a request that is never given up
   */
  void add(Buffer body, long timeoutMs, Promise<Buffer> reply) {
    Request request = new Request(body, reply);
    if (timeoutMs > 0) {
      request.isTimed = true;
      request.deadlineNs = clockNs.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }
    unanswered.add(request);
    unwritten.add(request);
  }

  /**
   * Begins a connection: all requests are written again, from the first one without a reply on.
   *
   * @param requests that may be without a reply on the connection
   * @param bytes of requests that may be without a reply on the connection; one is always allowed
   * @param maxBytes largest body that the group takes; larger ones fail
   * @param expiryMs for so long the group remembers at least that it handled a request
   */
  void begin(int requests, long bytes, int maxBytes, long expiryMs) {
    creditRequests = Math.min(size, requests);
    creditBytes = bytes;
    maxMessageBytes = maxBytes;
    rememberedNs = TimeUnit.MILLISECONDS.toNanos(expiryMs) / WAYS_PER_EXPIRY;
    rewind();
  }

  /** The member of the current connection is lost, or the next one is not reached. */
  void noPrimary() {
    if (takesNone != OfferResult.UNAVAILABLE) {
      takesNone = OfferResult.NOT_PRIMARY;
    }
  }

  /**
   * Fails the requests whose time is over. Those that have a number stay, without their bodies:
   * numbers have no gaps.
   */
  void giveUp() {
    long nowNs = clockNs.getAsLong();
    Request oldest = unanswered.peek();
    // While the group takes none, an answer can only say so: then the outcome is certain.
    boolean isUndecided =
        oldest != null
            && takesNone != null
            && oldest.openWrites > 0
            && !oldest.isOver(nowNs - LAST_ANSWER_NS);
    List<Request> over =
        unanswered.stream()
            .filter(request -> request.isOver(nowNs) && !(isUndecided && request == oldest))
            .toList();
    for (Request request : over) {
      request.givenUp = true;
      request.body = Buffer.buffer();
    }
    if (!over.isEmpty()) {
      unanswered.removeIf(Request::isNotNeeded);
      unwritten.removeIf(Request::isNotNeeded);
      over.forEach(each -> Refusals.giveUp(each, each.openWrites > 0, takesNone));
    }
  }

  /** Has all requests written again, from the first one without a reply on. */
  void rewind() {
    unwritten.clear();
    unwritten.addAll(unanswered);
    unanswered.forEach(request -> request.inFlight = false);
    bytesInFlight = 0;
  }

  /**
   * Returns the next request to write; null if there is none, or the credit is used up, or it is a
   * whole window ahead of the oldest. That one may have to be sent again, and the group keeps the
   * replies of one window only.
   */
  Request nextToWrite() {
    failForgettable();
    failTooLarge();
    Request next = unwritten.peek();
    if (next == null || anew && !isNumberedAnew() || !isCovered(next)) {
      return null;
    }
    if (next.sequence == 0) {
      next.sequence = nextSequence++;
    } else {
      resent = resent + 1;
    }
    if (next.openWrites++ == 0) {
      next.openSinceNs = clockNs.getAsLong();
    }
    next.inFlight = true;
    next.writtenBytes = next.bytes();
    bytesInFlight += next.writtenBytes;
    return unwritten.poll();
  }

  private boolean isNumberedAnew() {
    if (unanswered.peek().sequence == 0) {
      nextSequence = 1;
      anew = false;
    }
    return !anew || unwritten.peek().sequence != 0;
  }

  /**
   * The first request of a client is not written again when the group may have handled it, and
   * forgotten the client since: it would take the request for that of a new client. Every later
   * request it refuses.
   */
  private void failForgettable() {
    Request oldest = unanswered.peek();
    if (isOldest(1)
        && !oldest.inFlight
        && oldest.openWrites > 0
        && clockNs.getAsLong() - oldest.openSinceNs >= rememberedNs) {
      Refusals.fail(remove(1), OfferResult.SESSION_EXPIRED);
    }
  }

  /** Requests that were never written have no number yet, so the others stay without a gap. */
  private void failTooLarge() {
    Request next = unwritten.peek();
    while (next != null && next.sequence == 0 && next.body.length() > maxMessageBytes) {
      unanswered.remove(unwritten.poll());
      String text =
          "body has " + next.body.length() + " bytes, the group allows " + maxMessageBytes;
      next.reply.tryFail(new RequestRefusedException(OfferResult.INVALID, text));
      next = unwritten.peek();
    }
  }

  private boolean isCovered(Request next) {
    long sequence = next.sequence == 0 ? nextSequence : next.sequence;
    long oldest = unanswered.peek().sequence;
    return (oldest == 0 || sequence - oldest < creditRequests)
        && (bytesInFlight == 0 || bytesInFlight + next.bytes() <= creditBytes);
  }

  /**
   * The member of the current connection has answered a request with something else than a reply.
   */
  void answered(long sequence, OfferResult result) {
    boolean notTaken = result == OfferResult.NOT_PRIMARY || result == OfferResult.UNAVAILABLE;
    if (!notTaken) {
      takesNone = null;
    } else if (takesNone != OfferResult.UNAVAILABLE) {
      takesNone = result;
    }
    Request oldest = unanswered.peek();
    if (notTaken && isOldest(sequence) && oldest.inFlight) {
      oldest.openWrites--;
      if (oldest.isOver(clockNs.getAsLong())) {
        giveUp();
      }
    }
  }

  /** Number of the first request without a reply, or that the next one gets. */
  long firstUnanswered() {
    Request oldest = unanswered.peek();
    return oldest == null || oldest.sequence == 0 ? nextSequence : oldest.sequence;
  }

  boolean isOldest(long sequence) {
    return !unanswered.isEmpty() && unanswered.peek().sequence == sequence;
  }

  /** Removes the request with this sequence number; null if it has a reply already. */
  Request remove(long sequence) {
    takesNone = null;
    // Replies come in the order of requests, except to those that were sent again.
    if (isOldest(sequence)) {
      return removed(unanswered.poll());
    }
    for (Iterator<Request> each = unanswered.iterator(); each.hasNext(); ) {
      Request request = each.next();
      if (request.sequence == sequence) {
        each.remove();
        return removed(request);
      }
    }
    return null;
  }

  private Request removed(Request request) {
    if (request.inFlight) {
      bytesInFlight -= request.writtenBytes;
    } else {
      unwritten.remove(request);
    }
    return request;
  }

  /**
   * Numbers all requests anew from 1 on, for a client with a new id, and has them written again.
   *
   * @return the requests that cannot be numbered anew: they were written before the write that the
   *     member has refused, so the group may have handled them
   */
  List<Request> renumber() {
    List<Request> uncertain = new ArrayList<>();
    for (Iterator<Request> each = unanswered.iterator(); each.hasNext(); ) {
      Request request = each.next();
      boolean isUncertain = request.openWrites > (request.inFlight ? 1 : 0);
      if (isUncertain || request.givenUp) {
        uncertain.add(request);
        each.remove();
      }
      request.sequence = 0;
      request.openWrites = 0;
    }
    nextSequence = 1;
    rewind();
    return uncertain;
  }

  /**
   * A client with an id of its own is refused. If the group takes no new client, it took none of
   * these requests: numbers begin with 1 again when all requests that have one are answered. Not if
   * one of them was written more than once: the group may still come to read the first copy, and
   * must not take it for another request of that number.
   *
   * @return the result to tell: what follows such a refusal is a gap, for the same reason
   */
  OfferResult refused(OfferResult result) {
    if (result == OfferResult.TOO_MANY_CLIENTS) {
      anew = unanswered.stream().noneMatch(request -> request.openWrites > 1);
    }
    return anew ? OfferResult.TOO_MANY_CLIENTS : result;
  }

  /** Removes and returns all requests. */
  List<Request> removeAll() {
    List<Request> all = List.copyOf(unanswered);
    unanswered.clear();
    rewind();
    return all;
  }
}
