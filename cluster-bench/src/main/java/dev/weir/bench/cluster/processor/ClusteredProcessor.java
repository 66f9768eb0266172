package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.load.Clock;
import dev.weir.bench.load.RoundResult;
import dev.weir.cluster.GroupStats;
import dev.weir.cluster.MessageSink;
import dev.weir.cluster.MessageSource;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A group in this process, with the driver inside. If the group spins and there is no injector, the
 * group's own thread makes the messages and takes the replies. Otherwise the driver's thread makes
 * the messages, and the thread that completes a message takes its reply.
 *
 * <p>All of this happens under the group's lock. Only a detached sender of replies does not have
 * that lock; then the lock of this object protects the round.
 */
final class ClusteredProcessor implements ProcessorUnderTest, MessageSource, ReplySink {
  private static final long CLIENT = 1;
  private static final int IDLE_CHECK_EVERY = 4_096;
  private static final long FULL_WAIT_NS = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Clock clock = Clock.system();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final boolean ownInjector;
  private ProcessorGroup group;
  private boolean detachedReplies;
  private Waiting waiting;
  private volatile Injection current;
  private CountDownLatch done;
  private boolean begun;
  private int idle;

  /**
   * A processor without a group yet.
   *
   * @param ownInjector whether the driver's thread makes the messages even if the group spins
   */
  ClusteredProcessor(boolean ownInjector) {
    this.ownInjector = ownInjector;
  }

  /** The source from which the group's thread fetches messages; null with an own injector. */
  MessageSource source() {
    return ownInjector ? null : this;
  }

  /** Adds a resource that {@link #close} closes, in the opposite order of adding. */
  void add(AutoCloseable resource) {
    open.push(resource);
  }

  /** Takes the running group and waits until it accepts with this many members in sync. */
  void start(ProcessorGroup running, int members, Duration patience)
      throws IOException, InterruptedException {
    group = running;
    waiting = running.options().getWaiting();
    detachedReplies = running.options().getThreads().getReplies() != null;
    long endNs = System.nanoTime() + patience.toNanos();
    GroupStats stats = running.stats();
    while (!stats.accepting() || stats.inSync() < members) {
      if (System.nanoTime() - endNs > 0) {
        throw new IOException("the group does not accept after " + patience + ": " + stats);
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_NS);
      stats = running.stats();
    }
  }

  @Override
  public long batches() {
    return group.stats().batches();
  }

  @Override
  public boolean offer(long sequence, ByteBuffer body, int offset, int length) {
    return group.offer(CLIENT, sequence, body, offset, length) == OfferResult.ACCEPTED;
  }

  /** Does nothing: replies come through {@link #onReply}. */
  @Override
  public int poll(Replies replies) {
    return 0;
  }

  @Override
  public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    Injection injection = current;
    if (injection == null) {
      return;
    }
    if (detachedReplies) {
      synchronized (this) {
        injection.onReply(sequence, buffer, offset, length);
      }
    } else {
      injection.onReply(sequence, buffer, offset, length);
    }
  }

  @Override
  public int poll(MessageSink polled) {
    if (detachedReplies) {
      synchronized (this) {
        return poll();
      }
    }
    return poll();
  }

  private int poll() {
    Injection injection = current;
    if (injection == null) {
      return 0;
    }
    if (!begun) {
      begun = true;
      injection.begin();
    }
    int sent = injection.doWork(this);
    idle = sent > 0 ? 0 : idle + 1;
    if (injection.isDone() || idle % IDLE_CHECK_EVERY == 1 && injection.isStuck()) {
      current = null;
      done.countDown();
    }
    return sent;
  }

  @Override
  public RoundResult run(Injection injection) throws InterruptedException {
    done = new CountDownLatch(1);
    begun = false;
    idle = 0;
    current = injection;
    if (waiting == Waiting.SPIN && !ownInjector) {
      done.await();
    } else {
      drive(injection);
    }
    return injection.result();
  }

  private void drive(Injection injection) {
    while (done.getCount() > 0) {
      if (group.poll(this) == 0) {
        rest(injection.dueNs());
      }
    }
  }

  /** Waits without the group's lock, which other threads need. */
  private void rest(long dueNs) {
    if (dueNs - clock.nanoTime() <= 0) {
      LockSupport.parkNanos(this, FULL_WAIT_NS);
    } else if (ownInjector) {
      while (dueNs - clock.nanoTime() > 0) {
        Thread.onSpinWait();
      }
    } else {
      clock.awaitUntil(dueNs);
    }
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        failure = new IOException("the processor cannot be closed", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
