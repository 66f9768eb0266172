package dev.weir.cluster.replica;

import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;

/**
 * What a primary sends to whom: live batches to those that have everything before them, and what to
 * feed to those that have not. Under the group's lock.
 */
final class Followers {
  /** How a member gets the history. */
  enum Way {
    /** Not at all: it has not asked. */
    NONE,
    /** A snapshot, then what was logged, by {@link Feeder}. */
    SNAPSHOT,
    /** What was logged, by {@link Feeder}. */
    LOG,
    /** Each batch as it is made. */
    LIVE
  }

  /** One member; {@code turn} tells a feed from the one before it. */
  static final class Follower {
    private final int member;
    private Way way = Way.NONE;
    private long next;
    private long liveFrom;
    private long turn;

    private Follower(int member) {
      this.member = member;
    }

    int member() {
      return member;
    }

    Way way() {
      return way;
    }

    /** Position of the first message it has not been sent. */
    long next() {
      return next;
    }

    long turn() {
      return turn;
    }
  }

  private final Follower[] followers;
  private final Transport transport;
  private final Runnable onFeed;

  Followers(int members, Transport transport, Runnable onFeed) {
    this.transport = transport;
    this.onFeed = onFeed;
    followers = new Follower[members];
    for (int member = 0; member < members; member++) {
      followers[member] = new Follower(member);
    }
  }

  /**
   * Sends a batch to all that are live. One that does not take it reads too slowly; it is fed from
   * the log.
   *
   * @param position of the batch
   * @param end of the batch
   */
  void send(ByteBuffer frame, long position, long end) {
    for (Follower follower : followers) {
      if (follower.way == Way.LIVE) {
        if (transport.send(follower.member, frame)) {
          follower.next = end;
        } else {
          feed(follower.member, position);
        }
      }
    }
  }

  /** Has a member fed with the log from a position on. */
  void feed(int member, long position) {
    begin(member, Way.LOG, position);
  }

  /** Has a member fed with the last snapshot and what comes after it. */
  void feedFromSnapshot(int member) {
    begin(member, Way.SNAPSHOT, 0);
  }

  private void begin(int member, Way way, long position) {
    Follower follower = followers[member];
    follower.way = way;
    follower.next = position;
    follower.liveFrom = Long.MAX_VALUE;
    follower.turn++;
    onFeed.run();
  }

  /** The snapshot has been sent; batches from a position on are next. */
  void snapshotSent(Follower follower, long position) {
    follower.way = Way.LOG;
    follower.next = position;
  }

  void sentUpTo(Follower follower, long position) {
    follower.next = position;
  }

  /** It has been sent everything so far. */
  void goLive(Follower follower) {
    follower.way = Way.LIVE;
    follower.liveFrom = follower.next;
  }

  void drop(int member) {
    followers[member].way = Way.NONE;
    followers[member].turn++;
  }

  void dropAll() {
    for (int member = 0; member < followers.length; member++) {
      drop(member);
    }
  }

  /** Whether a member that holds this much holds all that was there when it went live. */
  boolean hasCaughtUp(int member, long position) {
    Follower follower = followers[member];
    return follower.way == Way.LIVE && position >= follower.liveFrom;
  }

  /** One that is to be fed, or null. */
  Follower toFeed() {
    for (Follower follower : followers) {
      if (follower.way == Way.SNAPSHOT || follower.way == Way.LOG) {
        return follower;
      }
    }
    return null;
  }
}
