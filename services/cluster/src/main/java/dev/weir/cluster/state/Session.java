package dev.weir.cluster.state;

/** One client of {@link Sessions}, in one of their two rings. */
final class Session {
  final long clientId;

  /** Null if the client has expired. */
  ReplyRing replies;

  /** Time of the clock before the last batch with a message of the client. */
  long lastMs;

  Session older = this;
  Session newer = this;

  Session(long clientId, ReplyRing replies) {
    this.clientId = clientId;
    this.replies = replies;
  }

  /** Makes this the newest of the ring with that head. */
  void linkBefore(Session ring) {
    older = ring.older;
    newer = ring;
    ring.older.newer = this;
    ring.older = this;
  }

  void unlink() {
    older.newer = newer;
    newer.older = older;
  }
}
