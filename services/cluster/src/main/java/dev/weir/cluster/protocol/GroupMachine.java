package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Role;
import java.util.function.Supplier;

/**
 * Who is primary, who is in sync, and who may acknowledge: the decisions of one replica, without
 * clocks, threads or I/O. It is told what happens and what time it is, and says what to do.
 *
 * <p>The in-sync set is the members that hold all that was acknowledged. A message counts as held
 * when every member of the set has it; so whoever of the set becomes primary loses nothing. The
 * rules below decide who may change the set ({@link InSyncSet}), who may become primary ({@link
 * Candidacy}), and with whose votes ({@link VotePolicy}). A new primary begins alone in its set.
 *
 * <p>Times are monotonic, in ns, and must be read after the event they go with was received: the
 * promise in the answer to a heartbeat starts then. One thread at a time.
 */
public final class GroupMachine {

  /**
   * What the machine wants done, in this order, before the call that caused it returns. An
   * exception ends the machine: it must not be asked anything again. The machine must not be told
   * anything from here.
   */
  public interface Effects {
    /** Sends to a member; may be lost. */
    void send(int member, Control control);

    /** Stores the record; forced to the device when it returns. */
    void save(GroupRecord record);

    /** This replica is primary of the epoch now; its history is the truth. */
    void lead(long epoch);

    /**
     * This replica follows a primary now, or an epoch of it that it did not follow before: what it
     * has beyond that primary's history goes. Also called when it comes back to a primary that it
     * had lost.
     */
    void follow(int primary, long epoch);

    /**
     * Neither of both any more.
     *
     * @param epoch the highest known
     * @param why for people
     */
    void idle(long epoch, String why);
  }

  private final ReplicaState replica;
  private final Effects effects;
  private final VotePolicy votePolicy;
  private final PreferredLeader preferredLeader;
  private final long gapNs;

  /** Of a primary; null otherwise. */
  private InSyncSet inSync;

  /** Of a candidate; null otherwise. */
  private Election election;

  private String reason = "has just started";
  private long nowNs;
  private long heartbeatNs;

  /** After {@link #stepDown}: until when it does not stand. */
  private long holdNs;

  /** After an election: until when it does not ask again. */
  private long retryNs;

  /**
   * @param options validated
   * @param self index of this member
   * @param record as stored
   * @param end of this replica's log, with everything received so far
   * @param nowNs also names this process to the others: must differ from that of the process before
   */
  public GroupMachine(
      GroupOptions options,
      int self,
      GroupRecord record,
      Supplier<LogEnd> end,
      Effects effects,
      long nowNs) {
    this.effects = effects;
    this.nowNs = nowNs;
    replica = new ReplicaState(options, self, record, end, effects, nowNs);
    votePolicy = new VotePolicy(replica);
    preferredLeader =
        new PreferredLeader(replica, options.getHandBackMs() * ReplicaState.NS_PER_MS);
    gapNs = Math.max(2 * replica.heartbeatNs, (replica.takeoverNs - replica.leaseNs) / 2);
    heartbeatNs = nowNs;
    holdNs = nowNs;
    retryNs = nowNs;
  }

  public Role role() {
    return replica.role();
  }

  /** The highest epoch this replica has accepted or promised to accept. */
  public long epoch() {
    return replica.record().epoch();
  }

  /** Who is primary of that epoch as far as this replica knows; -1 if nobody is. */
  public int primary() {
    return replica.primary();
  }

  /** Bit set of the members in sync; of a replica that is not primary, as it was told last. */
  public int inSync() {
    return replica.record().inSync();
  }

  public boolean isInSync(int member) {
    return replica.record().holds(member);
  }

  /**
   * Whether this replica may accept messages, and complete those that all members in sync hold. To
   * be asked with the present time each time a reply is about to leave: what was true when the
   * message came may not be true after the process was stopped for a while.
   */
  public boolean mayAccept(long nowNs) {
    return inSync != null && inSync.mayAccept(nowNs);
  }

  /** Whether messages a member sends as primary of an epoch belong into this replica's log. */
  public boolean accepts(int from, long epoch) {
    return replica.role() == Role.BACKUP
        && replica.following().primary == from
        && replica.following().epoch == epoch;
  }

  /** Why this replica accepts or does not, or does not become primary; one line for people. */
  public String reason() {
    return inSync != null ? inSync.reason(nowNs) : reason;
  }

  /** To be called at least once in a heartbeat. */
  public void tick(long nowNs) {
    begin(nowNs);
    if (nowNs - heartbeatNs >= 0) {
      heartbeatNs = nowNs + replica.heartbeatNs;
      replica.broadcast(nowNs);
    }
    advance(nowNs);
  }

  public void onConnected(int member, long nowNs) {
    begin(nowNs);
    replica.member(member).connect();
    replica.heartbeat(replica.member(member), nowNs);
  }

  public void onLost(int member, long nowNs) {
    begin(nowNs);
    replica.member(member).lose();
    advance(nowNs);
  }

  /** The member's process is gone; nothing if it is connected again. */
  public void onRefused(int member, long nowNs) {
    begin(nowNs);
    Member gone = replica.member(member);
    if (gone.connected || !gone.met) {
      return;
    }
    gone.refused = true;
    if (replica.following().primary == member) {
      replica.following().loss = Following.Loss.GONE;
    }
    if (inSync != null) {
      inSync.refused(gone, nowNs);
    }
    advance(nowNs);
  }

  /** This primary's member holds the whole history, up to what is on its way to it. */
  public void onCaughtUp(int member, long nowNs) {
    begin(nowNs);
    if (inSync != null && replica.member(member).connected) {
      inSync.caughtUp(replica.member(member), nowNs);
    }
  }

  /** A frame of an epoch that has, or had, a primary. */
  public void onEpoch(int from, long epoch, long nowNs) {
    begin(nowNs);
    if (epoch > replica.record().epoch()) {
      replica.heardOf(epoch);
      replica.following().continuous = false;
      rest("heard of epoch " + epoch + " from " + replica.name(from), nowNs);
    }
  }

  /**
   * Lets go: a backup in sync that hears of it takes over at once. The caller should have completed
   * what it accepted, and, of three, should still be there for a moment to vote. For twice the time
   * of a takeover this replica does not become primary, whatever its role is now.
   */
  public void stepDown(String why, long nowNs) {
    begin(nowNs);
    holdNs = nowNs + 2 * replica.takeoverNs;
    if (replica.role() != Role.BACKUP) {
      rest(why, nowNs);
    }
  }

  public void onControl(int from, Control control, long nowNs) {
    begin(nowNs);
    Member member = replica.member(from);
    boolean known = control.receiver() == replica.process;
    if (!known && control.receiver() != 0 || !greet(member, control, known)) {
      return;
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
      case VOTE -> onVote(member, control, nowNs);
      case IN_SYNC -> onProposal(member, control);
      case IN_SYNC_ACK -> onAgreement(member, control, nowNs);
    }
    advance(nowNs);
  }

  /** After a stop of this thread frames lie unread: silence is counted anew, promises are not. */
  private void begin(long nowNs) {
    if (nowNs - this.nowNs > gapNs) {
      if (replica.role() == Role.BACKUP) {
        replica.following().heardNs = nowNs;
      }
      if (inSync != null) {
        inSync.restartTimers(nowNs);
      }
    }
    this.nowNs = nowNs;
  }

  /** False if the message is not to be read: only heartbeats introduce a process. */
  private boolean greet(Member member, Control control, boolean known) {
    boolean greeting =
        control.type() == Control.Type.HEARTBEAT
            || control.type() == Control.Type.HEARTBEAT_ACK && known;
    if (!greeting) {
      return known && member.process == control.sender();
    }
    member.connect();
    member.met = true;
    if (member.process != control.sender()) {
      boolean restarted = member.process != 0;
      if (restarted && inSync != null) {
        inSync.restarted(member, control, nowNs);
      }
      member.restart(control.sender());
      if (restarted && replica.following().primary == member.index) {
        replica.following().loss = Following.Loss.GONE;
      }
    }
    member.said = control;
    return true;
  }

  /** What every heartbeat and every answer to one tells. */
  private void hear(Member member, Control control, long nowNs) {
    replica.heardOf(control.epoch());
    fence(member, control, nowNs);
    replica.save(replica.record().settle(member.index, control));
    if (control.primary() == member.index) {
      hearPrimary(member, control, nowNs);
    } else if (replica.following().isProcess(member.index, control.sender())) {
      replica.following().loss = Following.Loss.STEPPED_DOWN;
    }
    learn(control, nowNs);
  }

  /** A member that has promised a higher epoch will take nothing of this one any more. */
  private void fence(Member member, Control control, long nowNs) {
    boolean leads = inSync != null && control.epoch() > replica.record().epoch();
    boolean stands = election != null && control.epoch() > election.epoch;
    if (leads || stands) {
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
    Following following = replica.following();
    if (!following.is(member.index, control.epoch(), control.sender())) {
      following = new Following(member.index, control.epoch(), control.sender());
      replica.follow(following);
    }
    following.heard(nowNs);
    boolean isNew = replica.role() != Role.BACKUP || replica.record().epoch() != control.epoch();
    following.told(replica, control);
    if (isNew) {
      election = null;
      replica.become(Role.BACKUP);
      reason = "follows " + replica.name(member.index);
      effects.follow(member.index, control.epoch());
    }
  }

  /** Without a primary, a later in-sync set is believed from whoever knows it. */
  private void learn(Control control, long nowNs) {
    boolean seeks = replica.role() == Role.WAITING || replica.role() == Role.CANDIDATE;
    GroupRecord learned = replica.record().learn(control);
    if (seeks && !replica.record().isBlank() && learned != replica.record()) {
      replica.following().continuous = false;
      replica.save(learned);
      rest("heard of a later in-sync set", nowNs);
    }
  }

  private void answer(Member member, Control heartbeat, long nowNs) {
    boolean vouches = inSync != null && inSync.mayPromise(member, nowNs);
    if (vouches) {
      member.vouchedNs = nowNs;
    }
    replica.send(
        member,
        Control.Type.HEARTBEAT_ACK,
        replica.record(),
        heartbeat.sentNs(),
        vouches ? Control.VOUCHED : 0);
  }

  private void onAnswer(Member member, Control answer, long nowNs) {
    if (inSync != null
        && answer.primary() == replica.self
        && answer.epoch() == replica.record().epoch()) {
      inSync.answered(member, answer.sentNs(), nowNs);
    }
    if (answer.has(Control.VOUCHED) && accepts(member.index, answer.epoch())) {
      replica.following().vouchedNs = Math.max(replica.following().vouchedNs, answer.sentNs());
    }
  }

  private void onVoteRequest(Member member, Control request, long nowNs) {
    if (replica.role() == Role.BACKUP) {
      advance(nowNs);
    }
    String denial = votePolicy.denial(member.index, request, nowNs);
    if (denial == null) {
      rest("votes for " + replica.name(member.index), nowNs);
      replica.save(replica.record().withVote(member.index, request.epoch()));
    }
    GroupRecord told = replica.record().withVote(-1, request.epoch());
    replica.send(member, Control.Type.VOTE, told, 0, denial == null ? Control.GRANTED : 0);
  }

  private void onVote(Member member, Control vote, long nowNs) {
    if (election != null && vote.epoch() == election.epoch) {
      election.voted(member, vote.has(Control.GRANTED));
      if (election.isWon()) {
        lead(election.epoch, nowNs);
      }
    }
  }

  private void onProposal(Member member, Control proposal) {
    if (accepts(member.index, proposal.epoch())
        && replica.following().isProcess(member.index, proposal.sender())
        && proposal.version() >= replica.record().version()) {
      replica.following().told(replica, proposal);
      replica.send(member, Control.Type.IN_SYNC_ACK, replica.record(), 0, 0);
    }
  }

  private void onAgreement(Member member, Control answer, long nowNs) {
    if (inSync != null) {
      inSync.agreed(member, answer, nowNs);
    }
  }

  /** Does what time or the last event allows. */
  private void advance(long nowNs) {
    if (replica.role() == Role.BACKUP && replica.following().isLost(replica, nowNs)) {
      rest("lost " + replica.name(replica.following().primary), nowNs);
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
      holdNs = nowNs + replica.takeoverNs;
      rest("hands over to " + replica.name(PreferredLeader.PREFERRED), nowNs);
    }
  }

  private void campaign(long nowNs) {
    if (Candidacy.of(replica, nowNs).kind() == Candidacy.Kind.ALONE) {
      lead(replica.newEpoch(), nowNs);
    } else if (election.isLost(nowNs)) {
      rest("has not enough votes", nowNs);
    } else {
      election.ask(replica, nowNs);
    }
  }

  private void stand(long nowNs) {
    if (nowNs - holdNs < 0) {
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
    if (nowNs - retryNs >= 0) {
      replica.become(Role.CANDIDATE);
      reason = "asks " + replica.names(candidacy.voters()) + " for votes";
      election = new Election(replica.newEpoch(), candidacy, nowNs, nowNs + replica.leaseNs);
      election.ask(replica, nowNs);
    }
  }

  private void lead(long epoch, long nowNs) {
    replica.save(GroupRecord.ofPrimary(replica.self, epoch));
    election = null;
    replica.follow(Following.nobody());
    replica.become(Role.PRIMARY);
    inSync = new InSyncSet(replica, nowNs);
    effects.lead(epoch);
    replica.broadcast(nowNs);
  }

  /** To neither lead nor follow nor stand; the others hear of it at once. */
  private void rest(String why, long nowNs) {
    boolean active = replica.role() == Role.PRIMARY || replica.role() == Role.BACKUP;
    boolean told = replica.role() == Role.PRIMARY || replica.role() == Role.CANDIDATE;
    if (replica.role() == Role.CANDIDATE) {
      retryNs = nowNs + replica.heartbeatNs * (1 + replica.self);
    }
    replica.become(Role.WAITING);
    inSync = null;
    election = null;
    reason = why;
    if (active) {
      effects.idle(replica.record().epoch(), why);
    }
    if (told) {
      replica.broadcast(nowNs);
    }
  }
}
