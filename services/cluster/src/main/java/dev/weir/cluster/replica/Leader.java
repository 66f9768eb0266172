package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.state.Handling;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Request;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;

/**
 * What a primary does: takes messages, has them gather in batches, sends and stores these, and
 * gives out replies when enough replicas hold what they answer. Under the group's lock.
 */
final class Leader {
  private final GroupOptions options;
  private final int self;
  private final History history;
  private final Sessions sessions;
  private final Handling handling;
  private final ReplyOutlet replies;
  private final Transport transport;
  private final Outflow outflow;
  private final Progress progress;
  private final PendingReplies pending = new PendingReplies();
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

  Leader(
      GroupOptions options,
      int self,
      History history,
      ReplyOutlet replies,
      Transport transport,
      Runnable onFeed) {
    this.options = options;
    this.self = self;
    this.history = history;
    this.sessions = history.sessions();
    this.handling = history.handling();
    this.replies = replies;
    this.transport = transport;
    int members = options.getMembers().size();
    this.outflow =
        new Outflow(options.getBatchBytes(), handling.maxEntryBytes(), options.getMaxBatches());
    this.progress = new Progress(members, self);
    this.followers = new Followers(members, transport, onFeed);
  }

  boolean isLeading() {
    return leading;
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
    outflow.reset();
    pending.reset(position);
    progress.begin(position);
  }

  /**
   * What has gathered was handled already: it goes to the log, so that log and state agree. The
   * next primary decides whether it stays.
   */
  void end() {
    if (leading) {
      leading = false;
      followers.dropAll();
      if (!outflow.isEmpty()) {
        history.append(outflow.seal().position(Frames.HEADER_BYTES));
      }
      history.settle();
      outflow.reset();
      pending.reset(history.end().position());
    }
  }

  /** Log and state agree: nothing that was handled is still to be logged. */
  boolean isSettled() {
    return outflow.isEmpty();
  }

  boolean owesNothing() {
    return pending.first() == pending.end();
  }

  /** Takes a message that may be acknowledged. */
  OfferResult take(long clientId, long sequence, ByteBuffer body, int offset, int length) {
    if (sequence < 1 || length < 0 || length > options.getMaxMessageBytes()) {
      return OfferResult.INVALID;
    }
    return switch (sessions.check(clientId, sequence)) {
      case Sessions.NEXT -> takeNext(clientId, sequence, body, offset, length);
      case Sessions.KNOWN -> answerAgain(clientId, sequence);
      case Sessions.FORGOTTEN -> OfferResult.FORGOTTEN;
      default -> OfferResult.GAP;
    };
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
    if (outflow.isEmpty()) {
      outflow.begin(epoch, history.end().position(), System.currentTimeMillis());
    }
    int bytes =
        handling.accept(
            request.set(clientId, sequence, body, offset, length),
            outflow.timeMs(),
            outflow.buffer(),
            outflow.room());
    outflow.add(clientId, sequence, bytes);
    pending.add(clientId, sequence);
    accepted++;
    return OfferResult.ACCEPTED;
  }

  private boolean isFull() {
    return outflow.isFull() || pending.end() - pending.first() >= options.getReplyWindow();
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

  /** Sends and stores what has gathered, unless enough is on its way: the others get it first. */
  void flush() {
    if (outflow.isEmpty() || outflow.isBlocked()) {
      return;
    }
    ByteBuffer frame = outflow.seal();
    followers.send(frame, history.end().position(), pending.end());
    history.append(frame.position(Frames.HEADER_BYTES));
    onHeld();
    outflow.sent(history.end().position());
    batches++;
  }

  /** This member holds more than it did. */
  void onHeld() {
    progress.advance(self, history.held().position());
  }

  /** Gives out the replies to what all members in sync hold, if it may be acknowledged. */
  void complete(int inSync, boolean mayAcknowledge) {
    long held = progress.heldBy(inSync);
    outflow.arrived(held);
    long end = mayAcknowledge ? Math.min(held, pending.end()) : 0;
    while (pending.first() < end && reply(pending.clientId(), pending.sequence())) {
      pending.removeFirst();
      completed++;
    }
  }

  /** False if there is no room for it at the moment. */
  private boolean reply(long clientId, long sequence) {
    return !sessions.find(clientId, sequence)
        || replies.offer(
            clientId, sequence, sessions.buffer(), sessions.offset(), sessions.length());
  }

  /** A member holds the history up to there. */
  void onAck(int from, long position) {
    progress.advance(from, position);
  }

  /** A member that has acknowledged in this epoch says where its log ends. */
  void onEnd(int from, LogEnd end) {
    if (progress.hasSaid(from)) {
      progress.advance(from, end.position());
    }
  }

  /** Whether a member holds all that was there when it was first sent live batches. */
  boolean hasCaughtUp(int member) {
    return followers.hasCaughtUp(member, progress.of(member));
  }

  /** Decides how a member whose log ends there comes to our history. */
  void onFollow(int from, LogEnd theirs) {
    progress.forget(from);
    LogEnd ours = history.log().endOf(theirs.epoch());
    long common = Math.min(ours.position(), theirs.position());
    if (ours.epoch() != theirs.epoch() && common > 0) {
      sendStart(from, common, Frames.ASK_AGAIN);
    } else if (common < history.log().start()) {
      startFromSnapshot(from);
    } else {
      sendStart(from, common, Frames.BATCHES);
      followers.feed(from, common);
    }
  }

  /** The log does not reach back to what the member has. */
  void startFromSnapshot(int member) {
    sendStart(member, 0, Frames.FROM_SNAPSHOT);
    followers.feedFromSnapshot(member);
  }

  private void sendStart(int member, long position, int how) {
    Frames.begin(small, Frames.START, epoch).putLong(position).putInt(how).flip();
    transport.send(member, small);
  }

  /** Position up to which all of a set of members hold the history. */
  long heldBy(int members) {
    return progress.heldBy(members);
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
