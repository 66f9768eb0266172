package dev.weir.cluster.replica;

import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

/**
 * The replication state of each follower of a primary: followers that are up to date get live
 * batches, the others are brought up to date by {@link CatchUp}. Under the group's lock, except
 * {@link Follower#turn}.
 */
final class Followers {
  /** How a follower gets the history. */
  enum State {
    /** The follower has not asked for the history in this epoch. */
    IDLE,
    /** {@link CatchUp} sends the last snapshot, then the log. */
    SNAPSHOT,
    /** {@link CatchUp} sends batches of the log. */
    LOG,
    /** The follower gets each new batch at once. */
    LIVE;

    private boolean mayBecome(State next) {
      return switch (next) {
        case IDLE, SNAPSHOT, LOG -> true;
        case LIVE -> this == LOG;
      };
    }
  }

  /** One follower. */
  static final class Follower {
    private final int member;
    private State state = State.IDLE;
    private long next;
    private long liveFrom;

    /** Names what the follower asked last: a {@link Frames#FOLLOW} frame. */
    private long question;

    /** The latest question of all connections, and the process that asked it. */
    private long latestQuestion;

    private long process;

    /** Counts the catch-ups of this follower, so that a step of an earlier one is recognized. */
    private volatile long turn;

    /** A snapshot was asked for in this turn. */
    private boolean asksForSnapshot;

    private Follower(int member) {
      this.member = member;
    }

    int member() {
      return member;
    }

    State state() {
      return state;
    }

    private void become(State next) {
      if (!state.mayBecome(next)) {
        throw new IllegalStateException("a follower goes from " + state + " to " + next);
      }
      state = next;
    }

    /** Position of the first message that was not sent to the follower. */
    long next() {
      return next;
    }

    /** Of the last {@link Frames#FOLLOW}. */
    long question() {
      return question;
    }

    /** Changes when the catch-up in progress is void; any thread. */
    long turn() {
      return turn;
    }
  }

  private final Follower[] followers;

  /** Had its turn last. */
  private int last;

  private final Transport transport;
  private final Runnable onBehind;

  /**
   * @param onBehind called when a follower needs {@link CatchUp}
   */
  Followers(int members, Transport transport, Runnable onBehind) {
    this.transport = transport;
    this.onBehind = onBehind;
    followers = new Follower[members];
    last = members - 1;
    for (int member = 0; member < members; member++) {
      followers[member] = new Follower(member);
    }
  }

  /**
   * Sends a batch to all live followers. A follower that does not take the batch reads too slowly:
   * it catches up from the log.
   *
   * @param position of the first message in the batch
   * @param end position behind the last message in the batch
   */
  void send(ByteBuffer frame, long position, long end) {
    for (Follower follower : followers) {
      if (follower.state == State.LIVE) {
        if (transport.send(follower.member, frame)) {
          follower.next = end;
        } else {
          catchUpFromLog(follower.member, position);
        }
      }
    }
  }

  /** Records which question of a process of a member the next frames answer. */
  void asked(int member, long process, long question) {
    drop(member);
    followers[member].process = process;
    followers[member].latestQuestion = question;
    followers[member].question = question;
  }

  /** Nothing counts as an answer until the member asks on its new connection. */
  void connected(int member) {
    drop(member);
    followers[member].question = 0;
  }

  /** Whether this process has asked this question already, or a later one. */
  boolean isLate(int member, long process, long question) {
    return followers[member].process == process && question <= followers[member].latestQuestion;
  }

  long question(int member) {
    return followers[member].question;
  }

  /** Starts a catch-up with the log from a position on. */
  void catchUpFromLog(int member, long position) {
    begin(member, State.LOG, position);
  }

  /** Starts a catch-up with the last snapshot and the log after it. */
  void catchUpFromSnapshot(int member) {
    begin(member, State.SNAPSHOT, 0);
  }

  private void begin(int member, State state, long position) {
    Follower follower = followers[member];
    follower.become(state);
    follower.next = position;
    follower.liveFrom = Long.MAX_VALUE;
    newTurn(follower);
    onBehind.run();
  }

  /** Only the holder of the group's lock writes the turn. */
  private static void newTurn(Follower follower) {
    long next = follower.turn + 1;
    follower.turn = next;
    follower.asksForSnapshot = false;
  }

  /** Records that the snapshot was sent; the log from a position on is next. */
  void snapshotSent(Follower follower, long position) {
    follower.become(State.LOG);
    follower.next = position;
  }

  void sentUpTo(Follower follower, long position) {
    follower.next = position;
  }

  /** Returns true once in each catch-up of a follower, which needs a later snapshot. */
  boolean asksForSnapshot(Follower follower) {
    boolean first = !follower.asksForSnapshot;
    follower.asksForSnapshot = true;
    return first;
  }

  /** Sends live batches from now on: the follower was sent everything before. */
  void goLive(Follower follower) {
    follower.become(State.LIVE);
    follower.liveFrom = follower.next;
  }

  /** Sends nothing more to a member until it asks again. */
  void drop(int member) {
    followers[member].become(State.IDLE);
    newTurn(followers[member]);
  }

  void dropAll() {
    for (int member = 0; member < followers.length; member++) {
      drop(member);
    }
  }

  /** Whether a match index covers all messages from before the follower went live. */
  boolean hasCaughtUp(int member, long position) {
    Follower follower = followers[member];
    return follower.state == State.LIVE && position >= follower.liveFrom;
  }

  /** The next follower in turn that needs {@link CatchUp}; null if there is none. */
  Follower nextBehind() {
    return next(follower -> follower.state == State.SNAPSHOT || follower.state == State.LOG);
  }

  /** The next follower in turn that needs batches of the log; null if there is none. */
  Follower nextInLog() {
    return next(follower -> follower.state == State.LOG);
  }

  private Follower next(Predicate<Follower> wanted) {
    for (int i = 1; i <= followers.length; i++) {
      Follower follower = followers[(last + i) % followers.length];
      if (wanted.test(follower)) {
        last = follower.member;
        return follower;
      }
    }
    return null;
  }
}
