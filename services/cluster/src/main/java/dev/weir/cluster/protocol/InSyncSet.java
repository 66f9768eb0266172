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
 *
 * <p>Lives as long as the replica is primary. The caller carries out the changes that are returned.
 */
final class InSyncSet {
  /**
   * A set that the primary wants.
   *
   * @param set the record with it
   * @param ask bit set of the members that have to store it first, to be asked now; 0 if it is in
   *     use from now on
   * @param gone bit set of the members whose process is gone: it needs no promise any more
   */
  record Change(GroupRecord set, int ask, int gone) {}

  /** What the primary knows of a backup. Times are of the primary's clock. */
  private static final class Follower {
    /** When the last heartbeat was sent that the member answered as a backup of this epoch. */
    private long answeredNs = Member.NEVER;

    /** Since when the member has been silent. */
    private long silentSinceNs;

    /** The process that is in the set, and the id of its disk; 0 for none. */
    private long counted;

    private long countedDisk;

    /** The member has the whole history and waits to join the set. */
    private boolean caughtUp;
  }

  private final ReplicaState replica;
  private final Follower[] followers;

  /**
   * Members in the set that came back with another disk than the one that is in sync. What the
   * other disk holds, and whether its process runs, nobody can tell.
   */
  private int unproven;

  /** The highest version of a set that was proposed or used. */
  private long lastVersion;

  /** Until the asked members have stored it; null if there is none. */
  private SetProposal proposed;

  /** The change of the members under way; null if there is none. */
  private MemberSteps steps;

  InSyncSet(ReplicaState replica, long nowNs) {
    this.replica = replica;
    followers = new Follower[Membership.SLOTS];
    for (int i = 0; i < followers.length; i++) {
      followers[i] = new Follower();
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

  /** Whether this very process of a member is the one in the set. */
  boolean countsOn(Member member, long process) {
    return followers[member.index].counted == process;
  }

  /** Whether a member answered a heartbeat that was sent at most so long ago. */
  boolean hasAnswered(Member member, long withinNs, long nowNs) {
    return nowNs - followers[member.index].answeredNs <= withinNs;
  }

  /** Whether no change of the members is under way. */
  boolean isChanged() {
    return steps == null || steps.isOver();
  }

  /** Whether a change of the members may begin: none is under way but, maybe, one that waits. */
  boolean mayChange() {
    return isChanged()
        || proposed == null && steps.due(replica.record().inSync(), replica.minInSync) == null;
  }

  /** Begins a change of the members that is not refused. */
  void begin(MemberChange change) {
    steps =
        change.isMade(replica.membership()) ? null : MemberSteps.of(change, replica.membership());
  }

  /** Slots have other members from now on, or none. */
  void replaced(int slots) {
    for (int i = 0; i < followers.length; i++) {
      if ((slots & 1 << i) != 0) {
        followers[i] = new Follower();
      }
    }
  }

  String reason(long nowNs) {
    return SetReason.of(replica, stale(nowNs), unproven, third(replica.record().inSync()));
  }

  /**
   * Whether a member may have the promise that it is not dropped because of silence for as long as
   * a takeover takes.
   */
  boolean promises(Member member, long nowNs) {
    return replica.record().holds(member.index)
        && isFresh(member, nowNs)
        && (proposed == null || proposed.set().holds(member.index));
  }

  /** Counts silence anew after a stop of this process: frames of the others are still unread. */
  void restartTimers(long nowNs) {
    for (Follower follower : followers) {
      follower.silentSinceNs = nowNs;
    }
  }

  /** A member answered a heartbeat as backup of this epoch; returns whether its lease counts. */
  boolean answered(Member member, long sentNs, long nowNs) {
    Follower follower = followers[member.index];
    if (replica.record().holds(member.index) && follower.counted != member.process()) {
      return false;
    }
    follower.answeredNs = Math.max(follower.answeredNs, sentNs);
    boolean fresh = isFresh(member, nowNs);
    follower.silentSinceNs = fresh ? nowNs : follower.silentSinceNs;
    return fresh;
  }

  /** A member has the whole history now, or has to catch up again. */
  void caughtUp(Member member, boolean caughtUp) {
    followers[member.index].caughtUp = caughtUp;
  }

  /**
   * Its process is proven gone: the set goes on without it unless it may have taken over before.
   */
  Change refused(Member member, long nowNs) {
    boolean mayDrop =
        replica.record().holds(member.index)
            && replica.isBeforeTakeover(followers[member.index].answeredNs, nowNs);
    return mayDrop ? drop(member) : null;
  }

  /**
   * Another process of the member has said its first word. If it has the disk of the old process,
   * that one is gone, and took over only if the record on the disk is of a higher epoch. If it has
   * another disk, it proves nothing: of three the third is asked; of two this replica waits. Nor
   * does the process in the set prove anything when it is heard again after another one. Without
   * disks a process that restarts proves that all is lost that the old one held.
   *
   * @param isFirst whether no other process of the member was heard before
   */
  Change restarted(Member member, Control said, boolean isFirst) {
    Follower follower = followers[member.index];
    follower.answeredNs = Member.NEVER;
    follower.caughtUp = false;
    if (isFirst
        || !replica.record().holds(member.index)
        || said.epoch() > replica.record().epoch()) {
      return null;
    }
    if (said.sender() == follower.counted) {
      unproven &= ~member.bit;
      return null;
    }
    if (said.disk() == follower.countedDisk || !replica.persistent && replica.size() == 2) {
      return drop(member);
    }
    unproven |= member.bit;
    return null;
  }

  private Change drop(Member member) {
    followers[member.index].counted = 0;
    return change(replica.record().inSync() & ~member.bit, member.bit);
  }

  private Change change(int inSync, int gone) {
    return use(set(inSync, voter(inSync)), gone);
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
      return followers[third.index].countedDisk;
    }
    return record.inSync() == 1 << replica.self ? third.disk() : record.voter();
  }

  /** The only member that is not in a set of two; null for other sets. */
  private Member third(int inSync) {
    int out = replica.others() & ~inSync;
    boolean isThird = replica.size() == 3 && Integer.bitCount(out) == 1;
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

  private Change use(GroupRecord changed, int gone) {
    proposed = null;
    if (steps != null) {
      steps.made(replica.membership(changed));
    }
    unproven &= changed.inSync();
    for (int i = 0; i < followers.length; i++) {
      followers[i].caughtUp &= !changed.holds(i);
    }
    return new Change(changed, 0, gone);
  }

  /** The change that the set needs at this time, or who has to be asked for it; null if none. */
  Change tick(long nowNs) {
    int inSync = replica.record().inSync();
    int lost = replica.size() == 3 || replica.primaryContinues() ? lost(nowNs) : 0;
    int others = inSync & replica.others();
    Member ready = ready(nowNs);
    Member third = third(inSync);
    boolean meets = third != null && third.said() != null && !replica.isVoter(third);
    if (lost != 0 && replica.primaryContinues()) {
      return drop(replica.member(Integer.numberOfTrailingZeros(lost)));
    }
    if (lost != 0 && lost == replica.others()) {
      return null;
    }
    if (lost != 0) {
      int left = replica.others() & ~lost;
      int voters = replica.others(member -> (left & member.bit) != 0 && mayConsent(member));
      return voters == 0 ? null : propose(inSync & ~lost, voter(inSync & ~lost), voters, nowNs);
    }
    MemberSteps.Step step = steps == null ? null : steps.due(inSync, replica.minInSync);
    if (step != null) {
      return make(step, inSync, others, nowNs);
    }
    if (meets && replica.record().voter() != 0) {
      return propose(inSync, 0, others, nowNs);
    }
    if (ready != null) {
      followers[ready.index].counted = ready.process();
      followers[ready.index].countedDisk = ready.disk();
      return propose(inSync | ready.bit, voter(inSync | ready.bit), others, nowNs);
    }
    if (meets) {
      return propose(inSync, third.disk(), others, nowNs);
    }
    // Some may have stored the proposed set: a later version takes its place.
    return proposed == null ? null : change(inSync, 0);
  }

  /**
   * A member leaves the set first and keeps its vote, so that two of three can go on without the
   * primary. Then it has no vote. Then the members change.
   */
  private Change make(MemberSteps.Step step, int inSync, int others, long nowNs) {
    int staying = inSync & ~step.leaving();
    if (staying != inSync) {
      return propose(staying, voter(staying), others, nowNs);
    }
    if (replica.record().voter() != 0) {
      return propose(inSync, 0, others, nowNs);
    }
    return propose(inSync, 0, step.next(), others, nowNs);
  }

  private Change propose(int target, long voter, int consenting, long nowNs) {
    return propose(target, voter, replica.record().membership(), consenting, nowNs);
  }

  private Change propose(int target, long voter, Membership members, int consenting, long nowNs) {
    if (consenting == 0) {
      return use(set(target, voter).withMembership(members), 0);
    }
    if (proposed == null || !proposed.isOf(target, voter, members)) {
      proposed = new SetProposal(set(target, voter).withMembership(members), nowNs);
    }
    if (proposed.isStoredBy(consenting)) {
      return use(proposed.set(), 0);
    }
    return proposed.isDue(nowNs, replica.askAgainNs) ? ask() : null;
  }

  private Change ask() {
    return new Change(proposed.set(), proposed.toAsk(), 0);
  }

  /** A member has stored a set. */
  Change agreed(Member member, Control answer) {
    if (proposed == null || !proposed.isAnsweredBy(answer) || !mayConsent(member)) {
      return null;
    }
    boolean nextAreAsked = proposed.stored(member.bit);
    return proposed.isStored() ? use(proposed.set(), 0) : nextAreAsked ? ask() : null;
  }

  /** The first member that should be in the set and is not; null if there is none. */
  private Member ready(long nowNs) {
    int ready =
        replica.others(
            member ->
                followers[member.index].caughtUp
                    && member.said() != null
                    && !replica.record().holds(member.index)
                    && isFresh(member, nowNs));
    return ready == 0 ? null : replica.member(Integer.numberOfTrailingZeros(ready));
  }

  /** Members of the set without which it would be better to go on. */
  private int lost(long nowNs) {
    return replica.others(
        member -> {
          boolean gone = member.isRefused() && (unproven & member.bit) == 0;
          return isStale(member, nowNs) && (gone || isSilent(member, nowNs));
        });
  }

  /** Silent for so long that what it was promised is void. */
  private boolean isSilent(Member member, long nowNs) {
    long sinceNs = Math.max(followers[member.index].silentSinceNs, member.vouchedNs());
    return !replica.isWithinTakeover(sinceNs, nowNs);
  }

  /** Members of the set that are not within their lease. Runs for each message. */
  private int stale(long nowNs) {
    int stale = 0;
    for (int i = 0; i < Membership.SLOTS; i++) {
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
    return replica.isWithinLease(followers[member.index].answeredNs, nowNs);
  }
}
