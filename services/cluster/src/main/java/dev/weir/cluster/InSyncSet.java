package dev.weir.cluster;

/**
 * The in-sync set as its primary keeps it. What is acknowledged is held by all members of the set;
 * each of them may become primary. So a member is added freely, and dropped only if it cannot have
 * taken over, nor will:
 *
 * <ul>
 *   <li>its process is proven gone, and had answered a heartbeat within the lease;
 *   <li>of three: it is silent for as long as a takeover takes, and the third member, without whose
 *       vote it cannot take over, has stored the set without it;
 *   <li>of two: never because of silence. Of two that cannot hear each other one may go on, and
 *       that is the backup: it helps when the primary hangs as well as when the link is cut.
 * </ul>
 */
final class InSyncSet {
  private final Replica replica;

  /** The processes that are counted on; one that restarted has to catch up first. */
  private final long[] counted;

  /** The highest version given to a set, whether it came into force or not. */
  private long lastVersion;

  /** Waits for the third member to store it; null if there is none. */
  private GroupRecord proposed;

  private long proposeNs;

  InSyncSet(Replica replica, long nowNs) {
    this.replica = replica;
    counted = new long[replica.size];
    for (int i = 0; i < replica.size; i++) {
      replica.member(i).leaseNs = Member.NEVER;
      replica.member(i).caughtUp = false;
    }
    restartTimers(nowNs);
  }

  /** Whether all that may take over have promised not to do so yet, and they are enough. */
  boolean mayAccept(long nowNs) {
    return Integer.bitCount(replica.record.inSync()) >= replica.minInSync && stale(nowNs) == 0;
  }

  String reason(long nowNs) {
    int inSync = replica.record.inSync();
    int stale = stale(nowNs);
    if (stale != 0) {
      return "waits for " + replica.names(stale) + ": without an answer it may have taken over";
    }
    if (Integer.bitCount(inSync) < replica.minInSync) {
      return "in sync are "
          + replica.names(inSync)
          + ", asked for are "
          + replica.minInSync
          + " members";
    }
    return "accepts, in sync are " + replica.names(inSync);
  }

  /**
   * Whether a member may be told that it will not be dropped for silence as long as a takeover
   * takes.
   */
  boolean vouchesFor(Member member, long nowNs) {
    return replica.record.holds(member.index)
        && isFresh(member, nowNs)
        && (proposed == null || proposed.holds(member.index));
  }

  /** After a stop of this thread: what the others sent meanwhile is still unread. */
  void restartTimers(long nowNs) {
    for (int i = 0; i < replica.size; i++) {
      replica.member(i).silentSinceNs = nowNs;
    }
  }

  /** A member, as backup of this epoch, has read the heartbeat sent then. */
  void answered(Member member, long sentNs, long nowNs) {
    boolean held = replica.record.holds(member.index);
    if (held && counted[member.index] != member.process) {
      return;
    }
    member.leaseNs = Math.max(member.leaseNs, sentNs);
    if (!isFresh(member, nowNs)) {
      return;
    }
    member.silentSinceNs = nowNs;
    if (held && proposed != null && !proposed.holds(member.index)) {
      // The third may have stored it: a later version takes its place.
      change(replica.record.inSync(), nowNs);
    }
    addIfCaughtUp(member, nowNs);
  }

  void caughtUp(Member member, long nowNs) {
    member.caughtUp = true;
    addIfCaughtUp(member, nowNs);
  }

  private void addIfCaughtUp(Member member, long nowNs) {
    if (member.caughtUp
        && member.said != null
        && !replica.record.holds(member.index)
        && isFresh(member, nowNs)) {
      member.caughtUp = false;
      counted[member.index] = member.process;
      change(replica.record.inSync() | member.bit, nowNs);
    }
  }

  /** Its process is proven gone. */
  void refused(Member member, long nowNs) {
    if (replica.record.holds(member.index) && isFresh(member, nowNs)) {
      drop(member, nowNs);
    }
  }

  /**
   * Another process of the member has said its first word. If its record is not of a higher epoch,
   * the old one did not take over. If it has none, nobody can tell: of three the third is asked; of
   * two nothing is left that this replica could lose by going on.
   */
  void restarted(Member member, Control said, long nowNs) {
    if (replica.record.holds(member.index)
        && (isFresh(member, nowNs)
            || replica.size == 2
            || !said.isBlank() && said.epoch() <= replica.record.epoch())) {
      drop(member, nowNs);
    }
  }

  private void drop(Member member, long nowNs) {
    counted[member.index] = 0;
    member.vouchedNs = Member.NEVER;
    change(replica.record.inSync() & ~member.bit, nowNs);
  }

  private void change(int inSync, long nowNs) {
    proposed = null;
    replica.save(replica.record.withInSync(inSync, ++lastVersion));
    replica.broadcast(nowNs);
  }

  /** Asks the third member to agree that another is dropped. */
  void tick(long nowNs) {
    int out = replica.size == 3 ? lost(nowNs) : 0;
    int third = replica.others() & ~out;
    if (Integer.bitCount(out) != 1) {
      return;
    }
    int target = replica.record.inSync() & ~out;
    if (proposed == null || proposed.inSync() != target) {
      proposed = replica.record.withInSync(target, ++lastVersion);
      proposeNs = nowNs;
    }
    Member asked = replica.member(Integer.numberOfTrailingZeros(third));
    if (asked.connected && nowNs - proposeNs >= 0) {
      proposeNs = nowNs + replica.heartbeatNs;
      replica.send(asked, Control.Type.IN_SYNC, proposed, 0, 0);
    }
  }

  /** The third member has stored a set. */
  void agreed(Control answer, long nowNs) {
    if (proposed != null
        && answer.epoch() == proposed.epoch()
        && answer.version() == proposed.version()) {
      GroupRecord agreed = proposed;
      proposed = null;
      replica.save(agreed);
      replica.broadcast(nowNs);
    }
  }

  /** Members of the set without which it would be better to go on. */
  private int lost(long nowNs) {
    int lost = 0;
    for (int i = 0; i < replica.size; i++) {
      Member member = replica.member(i);
      if (isStale(member, nowNs) && (member.refused || isSilent(member, nowNs))) {
        lost |= member.bit;
      }
    }
    return lost;
  }

  /** Silent for so long that what it was promised is void. */
  private boolean isSilent(Member member, long nowNs) {
    long sinceNs = Math.max(member.silentSinceNs, member.vouchedNs);
    return !replica.isWithinTakeover(sinceNs, nowNs);
  }

  private int stale(long nowNs) {
    int stale = 0;
    for (int i = 0; i < replica.size; i++) {
      if (isStale(replica.member(i), nowNs)) {
        stale |= 1 << i;
      }
    }
    return stale;
  }

  private boolean isStale(Member member, long nowNs) {
    return member.index != replica.self
        && replica.record.holds(member.index)
        && !isFresh(member, nowNs);
  }

  private boolean isFresh(Member member, long nowNs) {
    return replica.isWithinLease(member.leaseNs, nowNs);
  }
}
