package dev.weir.cluster;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of a group: puts together who is primary ({@link GroupMachine}), what a primary and a
 * backup do ({@link Leader}, {@link Backup}), what happened ({@link History}) and the other
 * replicas ({@link Transport}).
 *
 * <p>A monitor: whichever thread has something to bring in, a message, a frame or the passing of
 * time, takes the lock and does all that follows from it. So a step costs no hand-over to another
 * thread, and a group may be run by one spinning thread or by those that happen to come. Threads
 * for parts of the work are put before and behind it; what they have done comes back by {@link
 * #collect}.
 */
final class GroupReplica implements Transport.Receiver, GroupMachine.Effects {
  private static final Logger LOG = LoggerFactory.getLogger(GroupReplica.class);

  /** Silence of so many takeovers ends a connection: the roles are settled by then. */
  private static final long SILENT_TAKEOVERS = 2;

  private final GroupOptions options;
  private final int self;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReplyOutlet replies;
  private final Transport transport;
  private final History history;
  private final GroupMachine machine;
  private final Leader leader;
  private final Backup backup;
  private final Feeder feeder;
  private final Silence silence;
  private final ByteBuffer small = ByteBuffer.allocateDirect(Frames.SMALL_BYTES);
  private long roleChanges;
  private boolean closing;

  /** Takes no part any more, and has said so. */
  private boolean gone;

  private Throwable failure;

  GroupReplica(
      GroupOptions options, int self, History history, ReplyOutlet replies, Transport transport) {
    this.options = options;
    this.self = self;
    this.history = history;
    this.replies = replies;
    this.transport = transport;
    this.feeder = new Feeder(this, lock, history, transport, options.getBatchBytes());
    this.leader = new Leader(options, self, history, replies, transport, feeder::wake);
    this.backup = new Backup(options.getName(), history, transport, feeder);
    this.silence =
        new Silence(
            options.getMembers().size(),
            TimeUnit.MILLISECONDS.toNanos(SILENT_TAKEOVERS * options.getTakeoverMs()),
            System.nanoTime());
    this.machine =
        new GroupMachine(
            options, self, history.log().record(), history::end, this, System.nanoTime());
  }

  // Callers

  Intake offer(long clientId, long sequence, ByteBuffer body, int offset, int length) {
    lock.lock();
    try {
      if (failure != null || closing || !leader.isLeading()) {
        return Intake.NOT_PRIMARY;
      }
      if (!machine.mayAccept(System.nanoTime())) {
        return Intake.UNAVAILABLE;
      }
      return leader.take(clientId, sequence, body, offset, length);
    } catch (RuntimeException | Error e) {
      fail("it failed with a message of client " + clientId, e);
      return Intake.NOT_PRIMARY;
    } finally {
      lock.unlock();
    }
  }

  /** Has a source offer what it has, all under one lock, and sends and stores it. */
  int poll(MessageSource source, ProcessorGroup group) {
    lock.lock();
    try {
      int offered = source.poll(group);
      if (offered > 0 && isPart()) {
        flushLocked();
      }
      return offered;
    } catch (RuntimeException | Error e) {
      fail("its source of messages failed", e);
      return 0;
    } finally {
      lock.unlock();
    }
  }

  void flush() {
    lock.lock();
    try {
      if (isPart()) {
        flushLocked();
      }
    } catch (RuntimeException | Error e) {
      fail("it cannot write its log", e);
    } finally {
      lock.unlock();
    }
  }

  /** Whether another thread has done something for {@link #collect}; any thread. */
  boolean hasNews() {
    return history.hasNews() || replies.hasNews();
  }

  /**
   * Takes in what other threads have done for the group: written its log, given out replies.
   *
   * @param waitNs how long to wait for the lock
   * @return false if that was not enough
   */
  boolean collect(long waitNs) {
    if (!tryLock(waitNs)) {
      return false;
    }
    try {
      if (isPart()) {
        collectLocked();
      }
    } catch (RuntimeException | Error e) {
      fail("it cannot go on", e);
    } finally {
      lock.unlock();
    }
    return true;
  }

  private boolean tryLock(long waitNs) {
    try {
      return lock.tryLock(waitNs, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void collectLocked() {
    history.collect();
    replies.collect();
    if (leader.isLeading()) {
      leader.onHeld();
      complete();
      leader.flush();
    } else {
      backup.onHeld();
    }
  }

  private void flushLocked() {
    if (leader.isLeading()) {
      leader.flush();
      complete();
    }
  }

  private void complete() {
    leader.complete(machine.inSync(), machine.mayAccept(System.nanoTime()));
  }

  /** Lets time pass; to be called every few ms. */
  void tick() {
    run("it cannot go on", this::tickLocked);
  }

  private void tickLocked() {
    long nowNs = System.nanoTime();
    machine.tick(nowNs);
    dropSilent(nowNs);
    collectLocked();
    if (leader.isSettled() && history.takeSnapshotIfDue()) {
      feeder.wake();
    }
  }

  private void dropSilent(long nowNs) {
    silence.tick(nowNs);
    for (int member = 0; member < options.getMembers().size(); member++) {
      if (member != self && silence.isOver(member)) {
        transport.drop(member);
      }
    }
  }

  // Other members

  @Override
  public void onFrame(int from, ByteBuffer frame) {
    lock.lock();
    try {
      if (isPart()) {
        handle(from, frame);
      }
    } catch (RuntimeException | Error e) {
      fail("it cannot handle a frame of " + name(from), e);
    } finally {
      lock.unlock();
    }
  }

  private void handle(int from, ByteBuffer frame) {
    long nowNs = System.nanoTime();
    silence.heard(from, nowNs);
    int type = Frames.type(frame);
    long epoch = Frames.epoch(frame);
    if (type == Frames.CONTROL) {
      onControl(from, frame, nowNs);
      return;
    }
    if (type == Frames.GONE) {
      // As good as a process that is gone: it will neither acknowledge nor stand any more.
      lost(from);
      refused(from);
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
    machine.onControl(from, control, nowNs);
    if (leader.isLeading()
        && control.primary() == self
        && control.epoch() == leader.epoch()
        && !control.has(Control.BEHIND)) {
      // In case its last acknowledgement did not get through.
      leader.onEnd(from, control.end());
    }
    flushLocked();
  }

  private void onBackup(int from, int type, ByteBuffer frame, long nowNs) {
    int content = Frames.content(frame);
    long first = frame.getLong(content);
    if (type == Frames.FOLLOW) {
      leader.onFollow(from, new LogEnd(first, frame.getLong(content + Long.BYTES)));
      return;
    }
    leader.onAck(from, first);
    countOn(from, nowNs);
    complete();
    leader.flush();
  }

  private void countOn(int member, long nowNs) {
    if (!machine.isInSync(member) && leader.hasCaughtUp(member)) {
      machine.onCaughtUp(member, nowNs);
    }
  }

  /** The feeder has sent a member everything; it may have answered already. Under the lock. */
  void wentLive(int member) {
    countOn(member, System.nanoTime());
  }

  @Override
  public void onConnected(int member) {
    run("it cannot go on", () -> connected(member));
  }

  private void connected(int member) {
    machine.onConnected(member, System.nanoTime());
    if (machine.role() == Role.BACKUP && machine.primary() == member) {
      backup.follow(member, machine.epoch());
    }
  }

  @Override
  public void onLost(int member) {
    run("it cannot go on", () -> lost(member));
  }

  private void lost(int member) {
    leader.followers().drop(member);
    machine.onLost(member, System.nanoTime());
    flushLocked();
  }

  @Override
  public void onRefused(int member) {
    run("it cannot go on", () -> refused(member));
  }

  private void refused(int member) {
    machine.onRefused(member, System.nanoTime());
    flushLocked();
  }

  // What the machine decides

  @Override
  public void send(int member, Control control) {
    boolean behind = history.held().position() < history.end().position();
    Frames.begin(small, Frames.CONTROL, control.epoch());
    (behind ? control.with(Control.BEHIND) : control).encode(small);
    transport.send(member, small.flip());
  }

  @Override
  public void save(GroupRecord record) {
    boolean changed = record.inSync() != history.log().record().inSync();
    history.log().save(record);
    if (changed && leader.isLeading()) {
      LOG.info(
          "group {}: in sync are {} in epoch {}",
          options.getName(),
          names(record.inSync()),
          record.epoch());
    }
  }

  @Override
  public void lead(long epoch) {
    backup.stop();
    leader.begin(epoch);
    LOG.info(
        "group {}: {} is primary of epoch {} from position {} on",
        options.getName(),
        name(self),
        epoch,
        history.end().position());
    roleChanged(Role.PRIMARY, epoch);
  }

  @Override
  public void follow(int primary, long epoch) {
    leader.end();
    LOG.info(
        "group {}: {} follows {} in epoch {}", options.getName(), name(self), name(primary), epoch);
    roleChanged(Role.BACKUP, epoch);
    backup.follow(primary, epoch);
  }

  @Override
  public void idle() {
    leader.end();
    backup.stop();
    LOG.info("group {}: {} has no role: {}", options.getName(), name(self), machine.reason());
    roleChanged(Role.WAITING, machine.epoch());
  }

  private void roleChanged(Role role, long epoch) {
    roleChanges++;
    replies.onRole(role, epoch);
  }

  // The threads of the group, and those who look

  Feeder feeder() {
    return feeder;
  }

  Leader leader() {
    return leader;
  }

  boolean hasFailed() {
    lock.lock();
    try {
      return failure != null;
    } finally {
      lock.unlock();
    }
  }

  /** Takes no further message. */
  void refuseAll() {
    lock.lock();
    closing = true;
    lock.unlock();
  }

  /** As primary it owes no reply; any other replica owes none. */
  boolean isDone() {
    lock.lock();
    try {
      return failure != null || !leader.isLeading() || leader.owesNothing();
    } finally {
      lock.unlock();
    }
  }

  /** Hands the role over, if it has it and another member can take it. */
  void stepDown() {
    run(
        "it cannot hand over",
        () -> {
          machine.stepDown("is stopping", System.nanoTime());
          sayGone();
        });
  }

  /** Lets the others go on without this replica; it must not take part any more. */
  private void sayGone() {
    gone = true;
    Frames.begin(small, Frames.GONE, leader.epoch()).flip();
    for (int member = 0; member < options.getMembers().size(); member++) {
      if (member != self) {
        transport.send(member, small);
      }
    }
  }

  GroupStats stats() {
    lock.lock();
    try {
      boolean alive = failure == null;
      boolean leading = alive && leader.isLeading();
      LogEnd end = history.end();
      return new GroupStats(
          alive ? machine.role() : Role.WAITING,
          machine.epoch(),
          machine.primary() < 0 ? null : name(machine.primary()),
          Integer.bitCount(machine.inSync()),
          leading && machine.mayAccept(System.nanoTime()),
          alive ? machine.reason() : "has failed: " + failure,
          history.log().start(),
          end.epoch(),
          end.position(),
          leading ? leader.heldBy(machine.inSync()) : 0,
          leader.accepted(),
          leader.completed(),
          leader.answeredAgain(),
          leader.busy(),
          leader.batches(),
          history.replayed(),
          roleChanges);
    } finally {
      lock.unlock();
    }
  }

  private boolean isPart() {
    return failure == null && !gone;
  }

  private void run(String failing, Runnable step) {
    lock.lock();
    try {
      if (isPart()) {
        step.run();
      }
    } catch (RuntimeException | Error e) {
      fail(failing, e);
    } finally {
      lock.unlock();
    }
  }

  /** A thread that does a part of the work has failed. */
  void failed(String what, Throwable cause) {
    lock.lock();
    try {
      fail(what, cause);
    } finally {
      lock.unlock();
    }
  }

  /** Ends this replica for good: it does not know its state any more, or cannot store it. */
  void fail(String what, Throwable cause) {
    if (failure == null) {
      LOG.error("group {}: {} stops: {}", options.getName(), name(self), what, cause);
      failure = cause;
      leader.followers().dropAll();
      sayGone();
      replies.onRole(Role.WAITING, leader.epoch());
    }
  }

  private String name(int member) {
    return options.getMembers().get(member);
  }

  private String names(int members) {
    return IntStream.range(0, options.getMembers().size())
        .filter(member -> (members & 1 << member) != 0)
        .mapToObj(this::name)
        .collect(Collectors.joining(" "));
  }
}
