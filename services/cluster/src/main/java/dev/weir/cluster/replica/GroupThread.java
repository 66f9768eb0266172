package dev.weir.cluster.replica;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.MessageSource;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.Transport;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The main loop of a group: lets time pass and polls the message source. In a spinning group it
 * also polls the transport and collects the work of detached threads.
 */
public final class GroupThread implements Runnable {
  private static final long MAX_TICK_NS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int TICKS_PER_HEARTBEAT = 4;

  private final GroupReplica replica;
  private final Transport transport;
  private final MessageSource source;
  private final GroupThreads threads;
  private final Waiting waiting;
  private final long tickNs;
  private volatile boolean closing;

  public GroupThread(
      GroupReplica replica,
      Transport transport,
      MessageSource source,
      GroupThreads threads,
      GroupOptions options) {
    this.replica = replica;
    this.transport = transport;
    this.source = source;
    this.threads = threads;
    this.waiting = options.getWaiting();
    this.tickNs =
        Math.min(
            MAX_TICK_NS,
            TimeUnit.MILLISECONDS.toNanos(options.getHeartbeatMs()) / TICKS_PER_HEARTBEAT);
  }

  public void close() {
    closing = true;
  }

  @Override
  public void run() {
    threads.begin(GroupDuty.PROCESSOR);
    long nextTickNs = System.nanoTime();
    while (!closing && !replica.hasFailed()) {
      int work = source == null ? 0 : replica.poll(source);
      if (waiting == Waiting.SPIN) {
        work += transport.poll();
        work += replica.hasNews() && replica.collect(0) ? 1 : 0;
      }
      long nowNs = System.nanoTime();
      if (nowNs - nextTickNs >= 0) {
        replica.tick();
        nextTickNs = nowNs + tickNs;
      } else if (work == 0) {
        rest(nextTickNs - nowNs);
      }
    }
  }

  private void rest(long untilTickNs) {
    if (waiting == Waiting.SPIN) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(this, untilTickNs);
    }
  }
}
