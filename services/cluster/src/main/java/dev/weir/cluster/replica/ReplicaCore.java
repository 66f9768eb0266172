package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.GroupView;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.RejectionListener;
import dev.weir.cluster.Role;
import dev.weir.cluster.State;
import dev.weir.cluster.protocol.Control;
import dev.weir.cluster.protocol.GroupMachine;
import dev.weir.cluster.protocol.MemberChange;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.state.History;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Routes events of a replica to its parts: the protocol decides who is primary ({@link
 * GroupMachine}), {@link Leader} and {@link Backup} replicate, {@link History} holds log and state.
 *
 * <p>Has no thread and no clock of its own. To be called under the group's lock; an exception ends
 * the replica.
 */
final class ReplicaCore {
  /** SilenceDetector of so many takeovers ends a connection: the roles are settled by then. */
  private static final long SILENT_TAKEOVERS = 2;

  private final GroupOptions options;
  private final int self;
  private final ReplyOutlet replies;
  private final Transport transport;
  private final History history;
  private final Leader leader;
  private final Backup backup;
  private final ReplicaClock clock;

  /** Names this process to the others. */
  private final long process;

  private final Runnable onCatchUpWork;
  private final CatchUp catchUp;
  private final RoleChanges changes;
  private final GroupMachine machine;
  private final SharedVersion versions;
  private final SilenceDetector silence;
  private final SuspendDetector suspension;
  private final GroupViews views;
  private final ByteBuffer small = ByteBuffer.allocateDirect(Frames.SMALL_BYTES);

  /**
   * @param pause waits a moment, without the lock, for a member that reads slowly
   * @param onCatchUpWork called under the lock when {@link #catchUp} has a step to plan
   */
  ReplicaCore(
      GroupOptions options,
      int self,
      History history,
      ReplyOutlet replies,
      RejectionListener rejections,
      Transport transport,
      ReplicaClock clock,
      Runnable pause,
      Runnable onCatchUpWork) {
    this.options = options;
    this.self = self;
    this.history = history;
    this.replies = replies;
    this.transport = transport;
    this.clock = clock;
    this.onCatchUpWork = onCatchUpWork;
    long startNs = clock.nanoTime();
    this.process = startNs == 0 ? 1 : startNs;
    this.leader =
        new Leader(
            options,
            self,
            history,
            replies,
            rejections,
            transport,
            clock,
            this::nextVersion,
            onCatchUpWork);
    this.backup =
        new Backup(
            options.getName(),
            Membership.of(history.log().record(), options).witness() == self,
            history,
            transport,
            TimeUnit.MILLISECONDS.toNanos(options.getLeaseMs()),
            process);
    this.catchUp =
        new CatchUp(
            leader,
            history,
            transport,
            options.getBatchBytes(),
            FrameLimits.of(options).maxFrameBytes(),
            pause,
            this::onLive);
    this.changes =
        new RoleChanges(options, self, history, leader, backup, replies, transport, clock);
    this.machine =
        new GroupMachine(
            options,
            self,
            history.log().record(),
            history.log().diskId(),
            history::end,
            changes,
            process);
    this.versions = new SharedVersion(options.getName(), self, machine, history);
    this.silence =
        new SilenceDetector(
            Membership.SLOTS,
            TimeUnit.MILLISECONDS.toNanos(SILENT_TAKEOVERS * options.getTakeoverMs()),
            clock.nanoTime());
    this.suspension = new SuspendDetector(options.getName(), clock);
    this.views = new GroupViews(self, machine, history, leader, silence, changes);
  }

  private int nextVersion() {
    return versions.next();
  }

  Leader leader() {
    return leader;
  }

  CatchUp catchUp() {
    return catchUp;
  }

  GroupMachine machine() {
    return machine;
  }

  /** Name of this member, even if it is none any more. */
  String name() {
    return machine.name(self);
  }

  /** Monotonic time. After a suspension nothing holds that rests on little time. */
  private long nowNs() {
    long nowNs = clock.nanoTime();
    if (suspension.wasSuspended(nowNs)) {
      machine.onSuspended(nowNs);
    }
    return nowNs;
  }

  /** Whether this replica is primary and may acknowledge now. */
  boolean isAccepting() {
    return leader.isLeading() && machine.mayAccept(nowNs());
  }

  OfferResult offer(long clientId, long sequence, ByteBuffer body, int offset, int length) {
    if (!leader.isLeading()) {
      return OfferResult.NOT_PRIMARY;
    }
    if (!machine.mayAccept(nowNs())) {
      return OfferResult.UNAVAILABLE;
    }
    return leader.take(clientId, sequence, body, offset, length);
  }

  /** Has the state read, and confirms that when it is committed. */
  OfferResult read(State.Reader reader) {
    if (!leader.isLeading()) {
      return OfferResult.NOT_PRIMARY;
    }
    if (!machine.mayAccept(nowNs())) {
      return OfferResult.UNAVAILABLE;
    }
    reader.read(readable());
    leader.confirm(reader);
    leader.complete(machine.inSync(), machine.mayAccept(nowNs()));
    return OfferResult.ACCEPTED;
  }

  State readable() {
    State state = history.handling().readable();
    if (state == null) {
      throw new IllegalStateException("this replica has no state that can be read");
    }
    return state;
  }

  /** Sends and stores the gathered batch, and sends the replies that are due then. */
  void flush() {
    if (leader.isLeading()) {
      leader.flush();
      advance();
    }
  }

  private void advance() {
    leader.advance(machine.inSync(), machine.mayAccept(nowNs()));
  }

  /** Takes in the results of detached threads: log writes and delivered replies. */
  void collect() {
    history.collect();
    replies.collect();
    if (leader.isLeading()) {
      leader.onPersisted();
      advance();
    } else {
      backup.onPersisted();
    }
  }

  /** Lets time pass. */
  void tick() {
    long nowNs = nowNs();
    history.tick();
    machine.tick(nowNs);
    leader.tick();
    dropSilent(nowNs);
    backup.tick(nowNs);
    views.tick(nowNs);
    collect();
    if (leader.isSettled() && history.takeSnapshotIfDue()) {
      onCatchUpWork.run();
    }
  }

  /** Whether it has its role, and nothing to do until another member or a client sends. */
  boolean isAtRest() {
    return leader.isLeading() ? machine.mayAccept(clock.nanoTime()) : machine.role() == Role.BACKUP;
  }

  private void dropSilent(long nowNs) {
    silence.tick(nowNs);
    for (int member = 0; member < Membership.SLOTS; member++) {
      if (member != self && silence.isOver(member)) {
        transport.drop(member);
      }
    }
  }

  // Frames of other members

  void onFrame(int from, ByteBuffer frame) {
    long nowNs = nowNs();
    silence.heard(from, nowNs);
    int type = Frames.type(frame);
    long epoch = Frames.epoch(frame);
    if (type == Frames.CONTROL) {
      onControl(from, frame, nowNs);
      return;
    }
    if (type == Frames.GONE) {
      // The same as a dead process: it neither acknowledges nor votes any more.
      if (machine.hears(from, frame.getLong(Frames.content(frame)))) {
        onLost(from);
        onRefused(from);
      }
      return;
    }
    if (epoch > machine.epoch()) {
      machine.onEpoch(from, epoch, nowNs);
    }
    if (type == Frames.ACK || type == Frames.FOLLOW) {
      if (leader.isLeading() && epoch == leader.epoch()) {
        onBackup(from, type, frame, nowNs);
      }
    } else if (machine.accepts(from, epoch)) {
      backup.onFrame(from, type, frame, epoch);
    }
  }

  private void onControl(int from, ByteBuffer frame, long nowNs) {
    frame.position(Frames.content(frame));
    Control control = Control.decode(frame);
    boolean believed = machine.onControl(from, control, nowNs);
    if (believed
        && leader.isLeading()
        && control.primary() == self
        && control.epoch() == leader.epoch()
        && !control.has(Control.BEHIND)) {
      // The last acknowledgement may have been lost.
      leader.onEnd(from, control.end());
      if (control.end().equals(history.end())) {
        // Without new batches no acknowledgement would bring a dropped member back.
        countOn(from, nowNs);
      }
    }
    flush();
  }

  private void onBackup(int from, int type, ByteBuffer frame, long nowNs) {
    int content = Frames.content(frame);
    long first = frame.getLong(content);
    long question = frame.getLong(content + Long.BYTES);
    if (type == Frames.FOLLOW) {
      if (machine.knows(from, first) && versions.mayFeed(from)) {
        leader.onFollow(from, first, question, Frames.end(frame, content + 2 * Long.BYTES));
      }
      return;
    }
    leader.onAck(from, first, question);
    countOn(from, nowNs);
    advance();
  }

  private void countOn(int member, long nowNs) {
    if (!machine.isInSync(member) && leader.hasCaughtUp(member)) {
      machine.onCaughtUp(member, nowNs);
    }
  }

  /** A follower was sent everything; its acknowledgement may have come already. */
  private void onLive(int member) {
    countOn(member, nowNs());
  }

  void onConnected(int member) {
    leader.onConnected(member);
    machine.onConnected(member, nowNs());
    if (machine.role() == Role.BACKUP && machine.primary() == member) {
      backup.follow(member, machine.epoch());
    }
  }

  void onLost(int member) {
    leader.followers().drop(member);
    machine.onLost(member, nowNs());
    flush();
  }

  void onRefused(int member) {
    machine.onRefused(member, nowNs());
    flush();
  }

  /** Begins a change of the members; returns why it is refused, or null. */
  String change(MemberChange change) {
    return machine.change(change, nowNs());
  }

  /** Completed when the change that has just begun is made. */
  CompletableFuture<List<String>> changed(MemberChange change) {
    return changes.memberChanges().begin(change, machine.membership());
  }

  // The end

  /** Ends this replica by an exception if it has no part in the group any more. */
  void requireMember() {
    TakenOutException.check(machine, self);
  }

  /** Gives up the role; what a backup has appended in a turn may be acknowledged by a later one. */
  void stepDown() {
    history.collect();
    machine.stepDown("is stopping", -1, nowNs());
  }

  /** Gives up the role of primary to the named backup; to any in sync if the name is null. */
  void handOver(String to) {
    if (leader.isLeading()) {
      int successor = to == null ? -1 : machine.membership().slot(to);
      machine.stepDown(to == null ? "hands over" : "hands over to " + to, successor, nowNs());
    }
  }

  /** Tells the others to go on without this replica, which must not take part any more. */
  void sayGone() {
    Frames.begin(small, Frames.GONE, leader.epoch()).putLong(process).flip();
    for (int member = 0; member < Membership.SLOTS; member++) {
      if (member != self) {
        transport.send(member, small);
      }
    }
  }

  /** This replica takes part no more. */
  void failed() {
    changes.failed(machine.epoch());
  }

  /** The present figures with what is known of the others. */
  GroupView view(Throwable failure) {
    return views.view(stats(failure), clock.nanoTime());
  }

  /** The present figures; of a failed replica, the figures at its failure. */
  GroupStats stats(Throwable failure) {
    return views.stats(failure, failure == null && isAccepting());
  }
}
