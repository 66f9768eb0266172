package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Role;
import java.util.function.Supplier;

/**
 * The replication protocol of one replica: decides who is primary, who is in sync and who may
 * acknowledge. Pure: without clocks, threads or I/O. Events and their times come in through the
 * methods, decisions go out through {@link ProtocolEffects}.
 *
 * <p>A message is committed when every member of the in-sync set has it. {@link ReplicaState} holds
 * what the replica knows. {@link RoleTransitions} changes its role. The rules change only their own
 * state: {@link InSyncSet} says how the set changes, {@link Candidacy} who may become primary,
 * {@link VotePolicy} who gets a vote.
 *
 * <p>Times are monotonic, in ns. The caller must read a time after it received the event: the
 * promise in the answer to a heartbeat starts at that time. One thread at a time.
 */
public final class GroupMachine {
  private final ReplicaState replica;
  private final Outbox outbox;
  private final RoleTransitions roles;

  /** A longer time between two events counts as a stop of this process. */
  private final long gapNs;

  /** Time of the last event. */
  private long nowNs;

  /**
   * @param self index of this member
   * @param record as stored
   * @param disk id of the disk that holds the record, another one for each disk ever used
   * @param end of this replica's log, with everything received so far
   * @param nowNs also names this process to the others: must differ from that of the process
   *     before, and not be 0
   */
  public GroupMachine(
      GroupOptions options,
      int self,
      GroupRecord record,
      long disk,
      Supplier<LogEnd> end,
      ProtocolEffects effects,
      long nowNs) {
    this.nowNs = nowNs;
    replica = new ReplicaState(options, self, record, disk, end, nowNs);
    outbox = new Outbox(replica, effects, nowNs);
    long handBackNs = options.getHandBackMs() * ReplicaState.NS_PER_MS;
    roles = new RoleTransitions(replica, effects, outbox, handBackNs, nowNs);
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

  /** What another member said last on its present connection; null if it said nothing on it. */
  public Control said(int member) {
    return replica.member(member).said();
  }

  /** Whether this replica may accept messages and complete committed ones, at the present time. */
  public boolean mayAccept(long nowNs) {
    InSyncSet inSync = replica.inSync();
    return inSync != null && inSync.mayAccept(nowNs);
  }

  /** Whether this process, as a backup in sync, holds all that its primary acknowledged. */
  public boolean isContinuous() {
    return replica.following().isContinuous();
  }

  /** Whether this is the process of a member that was believed last; a new one may run already. */
  public boolean knows(int member, long process) {
    return replica.member(member).process() == process;
  }

  /** Whether this very process of a member has shown that it runs, on the present connection. */
  public boolean hears(int member, long process) {
    return replica.member(member).receiver() == process;
  }

  /** Whether this replica appends messages that a member sends as primary of an epoch. */
  public boolean accepts(int from, long epoch) {
    return replica.role() == Role.BACKUP && replica.following().isOf(from, epoch);
  }

  /** Why this replica accepts or does not, or does not become primary; one line for people. */
  public String reason() {
    return roles.reason(nowNs);
  }

  private boolean isPrimary() {
    return replica.inSync() != null;
  }

  /**
   * Why this replica must end, one line for people: it was taken out, or has another part than it
   * was started for; null if it need not.
   */
  public String exclusion() {
    return replica.exclusion();
  }

  /** Name of a member, or of this one, even if it is none any more. */
  public String name(int member) {
    return replica.name(member);
  }

  /** The members, as far as this replica knows. */
  public Membership membership() {
    return replica.membership();
  }

  /**
   * Begins a change of the members, which goes on while this replica is primary; {@link
   * ProtocolEffects#members} tells of each step that is made.
   *
   * @return why it is refused, one line for people; null if it has begun
   */
  public String change(MemberChange change, long nowNs) {
    begin(nowNs);
    if (!isPrimary()) {
      return "this member is not primary";
    }
    if (!replica.inSync().mayChange()) {
      return "another change of the members is under way";
    }
    String refusal = change.isMade(replica.membership()) ? null : change.refusal(replica);
    if (refusal == null) {
      replica.inSync().begin(change);
      roles.advance(nowNs);
    }
    return refusal;
  }

  /** Whether no change of the members is under way. */
  public boolean isChanged() {
    return !isPrimary() || replica.inSync().isChanged();
  }

  /** Lets time pass; must be called at least once per heartbeat interval. */
  public void tick(long nowNs) {
    begin(nowNs);
    outbox.broadcastIfDue(nowNs);
    roles.advance(nowNs);
  }

  public void onConnected(int member, long nowNs) {
    begin(nowNs);
    replica.member(member).connect(nowNs);
    outbox.heartbeat(replica.member(member), nowNs);
  }

  public void onLost(int member, long nowNs) {
    begin(nowNs);
    replica.member(member).lose();
    if (isPrimary()) {
      replica.inSync().caughtUp(replica.member(member), false);
    }
    roles.advance(nowNs);
  }

  /** The process of a member is proven gone; ignored if it is connected again. */
  public void onRefused(int member, long nowNs) {
    begin(nowNs);
    Member gone = replica.member(member);
    if (!gone.refuse()) {
      return;
    }
    replica.following().onGone(member, gone.process());
    if (isPrimary()) {
      roles.change(replica.inSync().refused(gone, nowNs), nowNs);
    }
    roles.advance(nowNs);
  }

  /** Called when a follower of this primary has caught up with live replication. */
  public void onCaughtUp(int member, long nowNs) {
    begin(nowNs);
    if (isPrimary() && !replica.isWitness(member) && replica.member(member).isConnected()) {
      replica.inSync().caughtUp(replica.member(member), true);
      roles.change(replica.inSync().tick(nowNs), nowNs);
    }
  }

  /** Called for a frame of an epoch that has, or had, a primary. */
  public void onEpoch(int from, long epoch, long nowNs) {
    begin(nowNs);
    if (epoch > epoch()) {
      replica.heardOf(epoch);
      replica.following().interrupt();
      roles.rest("heard of epoch " + epoch + " from " + replica.name(from), nowNs);
    }
  }

  /**
   * Gives up the role; a backup in sync that hears of it takes over at once. Of three, the caller
   * stays to vote. This replica does not become primary for two takeover times, whatever it is now.
   *
   * @param successor index of the backup that is to take over; -1 for any in sync
   */
  public void stepDown(String why, int successor, long nowNs) {
    begin(nowNs);
    roles.stepDown(why, successor, nowNs);
  }

  /** This process was suspended with its clock until now; for how long, no clock tells. */
  public void onSuspended(long nowNs) {
    replica.resume(nowNs);
  }

  /**
   * Handles a message of a member.
   *
   * @return false if it was ignored: it is late, or may be of a process that has ended
   */
  public boolean onControl(int from, Control control, long nowNs) {
    begin(nowNs);
    Member member = replica.member(from);
    boolean known = control.receiver() == replica.process;
    if (!known && control.receiver() != 0 || member.isLate(control)) {
      return false;
    }
    if (!member.mayBelieve(control, known)) {
      if (control.type() == Control.Type.HEARTBEAT) {
        outbox.answer(member, control, Control.UNKNOWN);
      }
      return false;
    }
    if (control.isGreeting()) {
      if (member.process() != control.sender()) {
        replace(member, control);
      }
      member.hear(control);
    }
    switch (control.type()) {
      case HEARTBEAT -> {
        hear(member, control);
        boolean promised = isPrimary() && replica.inSync().promises(member, nowNs);
        if (promised) {
          member.vouch(nowNs);
        }
        outbox.answer(member, control, promised ? Control.VOUCHED : 0);
      }
      case HEARTBEAT_ACK -> {
        hear(member, control);
        onAnswer(member, control);
      }
      case VOTE_REQUEST -> onVoteRequest(member, control);
      case VOTE -> onVote(member, control);
      case IN_SYNC -> onProposal(member, control);
      case IN_SYNC_ACK -> {
        if (isPrimary()) {
          roles.change(replica.inSync().agreed(member, control), nowNs);
        }
      }
    }
    roles.advance(nowNs);
    return true;
  }

  /** After a stop of this process, frames are unread: silence counts anew, promises do not. */
  private void begin(long nowNs) {
    if (nowNs - this.nowNs > gapNs) {
      if (replica.role() == Role.BACKUP) {
        replica.following().restartTimer(nowNs);
      }
      if (isPrimary()) {
        replica.inSync().restartTimers(nowNs);
      }
    }
    this.nowNs = nowNs;
  }

  /** Another process of the member is at the other end of its connection. */
  private void replace(Member member, Control itsFirst) {
    boolean isFirst = member.process() == 0;
    if (isPrimary()) {
      roles.change(replica.inSync().restarted(member, itsFirst, isFirst), nowNs);
    }
    member.restart(itsFirst);
    if (!isFirst) {
      replica.following().onRestart(member.index, itsFirst, replica.persistent);
    }
  }

  /** Takes in the record and role of a member, from a heartbeat or an answer to one. */
  private void hear(Member member, Control control) {
    replica.heardOf(control.epoch());
    fence(member, control);
    roles.save(replica.record().settle(member.index, control));
    if (control.primary() == member.index) {
      hearPrimary(member, control);
    } else {
      roles.onStepDown(member, control, nowNs);
    }
    GroupRecord learned = replica.record().learn(control.record());
    if (replica.primary() < 0 && !replica.record().isBlank() && learned != replica.record()) {
      replica.following().interrupt();
      roles.save(learned);
      roles.rest("heard of a later in-sync set", nowNs);
    }
  }

  /** Gives up: a member that knows a higher epoch accepts nothing of this epoch. */
  private void fence(Member member, Control control) {
    boolean leads = isPrimary() && control.epoch() > epoch();
    Election election = replica.election();
    if (leads || election != null && control.epoch() > election.epoch()) {
      roles.rest(replica.name(member.index) + " knows epoch " + control.epoch(), nowNs);
    }
  }

  private void hearPrimary(Member member, Control control) {
    if (control.epoch() < epoch()) {
      return;
    }
    if (isPrimary()) {
      throw new IllegalStateException(
          replica.name(member.index) + " is primary of epoch " + control.epoch() + ", as this is");
    }
    replica.follow(member.index, control, nowNs);
    replica.following().inUse(control.record().version());
    boolean isNew = replica.role() != Role.BACKUP || epoch() != control.epoch();
    roles.save(replica.told(control));
    if (!replica.isMember()) {
      roles.rest("is not a member any more", nowNs);
    } else if (isNew) {
      roles.becomeBackup();
    }
  }

  private void onAnswer(Member member, Control answer) {
    if (isPrimary()
        && !answer.has(Control.UNKNOWN)
        && answer.primary() == replica.self
        && answer.epoch() == epoch()
        && replica.inSync().answered(member, answer.sentNs(), nowNs)) {
      roles.change(replica.inSync().tick(nowNs), nowNs);
    }
    if (answer.has(Control.VOUCHED) && accepts(member.index, answer.epoch())) {
      replica.following().promised(answer.sentNs());
    }
  }

  private void onVoteRequest(Member member, Control request) {
    if (replica.role() == Role.BACKUP) {
      roles.advance(nowNs);
    }
    String denial = VotePolicy.denial(replica, member.index, request, nowNs);
    if (denial == null) {
      roles.rest("votes for " + replica.name(member.index), nowNs);
      roles.save(replica.record().withVote(member.index, request.epoch(), request.disk()));
    }
    GroupRecord told = replica.record().withVote(-1, request.epoch(), 0);
    outbox.send(member, Control.Type.VOTE, told, 0, denial == null ? Control.GRANTED : 0);
  }

  private void onVote(Member member, Control vote) {
    Election election = replica.election();
    if (election != null && election.isWonBy(member, vote, replica.hasVote(member))) {
      roles.lead(election.epoch(), nowNs);
    }
  }

  private void onProposal(Member member, Control proposal) {
    if (accepts(member.index, proposal.epoch())
        && replica.following().isProcess(member.index, proposal.sender())
        && proposal.record().version() >= replica.record().version()) {
      if (replica.record().isLarger(proposal.record())) {
        replica.following().onSmallerSet(proposal.record().version());
      }
      roles.save(replica.told(proposal));
      outbox.send(member, Control.Type.IN_SYNC_ACK, replica.record(), 0, 0);
    }
  }
}
