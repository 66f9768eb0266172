package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.threads.Turn;
import dev.weir.queue.store.UninterruptibleThread;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that lets time pass for many replicas. It does not wait for a replica that is busy: who
 * keeps it busy lets the time pass.
 */
final class TickThread {
  private static final Logger LOG = LoggerFactory.getLogger(TickThread.class);
  private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A replica with work or without its role is looked at as often as this. */
  private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Looks for work of the feeder that nobody has asked for, as a thread of its own would. */
  private static final long FEED_NS = TimeUnit.SECONDS.toNanos(1);

  private static final int TICKS_PER_HEARTBEAT = 4;

  private final UninterruptibleThread thread;
  private final List<Ticking> replicas = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** After what time a replica is due again; used by the thread only. */
  private long pauseNs;

  TickThread(String name) {
    this.thread = new UninterruptibleThread(this::loop, name);
    thread.start();
  }

  /** The passing time of a replica, which does not begin yet. */
  Ticking ticking(GroupReplica replica, GroupOptions options, Runnable feeder) {
    return new Ticking(replica, TimeUnit.MILLISECONDS.toNanos(options.getHeartbeatMs()), feeder);
  }

  private void loop() {
    while (!closed) {
      long nowNs = System.nanoTime();
      pauseNs = MAX_PAUSE_NS;
      for (Iterator<Ticking> next = replicas.iterator(); next.hasNext(); ) {
        Turn.run(() -> tick(next, nowNs));
      }
      long spentNs = System.nanoTime() - nowNs;
      LockSupport.parkNanos(this, Math.max(1, pauseNs - spentNs));
    }
  }

  /** Ticks some: what the first ones send must not wait long for the others. */
  private void tick(Iterator<Ticking> next, long nowNs) {
    long startNs = System.nanoTime();
    do {
      pauseNs = Math.min(pauseNs, next.next().tickIfDue(nowNs));
    } while (next.hasNext() && System.nanoTime() - startNs < Turn.MAX_NS);
  }

  void end() {
    closed = true;
    LockSupport.unpark(thread);
    thread.awaitEnd();
  }

  /** The passing time of one replica. */
  final class Ticking {
    private final GroupReplica replica;
    private final long restingNs;
    private final Runnable feeder;
    private long nextNs = System.nanoTime();
    private long feedNs = nextNs;
    private boolean ended;

    private Ticking(GroupReplica replica, long heartbeatNs, Runnable feeder) {
      this.replica = replica;
      this.restingNs = heartbeatNs / TICKS_PER_HEARTBEAT;
      this.feeder = feeder;
    }

    void start() {
      replicas.add(this);
      LockSupport.unpark(thread);
    }

    /** Returns after what time it is due again, ns. */
    private synchronized long tickIfDue(long nowNs) {
      if (ended) {
        return MAX_PAUSE_NS;
      }
      if (nowNs - nextNs < 0) {
        return nextNs - nowNs;
      }
      long periodNs = restingNs;
      try {
        if (!replica.tickIfFree()) {
          periodNs = Math.min(periodNs, BUSY_NS);
        }
      } catch (RuntimeException e) {
        LOG.error("{} could not let time pass", thread.getName(), e);
      }
      if (nowNs - feedNs >= 0) {
        feedNs = nowNs + FEED_NS;
        feeder.run();
      }
      // At the same instants for all replicas: the thread wakes once for all of them.
      nextNs = nowNs - Math.floorMod(nowNs, periodNs) + periodNs;
      return nextNs - nowNs;
    }

    /** Waits for the current tick; there is none after it. */
    void close() {
      replicas.remove(this);
      synchronized (this) {
        ended = true;
      }
    }
  }
}
