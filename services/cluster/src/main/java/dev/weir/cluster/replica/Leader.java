package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.RejectionListener;
import dev.weir.cluster.State;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Request;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.threads.Turn;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;

/**
 * The primary's side of replication: gathers messages in batches, sends the batches to the
 * followers, appends them to the log, and replies when a message is committed. Under the group's
 * lock.
 */
final class Leader {
  private final GroupOptions options;
  private final int self;
  private final History history;
  private final Sessions sessions;
  private final HandlerCalls calls;
  private final ReplyOutlet replies;
  private final Transport transport;
  private final GroupClock clock;
  private final IntSupplier version;
  private final BatchAccumulator accumulator;
  private final MatchIndex matchIndex;
  private final PendingReplies pending = new PendingReplies();
  private final PendingReads reads;
  private final Followers followers;
  private final Request request = new Request();
  private final ByteBuffer small = ByteBuffer.allocateDirect(Frames.SMALL_BYTES);
  private long epoch;
  private boolean leading;
  private long accepted;
  private long completed;
  private long answeredAgain;
  private long busy;
  private long batches;

  /** When a new client was first refused after the last batch, and the time stamp of that. */
  private long refusedMs;

  private long refusedAfterMs = -1;

  /**
   * @param version of the application, in which a batch that begins is to be
   * @param onBehind called when a follower needs {@link CatchUp}
   */
  Leader(
      GroupOptions options,
      int self,
      History history,
      ReplyOutlet replies,
      RejectionListener rejections,
      Transport transport,
      ReplicaClock clock,
      IntSupplier version,
      Runnable onBehind) {
    this.options = options;
    this.self = self;
    this.history = history;
    this.sessions = history.sessions();
    this.replies = replies;
    this.transport = transport;
    this.clock = new GroupClock(clock);
    this.version = version;
    this.accumulator =
        new BatchAccumulator(
            options.getBatchBytes(), history.handling().maxEntryBytes(), options.getMaxBatches());
    this.calls =
        new HandlerCalls(
            options.getName(), history, accumulator, options.getMaxMessageBytes(), rejections);
    this.matchIndex = new MatchIndex(Membership.SLOTS, self);
    this.reads = new PendingReads(options.getName());
    this.followers = new Followers(Membership.SLOTS, transport, onBehind);
  }

  boolean isLeading() {
    return leading;
  }

  /** Lets time pass; also while this replica is no leader. */
  void tick() {
    clock.timeMs(history.timeMs());
    accumulator.tick();
  }

  long epoch() {
    return epoch;
  }

  Followers followers() {
    return followers;
  }

  void begin(long newEpoch) {
    long position = history.end().position();
    epoch = newEpoch;
    leading = true;
    followers.dropAll();
    accumulator.reset();
    pending.reset(position);
    matchIndex.begin(position);
  }

  /**
   * Ends the role. Gathered messages were handled already, so they are appended: log and state
   * agree then. The next primary decides whether they stay.
   */
  void end() {
    if (leading) {
      leading = false;
      followers.dropAll();
      if (!accumulator.isEmpty()) {
        history.append(accumulator.seal(sessions).position(Frames.HEADER_BYTES));
        sessions.advance(accumulator.timeMs());
      }
      history.settle();
      accumulator.reset();
      pending.reset(history.end().position());
    }
    loseReads();
  }

  /** Ends the reads that are not confirmed. */
  void loseReads() {
    reads.lose();
  }

  /** Confirms a read of the present state when that is committed. */
  void confirm(State.Reader reader) {
    reads.add(pending.end(), reader);
  }

  /** Whether log and state agree: every handled message is in the log. */
  boolean isSettled() {
    return accumulator.isEmpty();
  }

  boolean hasNothingPending() {
    return pending.first() == pending.end();
  }

  /** Handles a message, unless it was handled before; the caller has checked the role. */
  OfferResult take(long clientId, long sequence, ByteBuffer body, int offset, int length) {
    if (sequence < 1 || length < 0 || length > options.getMaxMessageBytes()) {
      return OfferResult.INVALID;
    }
    return switch (sessions.check(clientId, sequence)) {
      case Sessions.NEXT -> takeNext(clientId, sequence, body, offset, length);
      case Sessions.KNOWN -> answerAgain(clientId, sequence);
      case Sessions.FORGOTTEN -> OfferResult.FORGOTTEN;
      case Sessions.EXPIRED -> OfferResult.SESSION_EXPIRED;
      case Sessions.FULL ->
          makesRoom()
              ? takeNext(clientId, sequence, body, offset, length)
              : OfferResult.TOO_MANY_CLIENTS;
      default -> OfferResult.GAP;
    };
  }

  /**
   * Whether the oldest client may expire for a new one. The log's time stands still while all
   * clients are gone, so what passes from one refusal to the next without a batch counts too.
   */
  private boolean makesRoom() {
    long lastMs = history.timeMs();
    long nowMs = clock.timeMs(lastMs);
    if (refusedAfterMs != lastMs) {
      refusedAfterMs = lastMs;
      refusedMs = nowMs;
    }
    return sessions.hasIdle(nowMs - refusedMs) && !pending.contains(sessions.oldest());
  }

  private OfferResult takeNext(
      long clientId, long sequence, ByteBuffer body, int offset, int length) {
    if (isFull()) {
      flush();
      if (isFull()) {
        busy++;
        return OfferResult.BUSY;
      }
    }
    if (accumulator.isEmpty()) {
      accumulator.begin(
          version.getAsInt(), epoch, history.end().position(), clock.timeMs(history.timeMs()));
    }
    boolean whole = calls.handle(request.set(clientId, sequence, body, offset, length));
    pending.add(clientId, sequence);
    accepted++;
    if (!whole) {
      // A rebuild may outlast a takeover. The next primary must have the rejection by then, or it
      // would handle the message too.
      flush();
      Turn.sendNow();
      calls.rebuild();
    }
    return OfferResult.ACCEPTED;
  }

  /** A client has the replies to its messages before one; the next batch says so. */
  void release(long clientId, long before) {
    if (leading && sessions.keepsBefore(clientId, before)) {
      accumulator.release(clientId, before);
    }
  }

  private boolean isFull() {
    return accumulator.isFull() || pending.end() - pending.first() >= options.getReplyWindow();
  }

  private OfferResult answerAgain(long clientId, long sequence) {
    if (pending.contains(clientId, sequence)) {
      return OfferResult.PENDING;
    }
    if (!reply(clientId, sequence)) {
      busy++;
      return OfferResult.BUSY;
    }
    answeredAgain++;
    return OfferResult.ANSWERED;
  }

  /**
   * Sends the gathered batch, then appends it to the log, so that both happen side by side. Does
   * nothing while the maximum of batches is unacknowledged.
   *
   * @return whether there was one to send
   */
  boolean flush() {
    if (accumulator.isEmpty() || accumulator.isBlocked()) {
      return false;
    }
    // A log that has failed takes no batch, so nobody else may have it from here.
    history.log().checkUsable();
    ByteBuffer frame = accumulator.seal(sessions);
    followers.send(frame, history.end().position(), pending.end());
    history.append(frame.position(Frames.HEADER_BYTES));
    sessions.advance(accumulator.timeMs());
    onPersisted();
    accumulator.sent(history.end().position());
    batches++;
    return true;
  }

  /** Takes in how far this member's own log is persisted. */
  void onPersisted() {
    matchIndex.advance(self, history.persisted().position());
  }

  /** Sends the replies that are due, and the batch that waited for what is complete now. */
  void advance(int inSync, boolean mayAcknowledge) {
    complete(inSync, mayAcknowledge);
    if (flush()) {
      complete(inSync, mayAcknowledge);
    }
  }

  /** Sends the replies of committed messages, if this primary may acknowledge. */
  void complete(int inSync, boolean mayAcknowledge) {
    long committed = matchIndex.committedBy(inSync);
    accumulator.acknowledged(committed);
    long end = mayAcknowledge ? Math.min(committed, pending.end()) : 0;
    while (pending.first() < end && reply(pending.clientId(), pending.sequence())) {
      pending.removeFirst();
      completed++;
    }
    if (mayAcknowledge) {
      reads.confirm(committed);
    }
  }

  /** Returns false if the reply outlet is full. */
  private boolean reply(long clientId, long sequence) {
    return !sessions.find(clientId, sequence)
        || replies.offer(
            sessions.isRejected(),
            clientId,
            sequence,
            sessions.buffer(),
            sessions.offset(),
            sessions.length());
  }

  /** What an earlier connection said of a member's log may be of another process of its name. */
  void onConnected(int member) {
    matchIndex.forget(member);
    followers.connected(member);
  }

  /** A member acknowledges all messages before a position, since it asked that question. */
  void onAck(int from, long position, long question) {
    if (question == followers.question(from)) {
      matchIndex.advance(from, position);
    }
  }

  /**
   * A heartbeat of a member that has acknowledged in this epoch tells the end of its log. An end in
   * an earlier epoch may be that of a tail that is truncated later.
   */
  void onEnd(int from, LogEnd end) {
    if (matchIndex.isKnown(from) && end.epoch() == epoch) {
      matchIndex.advance(from, end.position());
    }
  }

  /** Whether a member has all messages from before its first live batch. */
  boolean hasCaughtUp(int member) {
    return followers.hasCaughtUp(member, matchIndex.of(member));
  }

  /**
   * Decides how a member catches up, from the end of its log. Two histories are the same up to the
   * lower of their ends of an epoch that both have. If the epoch of the member's end is unknown
   * here, the member learns where the last epoch below it ends, truncates its log to what it has of
   * that, and asks again; each time it asks with a lower epoch.
   */
  void onFollow(int from, long process, long question, LogEnd theirs) {
    if (followers.isLate(from, process, question)) {
      // It has asked again since: what answers the later question is all that it takes.
      return;
    }
    matchIndex.forget(from);
    followers.asked(from, process, question);
    LogEnd ours = history.log().endOf(theirs.epoch());
    if (ours.epoch() != theirs.epoch() && ours.position() > 0) {
      sendStart(from, ours, Frames.ASK_AGAIN);
      return;
    }
    long common = Math.min(ours.position(), theirs.position());
    if (common < history.log().start()) {
      startFromSnapshot(from);
    } else {
      sendStart(from, new LogEnd(ours.epoch(), common), Frames.BATCHES);
      followers.catchUpFromLog(from, common);
    }
  }

  /** Sends the last snapshot first: this log starts after the end of the member's log. */
  void startFromSnapshot(int member) {
    sendStart(member, LogEnd.EMPTY, Frames.FROM_SNAPSHOT);
    followers.catchUpFromSnapshot(member);
  }

  private void sendStart(int member, LogEnd common, int how) {
    Frames.begin(small, Frames.START, epoch)
        .putLong(followers.question(member))
        .putLong(common.epoch())
        .putLong(common.position())
        .putInt(how)
        .flip();
    transport.send(member, small);
  }

  /** Position up to which a set of members has the history. */
  long committedBy(int members) {
    return matchIndex.committedBy(members);
  }

  /** Position up to which a member has acknowledged the history; -1 if it has not. */
  long heldBy(int member) {
    return matchIndex.of(member);
  }

  HandlerCalls calls() {
    return calls;
  }

  long accepted() {
    return accepted;
  }

  long completed() {
    return completed;
  }

  long answeredAgain() {
    return answeredAgain;
  }

  long busy() {
    return busy;
  }

  long batches() {
    return batches;
  }
}
