package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Role;
import java.util.function.Supplier;

/**
 * The replication protocol of one replica: decides who is primary, who is in sync and who may
 * acknowledge. Pure: without clocks, threads or I/O. Events and their times come in through the
 * methods, decisions go out through {@link ProtocolEffects}.
 *
 * <p>A message is committed when every member of the in-sync set has it. {@link InSyncSet} decides
 * who changes the set, {@link Candidacy} who may become primary, {@link VotePolicy} who gets a
 * vote.
 *
 * <p>Times are monotonic, in ns. The caller must read a time after it received the event: the
 * promise in the answer to a heartbeat starts at that time. One thread at a time.
 */
public final class GroupMachine {
  private final ReplicaState replica;
  private final ProtocolEffects effects;
  private final VotePolicy votePolicy;
  private final PreferredLeader preferredLeader;
  private final Election election;

  /** A longer time between two events counts as a stop of this process. */
  private final long gapNs;

  /** Of a primary; null otherwise. */
  private InSyncSet inSync;

  private String reason = "has just started";
  private long nowNs;

  /**
   * @param self index of this member
   * @param record as stored
   * @param disk id of the disk that holds the record, another one for each disk ever used
   * @param end of this replica's log, with everything received so far
   * @param nowNs also names this process to the others: must differ from that of the process before
   */
  public GroupMachine(
      GroupOptions options,
      int self,
      GroupRecord record,
      long disk,
      Supplier<LogEnd> end,
      ProtocolEffects effects,
      long nowNs) {
    this.effects = effects;
    this.nowNs = nowNs;
    replica = new ReplicaState(options, self, record, disk, end, effects, nowNs);
    votePolicy = new VotePolicy(replica);
    election = new Election(replica, nowNs);
    preferredLeader =
        new PreferredLeader(replica, options.getHandBackMs() * ReplicaState.NS_PER_MS);
    gapNs = Math.max(2 * replica.heartbeatNs, (replica.takeoverNs - replica.leaseNs) / 2);
  }

  public Role role() {
    return replica.role();
  }

  /** The highest epoch this replica has accepted or promised to accept. */
  public long epoch() {
    return replica.record().epoch();
  }

  /** Index of the primary of {@link #epoch}, as far as this replica knows; -1 if there is none. */
  public int primary() {
    return replica.primary();
  }

  /** Bit set of the members in sync, as far as this replica knows. */
  public int inSync() {
    return replica.record().inSync();
  }

  public boolean isInSync(int member) {
    return replica.record().holds(member);
  }

  /** Whether this replica may accept messages and complete committed ones, at the present time. */
  public boolean mayAccept(long nowNs) {
    return inSync != null && inSync.mayAccept(nowNs);
  }

  /** Whether this process, as a backup in sync, holds all that its primary acknowledged. */
  public boolean isContinuous() {
    return replica.following().isContinuous();
  }

  /** Whether this replica appends messages that a member sends as primary of an epoch. */
  public boolean accepts(int from, long epoch) {
    return replica.role() == Role.BACKUP && replica.following().isOf(from, epoch);
  }

  /** Why this replica accepts or does not, or does not become primary; one line for people. */
  public String reason() {
    return inSync != null ? inSync.reason(nowNs) : reason;
  }

  /** Lets time pass; must be called at least once per heartbeat interval. */
  public void tick(long nowNs) {
    begin(nowNs);
    replica.broadcastIfDue(nowNs);
    advance(nowNs);
  }

  public void onConnected(int member, long nowNs) {
    begin(nowNs);
    replica.member(member).connect(nowNs);
    replica.heartbeat(replica.member(member), nowNs);
  }

  public void onLost(int member, long nowNs) {
    begin(nowNs);
    replica.member(member).lose();
    advance(nowNs);
  }

  /** The process of a member is proven gone; ignored if it is connected again. */
  public void onRefused(int member, long nowNs) {
    begin(nowNs);
    Member gone = replica.member(member);
    if (gone.connected || !gone.met || !gone.lostHeard) {
      return;
    }
    gone.refused = true;
    replica.following().onGone(member, gone.process);
    if (inSync != null) {
      inSync.refused(gone, nowNs);
    }
    advance(nowNs);
  }

  /** Called when a follower of this primary has caught up with live replication. */
  public void onCaughtUp(int member, long nowNs) {
    begin(nowNs);
    if (inSync != null && member != replica.witness && replica.member(member).connected) {
      inSync.caughtUp(replica.member(member), nowNs);
    }
  }

  /** Called for a frame of an epoch that has, or had, a primary. */
  public void onEpoch(int from, long epoch, long nowNs) {
    begin(nowNs);
    if (epoch > replica.record().epoch()) {
      replica.heardOf(epoch);
      replica.following().interrupt();
      rest("heard of epoch " + epoch + " from " + replica.name(from), nowNs);
    }
  }

  /**
   * Gives up the role; a backup in sync that hears of it takes over at once. Of three, the caller
   * stays to vote. This replica does not become primary for two takeover times, whatever it is now.
   */
  public void stepDown(String why, long nowNs) {
    begin(nowNs);
    election.holdUntil(nowNs + 2 * replica.takeoverNs);
    if (replica.role() != Role.BACKUP) {
      rest(why, nowNs);
    }
  }

  /** This process was suspended with its clock until now; for how long, no clock tells. */
  public void onSuspended(long nowNs) {
    replica.resume(nowNs);
  }

  public void onControl(int from, Control control, long nowNs) {
    begin(nowNs);
    Member member = replica.member(from);
    boolean known = control.receiver() == replica.process;
    if (!known && control.receiver() != 0 || member.isLate(control)) {
      return;
    }
    if (!member.mayBelieve(control, known)) {
      if (control.type() == Control.Type.HEARTBEAT) {
        replica.answer(member, control, Control.UNKNOWN);
      }
      return;
    }
    if (control.isGreeting()) {
      if (member.process != control.sender()) {
        replace(member, control);
      }
      member.hear(control);
    }
    switch (control.type()) {
      case HEARTBEAT -> {
        hear(member, control, nowNs);
        answer(member, control, nowNs);
      }
      case HEARTBEAT_ACK -> {
        hear(member, control, nowNs);
        onAnswer(member, control, nowNs);
      }
      case VOTE_REQUEST -> onVoteRequest(member, control, nowNs);
      case VOTE -> {
        if (election.isWonBy(member, control)) {
          lead(election.epoch(), nowNs);
        }
      }
      case IN_SYNC -> {
        if (accepts(from, control.epoch())) {
          replica.following().onProposal(replica, member, control);
        }
      }
      case IN_SYNC_ACK -> {
        if (inSync != null) {
          inSync.agreed(member, control, nowNs);
        }
      }
    }
    advance(nowNs);
  }

  /** After a stop of this process, frames are unread: silence counts anew, promises do not. */
  private void begin(long nowNs) {
    if (nowNs - this.nowNs > gapNs) {
      if (replica.role() == Role.BACKUP) {
        replica.following().restartTimer(nowNs);
      }
      if (inSync != null) {
        inSync.restartTimers(nowNs);
      }
    }
    this.nowNs = nowNs;
  }

  /** Another process of the member is at the other end of its connection. */
  private void replace(Member member, Control itsFirst) {
    boolean restarted = member.process != 0;
    if (restarted && inSync != null) {
      inSync.restarted(member, itsFirst, nowNs);
    }
    member.restart(itsFirst);
    if (restarted) {
      replica.following().onRestart(member.index, itsFirst, replica.persistent);
    }
  }

  /** Takes in the record and role of a member, from a heartbeat or an answer to one. */
  private void hear(Member member, Control control, long nowNs) {
    replica.heardOf(control.epoch());
    fence(member, control, nowNs);
    replica.save(replica.record().settle(member.index, control));
    if (control.primary() == member.index) {
      hearPrimary(member, control, nowNs);
    } else {
      replica.following().onStepDown(member.index, control.sender());
    }
    if (replica.learn(control)) {
      rest("heard of a later in-sync set", nowNs);
    }
  }

  /** Gives up: a member that knows a higher epoch accepts nothing of this epoch. */
  private void fence(Member member, Control control, long nowNs) {
    boolean leads = inSync != null && control.epoch() > replica.record().epoch();
    if (leads || election.isBelow(control.epoch())) {
      rest(replica.name(member.index) + " knows epoch " + control.epoch(), nowNs);
    }
  }

  private void hearPrimary(Member member, Control control, long nowNs) {
    if (control.epoch() < replica.record().epoch()) {
      return;
    }
    if (inSync != null) {
      throw new IllegalStateException(
          replica.name(member.index) + " is primary of epoch " + control.epoch() + ", as this is");
    }
    Following following = replica.following(member.index, control);
    following.heard(nowNs);
    boolean isNew = replica.role() != Role.BACKUP || replica.record().epoch() != control.epoch();
    following.told(replica, control);
    if (isNew) {
      election.end();
      replica.become(Role.BACKUP);
      reason = "follows " + replica.name(member.index);
      effects.follow(member.index, control.epoch());
    }
  }

  private void answer(Member member, Control heartbeat, long nowNs) {
    boolean promised = inSync != null && inSync.promises(member, nowNs);
    replica.answer(member, heartbeat, promised ? Control.VOUCHED : 0);
  }

  private void onAnswer(Member member, Control answer, long nowNs) {
    if (inSync != null
        && !answer.has(Control.UNKNOWN)
        && answer.primary() == replica.self
        && answer.epoch() == replica.record().epoch()) {
      inSync.answered(member, answer.sentNs(), nowNs);
    }
    if (answer.has(Control.VOUCHED) && accepts(member.index, answer.epoch())) {
      replica.following().promised(answer.sentNs());
    }
  }

  private void onVoteRequest(Member member, Control request, long nowNs) {
    if (replica.role() == Role.BACKUP) {
      advance(nowNs);
    }
    String denial = votePolicy.denial(member.index, request, nowNs);
    if (denial == null) {
      rest("votes for " + replica.name(member.index), nowNs);
      replica.save(replica.record().withVote(member.index, request.epoch(), request.disk()));
    }
    GroupRecord told = replica.record().withVote(-1, request.epoch(), 0);
    replica.send(member, Control.Type.VOTE, told, 0, denial == null ? Control.GRANTED : 0);
  }

  /** Makes the decisions that the time or the last event allows. */
  private void advance(long nowNs) {
    if (replica.role() == Role.BACKUP && replica.following().isLost(replica, nowNs)) {
      rest("lost " + replica.name(replica.following().primary()), nowNs);
    }
    switch (replica.role()) {
      case PRIMARY -> {
        inSync.tick(nowNs);
        returnToPreferred(nowNs);
      }
      case WAITING -> stand(nowNs);
      case CANDIDATE -> campaign(nowNs);
      case BACKUP -> {}
    }
  }

  private void returnToPreferred(long nowNs) {
    if (preferredLeader.isDue(inSync, nowNs)) {
      election.holdUntil(nowNs + replica.takeoverNs);
      rest("hands over to " + replica.name(PreferredLeader.PREFERRED), nowNs);
    }
  }

  private void campaign(long nowNs) {
    if (Candidacy.of(replica, nowNs).kind() == Candidacy.Kind.ALONE) {
      lead(replica.newEpoch(), nowNs);
    } else if (election.isLost(nowNs)) {
      rest("has not enough votes", nowNs);
    } else {
      election.ask(nowNs);
    }
  }

  private void stand(long nowNs) {
    if (!election.mayStand(nowNs)) {
      return;
    }
    Candidacy candidacy = Candidacy.of(replica, nowNs);
    switch (candidacy.kind()) {
      case NONE -> reason = candidacy.reason();
      case ALONE -> lead(replica.newEpoch(), nowNs);
      case ONE, ALL -> ask(candidacy, nowNs);
    }
  }

  private void ask(Candidacy candidacy, long nowNs) {
    if (election.mayAskForVotes(nowNs)) {
      replica.become(Role.CANDIDATE);
      reason = "asks " + replica.names(candidacy.voters()) + " for votes";
      election.start(candidacy, nowNs);
    }
  }

  private void lead(long epoch, long nowNs) {
    GroupRecord alone = GroupRecord.ofPrimary(replica.self, epoch);
    replica.save(alone.withInSync(alone.inSync(), 0, replica.disks(alone.inSync()), 0));
    election.end();
    replica.followNobody();
    replica.become(Role.PRIMARY);
    inSync = new InSyncSet(replica, nowNs);
    effects.lead(epoch);
    replica.broadcast(nowNs);
  }

  /** Gives up any role and tells the other members at once. */
  private void rest(String why, long nowNs) {
    boolean active = replica.role() == Role.PRIMARY || replica.role() == Role.BACKUP;
    boolean told = replica.role() == Role.PRIMARY || replica.role() == Role.CANDIDATE;
    if (replica.role() == Role.CANDIDATE) {
      election.giveUp(nowNs);
    }
    replica.become(Role.WAITING);
    inSync = null;
    election.end();
    reason = why;
    if (active) {
      effects.idle(replica.record().epoch(), why);
    }
    if (told) {
      replica.broadcast(nowNs);
    }
  }
}
