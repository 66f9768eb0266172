package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.GroupView;
import dev.weir.cluster.MessageSink;
import dev.weir.cluster.MessageSource;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.RejectionListener;
import dev.weir.cluster.Role;
import dev.weir.cluster.State;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.protocol.MemberChange;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.state.History;
import dev.weir.cluster.threads.GroupCallbacks;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of a group: a monitor around a {@link ReplicaCore}.
 *
 * <p>A thread that brings a message, a frame or a clock tick takes the lock and does all work that
 * follows. So no event is handed over between threads, and one spinning thread can run a whole
 * group. Detached threads write the log, send frames or deliver replies; {@link #collect} takes in
 * their results. A failure ends the replica; only a restart of the process brings it back.
 */
public final class GroupReplica implements MessageSink, GroupCallbacks, Transport.Receiver {
  private static final Logger LOG = LoggerFactory.getLogger(GroupReplica.class);
  private static final long CATCH_UP_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final GroupOptions options;
  private final int self;
  private final ReentrantLock lock = new ReentrantLock();
  private final History history;
  private final ReplyOutlet replies;
  private final CatchUpSteps catchUpSteps;
  private final ReplicaCore core;
  private final FailureLog sourceFailures;
  private boolean closing;

  /** This replica has told the others that it takes no part any more. */
  private boolean gone;

  private Throwable failure;

  /** Time passed while this replica was busy: who gives the lock back lets it pass. */
  private volatile boolean tickDue;

  public GroupReplica(
      GroupOptions options,
      int self,
      History history,
      ReplyOutlet replies,
      RejectionListener rejections,
      Transport transport) {
    this.options = options;
    this.self = self;
    this.history = history;
    this.replies = replies;
    this.sourceFailures = new FailureLog(LOG, options.getName());
    this.catchUpSteps = new CatchUpSteps(lock, this::catchUp, this);
    this.core =
        new ReplicaCore(
            options,
            self,
            history,
            replies,
            rejections,
            transport,
            ReplicaClock.SYSTEM,
            () -> LockSupport.parkNanos(CATCH_UP_PAUSE_NS),
            catchUpSteps::wake);
  }

  private CatchUp catchUp() {
    return core.catchUp();
  }

  /** Gives the lock back, after the time that passed meanwhile. */
  private void release() {
    if (tickDue && lock.getHoldCount() == 1) {
      tickDue = false;
      run("it cannot go on", this::pass);
    }
    lock.unlock();
  }

  @Override
  public GroupOptions options() {
    return new GroupOptions(options);
  }

  @Override
  public OfferResult offer(long clientId, long sequence, ByteBuffer body, int offset, int length) {
    lock.lock();
    try {
      return failure != null || closing
          ? OfferResult.NOT_PRIMARY
          : core.offer(clientId, sequence, body, offset, length);
    } catch (Throwable e) {
      fail("it failed with a message of client " + clientId, e);
      return OfferResult.NOT_PRIMARY;
    } finally {
      release();
    }
  }

  @Override
  public void releaseReplies(long clientId, long before) {
    run("it cannot go on", () -> core.leader().release(clientId, before));
  }

  /** Has the state read by a primary that may acknowledge; one whose disk fails ends then. */
  public OfferResult read(State.Reader reader) {
    lock.lock();
    try {
      return isPart() && !closing ? core.read(reader) : OfferResult.NOT_PRIMARY;
    } catch (LogException e) {
      fail("it cannot read its state", e);
      return OfferResult.NOT_PRIMARY;
    } finally {
      release();
    }
  }

  /** Has the state read that this replica has at the moment. */
  public GroupStats readHere(Consumer<State> reader) {
    return locked(
        () -> {
          reader.accept(core.readable());
          return core.stats(failure);
        });
  }

  /** Polls a source under one lock and flushes what it offers. */
  public int poll(MessageSource source) {
    lock.lock();
    try {
      int offered = ask(source);
      if (offered > 0 && isPart()) {
        core.flush();
      }
      return offered;
    } catch (Throwable e) {
      fail("it cannot write its log", e);
      return 0;
    } finally {
      release();
    }
  }

  private int ask(MessageSource source) {
    try {
      return source.poll(this);
    } catch (Throwable e) {
      sourceFailures.add("its source of messages threw and is asked again", e);
      return 0;
    }
  }

  @Override
  public void flush() {
    run("it cannot write its log", core::flush);
  }

  @Override
  public boolean hasNews() {
    return history.hasNews() || replies.hasNews();
  }

  @Override
  public boolean collect(long waitNs) {
    if (!tryLock(waitNs)) {
      return false;
    }
    try {
      persist();
    } finally {
      lock.unlock();
    }
    return true;
  }

  /** Persists what was appended, and goes on with it; an interrupt changes nothing. */
  public void persist() {
    run("it cannot go on", core::collect);
  }

  private boolean tryLock(long waitNs) {
    try {
      return lock.tryLock(waitNs, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Lets time pass; must be called every few ms. */
  void tick() {
    run("it cannot go on", this::pass);
  }

  private void pass() {
    core.tick();
    core.requireMember();
  }

  /**
   * Lets time pass, unless this replica is busy: then time passes when it no longer is.
   *
   * @return whether this replica is at rest: it has its role and nothing to do
   */
  boolean tickIfFree() {
    if (!lock.tryLock()) {
      tickDue = true;
      return false;
    }
    try {
      tickDue = false;
      run("it cannot go on", this::pass);
      return !isPart() || core.isAtRest();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Changes the members of the group.
   *
   * @return the names of the members once it is made; fails if the role is lost before
   * @throws IllegalStateException with the reason if it is refused
   */
  public CompletionStage<List<String>> change(MemberChange change) {
    String refusal = "this member is not primary";
    lock.lock();
    try {
      refusal = isPart() && !closing ? core.change(change) : refusal;
      if (refusal == null) {
        return core.changed(change);
      }
    } catch (Throwable e) {
      fail("it cannot change its members", e);
      refusal = "it has failed: " + e;
    } finally {
      release();
    }
    throw new IllegalStateException(refusal);
  }

  /** The members, as far as this replica knows. */
  public Membership membership() {
    return locked(() -> core.machine().membership());
  }

  @Override
  public void onFrame(int from, ByteBuffer frame) {
    lock.lock();
    try {
      if (isPart()) {
        core.onFrame(from, frame);
      }
    } catch (Throwable e) {
      fail("it cannot handle a frame of " + core.machine().name(from), e);
    } finally {
      release();
    }
  }

  @Override
  public void onConnected(int member) {
    run("it cannot go on", () -> core.onConnected(member));
  }

  @Override
  public void onLost(int member) {
    run("it cannot go on", () -> core.onLost(member));
  }

  @Override
  public void onRefused(int member) {
    run("it cannot go on", () -> core.onRefused(member));
  }

  /** Brings other members up to date and writes snapshots. */
  CatchUpSteps catchUpSteps() {
    return catchUpSteps;
  }

  boolean hasFailed() {
    return locked(() -> failure != null);
  }

  /** Refuses all further messages. */
  public void refuseAll() {
    lock.lock();
    closing = true;
    lock.unlock();
  }

  /** Whether this replica has no reply to send: true unless it is a primary with open replies. */
  public boolean isDone() {
    Leader leader = core.leader();
    return locked(() -> failure != null || !leader.isLeading() || leader.hasNothingPending());
  }

  /** Gives up the role, if this replica has one, and tells the other members. */
  public void stepDown() {
    run(
        "it cannot hand over",
        () -> {
          core.stepDown();
          sayGone();
        });
  }

  /** Gives up the role of primary to the named backup, or to any for null; stays a member. */
  public void handOver(String to) {
    run("it cannot hand over", () -> core.handOver(to));
  }

  private void sayGone() {
    gone = true;
    core.sayGone();
  }

  public GroupStats stats() {
    return locked(() -> core.stats(failure));
  }

  /** The same with what is known of the other members, and the last changes of role. */
  public GroupView view() {
    return locked(() -> core.view(failure));
  }

  private boolean isPart() {
    return failure == null && !gone;
  }

  private <T> T locked(Supplier<T> look) {
    lock.lock();
    try {
      return look.get();
    } finally {
      release();
    }
  }

  private void run(String failing, Runnable step) {
    lock.lock();
    try {
      if (isPart()) {
        step.run();
      }
    } catch (Throwable e) {
      fail(failing, e);
    } finally {
      release();
    }
  }

  @Override
  public void failed(String what, Throwable cause) {
    lock.lock();
    try {
      fail(what, cause);
    } finally {
      lock.unlock();
    }
  }

  /** Ends this replica, because its state or its log is not reliable any more. */
  void fail(String what, Throwable cause) {
    if (failure == null) {
      if (cause instanceof TakenOutException) {
        LOG.info("group {}: the replica here ends: {}", options.getName(), cause.getMessage());
      } else {
        LOG.error("group {}: {} stops: {}", options.getName(), core.name(), what, cause);
      }
      failure = cause;
      core.leader().followers().dropAll();
      sayGone();
      core.failed();
      core.leader().loseReads();
      replies.onRole(Role.WAITING, core.leader().epoch());
    }
  }
}
