package dev.weir.cluster.protocol;

/**
 * The in-sync set as its primary keeps it. All members of the set have every acknowledged message,
 * so each of them may become primary. A member is added when all others in the set have stored the
 * new set: so each member knows who else may become primary. A member is dropped only if it has not
 * taken over and cannot take over:
 *
 * <ul>
 *   <li>its process is proven gone, and had answered a heartbeat within the lease;
 *   <li>its process is gone, as another one has its disk, whose record shows no later epoch;
 *   <li>of three: it is silent for as long as a takeover takes, and the third member, without whose
 *       vote it cannot take over, has stored the set without it. The record names the disk with
 *       which a third member votes that is not in sync. In place of one disk another is named in
 *       two steps, with none between: two disks must never vote at the same time;
 *   <li>of two, by default: never because of silence. Of two that cannot hear each other one may go
 *       on, and that is the backup: it helps when the primary hangs as well as when the link is
 *       cut;
 *   <li>of two whose primary continues: it is silent for as long as a takeover takes. It cannot
 *       have taken over, as it needs the fresh promise of a primary that is gone.
 * </ul>
 */
final class InSyncSet {
  private final ReplicaState replica;

  /**
   * Members in the set that came back with another disk than the one that is in sync. What the
   * other disk holds, and whether its process runs, nobody can tell.
   */
  private int unproven;

  /** The highest version of a set that was proposed or used. */
  private long lastVersion;

  /** The proposed set, until the asked members have stored it; null if there is none. */
  private GroupRecord proposed;

  private int asked;

  private long proposeNs;

  InSyncSet(ReplicaState replica, long nowNs) {
    this.replica = replica;
    for (int i = 0; i < replica.size; i++) {
      replica.member(i).leaseNs = Member.NEVER;
      replica.member(i).caughtUp = false;
      replica.member(i).counted = 0;
      replica.member(i).countedDisk = 0;
    }
    restartTimers(nowNs);
  }

  /** Whether every member of the set is within its lease, and the set is large enough. */
  boolean mayAccept(long nowNs) {
    return Integer.bitCount(replica.record().inSync()) >= replica.minInSync && stale(nowNs) == 0;
  }

  /** Whether no change of the set is under way. */
  boolean isSettled() {
    return proposed == null;
  }

  String reason(long nowNs) {
    int inSync = replica.record().inSync();
    int stale = stale(nowNs);
    if (stale != 0 && replica.primaryContinues) {
      return "waits for " + replica.names(stale) + ", and leaves it out if it stays silent";
    }
    if ((stale & unproven) != 0) {
      return "waits for the disk of "
          + replica.names(stale & unproven)
          + ", which came back with another one: the first may hold messages acknowledged without"
          + " this member; force-primary goes on without them";
    }
    if (stale != 0) {
      String why =
          "waits for " + replica.names(stale) + ": without an answer it may have taken over";
      Member third = third(inSync);
      return third == null || third.said == null || replica.isVoter(third)
          ? why
          : why + "; " + replica.name(third.index) + " has another disk, and so no vote on that";
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
   * Promises a member, where that is safe, not to drop it because of silence for as long as a
   * takeover takes.
   *
   * @return whether the member may be told of the promise
   */
  boolean promises(Member member, long nowNs) {
    boolean safe =
        replica.record().holds(member.index)
            && isFresh(member, nowNs)
            && (proposed == null || proposed.holds(member.index));
    if (safe) {
      member.vouchedNs = nowNs;
    }
    return safe;
  }

  /** Counts silence anew after a stop of this process: frames of the others are still unread. */
  void restartTimers(long nowNs) {
    for (int i = 0; i < replica.size; i++) {
      replica.member(i).silentSinceNs = nowNs;
    }
  }

  /** A member answered a heartbeat as backup of this epoch. */
  void answered(Member member, long sentNs, long nowNs) {
    boolean held = replica.record().holds(member.index);
    if (held && member.counted != member.process) {
      return;
    }
    member.leaseNs = Math.max(member.leaseNs, sentNs);
    if (!isFresh(member, nowNs)) {
      return;
    }
    member.silentSinceNs = nowNs;
    tick(nowNs);
  }

  void caughtUp(Member member, long nowNs) {
    member.caughtUp = true;
    tick(nowNs);
  }

  /**
   * Its process is proven gone: the set goes on without it unless it may have taken over before.
   */
  void refused(Member member, long nowNs) {
    if (replica.record().holds(member.index) && replica.isBeforeTakeover(member.leaseNs, nowNs)) {
      drop(member, nowNs);
    }
  }

  /**
   * Another process of the member has said its first word. If it has the disk of the old process,
   * that one is gone, and took over only if the record on the disk is of a higher epoch. If it has
   * another disk, it proves nothing: of three the third is asked; of two this replica waits. Nor
   * does the process in the set prove anything when it is heard again after another one. Without
   * disks a process that restarts proves that all is lost that the old one held.
   */
  void restarted(Member member, Control said, long nowNs) {
    if (!replica.record().holds(member.index) || said.epoch() > replica.record().epoch()) {
      return;
    }
    if (said.sender() == member.counted) {
      unproven &= ~member.bit;
      return;
    }
    if (said.disk() == member.countedDisk || !replica.persistent && replica.size == 2) {
      drop(member, nowNs);
    } else {
      unproven |= member.bit;
    }
  }

  private void drop(Member member, long nowNs) {
    member.counted = 0;
    member.vouchedNs = Member.NEVER;
    change(replica.record().inSync() & ~member.bit, nowNs);
  }

  private void change(int inSync, long nowNs) {
    use(set(inSync, voter(inSync)), nowNs);
  }

  private GroupRecord set(int inSync, long voter) {
    return replica.record().withInSync(inSync, ++lastVersion, replica.disks(inSync), voter);
  }

  /** The disk with which the third member votes when a set is in use; see {@link GroupRecord}. */
  private long voter(int inSync) {
    Member third = third(inSync);
    if (third == null) {
      return 0;
    }
    GroupRecord record = replica.record();
    if (record.holds(third.index)) {
      return third.countedDisk;
    }
    return record.inSync() == 1 << replica.self ? third.disk : record.voter();
  }

  /** The only member that is not in a set of two; null for other sets. */
  private Member third(int inSync) {
    int out = replica.others() & ~inSync;
    boolean isThird = replica.size == 3 && Integer.bitCount(out) == 1;
    return isThird ? replica.member(Integer.numberOfTrailingZeros(out)) : null;
  }

  /**
   * Whether what a member stores counts. Who came back with another disk does not know what it
   * voted for with the first one.
   */
  private boolean mayConsent(Member member) {
    return replica.record().holds(member.index)
        ? (unproven & member.bit) == 0
        : replica.isVoter(member);
  }

  private void use(GroupRecord changed, long nowNs) {
    proposed = null;
    unproven &= changed.inSync();
    for (int i = 0; i < replica.size; i++) {
      replica.member(i).caughtUp &= !changed.holds(i);
    }
    replica.save(changed);
    replica.broadcast(nowNs);
  }

  /** Changes the set if it should be another, or asks those who have to store it first. */
  void tick(long nowNs) {
    int inSync = replica.record().inSync();
    int lost = replica.size == 3 || replica.primaryContinues ? lost(nowNs) : 0;
    int backups = inSync & replica.others();
    Member ready = ready(nowNs);
    Member third = third(inSync);
    boolean meets = third != null && third.said != null && !replica.isVoter(third);
    if (lost != 0 && replica.primaryContinues) {
      drop(replica.member(1 - replica.self), nowNs);
      return;
    }
    if (lost == replica.others()) {
      return;
    }
    if (lost != 0) {
      int voters = consenting(replica.others() & ~lost);
      if (voters != 0) {
        propose(inSync & ~lost, voter(inSync & ~lost), voters, nowNs);
      }
    } else if (meets && replica.record().voter() != 0) {
      propose(inSync, 0, backups, nowNs);
    } else if (ready != null) {
      ready.counted = ready.process;
      ready.countedDisk = ready.disk;
      propose(inSync | ready.bit, voter(inSync | ready.bit), backups, nowNs);
    } else if (meets) {
      propose(inSync, third.disk, backups, nowNs);
    } else if (proposed != null) {
      // Some may have stored it: a later version takes its place.
      change(inSync, nowNs);
    }
  }

  private int consenting(int members) {
    int consenting = 0;
    for (int i = 0; i < replica.size; i++) {
      boolean asked = (members & 1 << i) != 0 && mayConsent(replica.member(i));
      consenting |= asked ? 1 << i : 0;
    }
    return consenting;
  }

  private void propose(int target, long voter, int consenting, long nowNs) {
    if (consenting == 0) {
      use(set(target, voter), nowNs);
      return;
    }
    if (proposed == null || proposed.inSync() != target || proposed.voter() != voter) {
      proposed = set(target, voter);
      asked = consenting;
      proposeNs = nowNs;
    }
    if (nowNs - proposeNs >= 0) {
      proposeNs = nowNs + replica.heartbeatNs;
      for (int i = 0; i < replica.size; i++) {
        Member member = replica.member(i);
        if ((asked & member.bit) != 0 && member.connected) {
          replica.send(member, Control.Type.IN_SYNC, proposed, 0, 0);
        }
      }
    }
  }

  /** A member has stored a set. */
  void agreed(Member member, Control answer, long nowNs) {
    if (proposed == null
        || answer.epoch() != proposed.epoch()
        || answer.version() != proposed.version()) {
      return;
    }
    asked &= mayConsent(member) ? ~member.bit : ~0;
    if (asked == 0) {
      use(proposed, nowNs);
    }
  }

  /** A member that should be in the set; null if there is none. */
  private Member ready(long nowNs) {
    for (int i = 0; i < replica.size; i++) {
      Member member = replica.member(i);
      if (member.caughtUp
          && member.said != null
          && !replica.record().holds(i)
          && isFresh(member, nowNs)) {
        return member;
      }
    }
    return null;
  }

  /** Members of the set without which it would be better to go on. */
  private int lost(long nowNs) {
    int lost = 0;
    for (int i = 0; i < replica.size; i++) {
      Member member = replica.member(i);
      boolean gone = member.refused && (unproven & member.bit) == 0;
      if (isStale(member, nowNs) && (gone || isSilent(member, nowNs))) {
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
        && replica.record().holds(member.index)
        && !isFresh(member, nowNs);
  }

  private boolean isFresh(Member member, long nowNs) {
    return replica.isWithinLease(member.leaseNs, nowNs);
  }
}
