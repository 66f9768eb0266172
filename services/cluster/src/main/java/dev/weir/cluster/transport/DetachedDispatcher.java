package dev.weir.cluster.transport;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Replication;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.threads.DutyThread;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.threads.RecordRing;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport that calls its receiver by a thread of its own; threads that read only copy frames
 * into a ring. If links are polled, a second thread polls them.
 */
public final class DetachedDispatcher implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(DetachedDispatcher.class);
  private static final long RETRY_NS = TimeUnit.MICROSECONDS.toNanos(10);
  private static final int FRAME = 0;
  private static final int CONNECTED = 1;
  private static final int LOST = 2;
  private static final int REFUSED = 3;

  private final Transport transport;
  private final RecordRing ring;
  private final DutyThread thread;

  /** Null if the transport has threads of its own. */
  private final DutyThread reader;

  private Receiver receiver;

  public DetachedDispatcher(Transport transport, GroupOptions options, GroupThreads threads) {
    FrameLimits limits = FrameLimits.of(options);
    this.transport = transport;
    this.ring = new RecordRing(limits.maxFrameBytes(), limits.queueBytes());
    this.thread =
        threads.thread(GroupDuty.DISPATCHER, options.getThreads().getDispatcher(), this::work);
    boolean polled =
        options.getReplication() == Replication.TCP && options.getLinkWaiting() == Waiting.SPIN;
    this.reader = polled ? threads.thread(GroupDuty.LINK_READER, Waiting.SPIN, this::read) : null;
  }

  @Override
  public void start(Receiver newReceiver) {
    receiver = newReceiver;
    thread.start();
    transport.start(new Queue());
    if (reader != null) {
      reader.start();
    }
  }

  private boolean read() {
    return transport.poll() > 0 && !reader.isClosing();
  }

  private boolean work() {
    if (!ring.peek() || thread.isClosing()) {
      return false;
    }
    int member = (int) ring.first();
    try {
      handle(ring.tag(), member);
    } catch (Throwable e) {
      LOG.error("an event of member {} was not handled; its connection is closed", member, e);
      transport.drop(member);
    }
    ring.remove();
    return true;
  }

  private void handle(int event, int member) {
    switch (event) {
      case FRAME -> receiver.onFrame(member, ring.content());
      case CONNECTED -> receiver.onConnected(member);
      case LOST -> receiver.onLost(member);
      default -> receiver.onRefused(member);
    }
  }

  /** Adds events to the ring; several threads may read. */
  private final class Queue implements Receiver {
    @Override
    public void onFrame(int from, ByteBuffer frame) {
      add(FRAME, from, frame, frame.remaining());
    }

    @Override
    public void onConnected(int member) {
      add(CONNECTED, member, null, 0);
    }

    @Override
    public void onLost(int member) {
      add(LOST, member, null, 0);
    }

    @Override
    public void onRefused(int member) {
      add(REFUSED, member, null, 0);
    }

    /** Waits for room in the ring, so that a thread that reads too fast is slowed. */
    private synchronized void add(int event, int member, ByteBuffer frame, int bytes) {
      int at = frame == null ? 0 : frame.position();
      while (!ring.offer(event, member, 0, frame, at, bytes) && !thread.isClosing()) {
        LockSupport.parkNanos(this, RETRY_NS);
      }
      thread.wake();
    }
  }

  @Override
  public boolean send(int member, ByteBuffer frame) {
    return transport.send(member, frame);
  }

  @Override
  public void members(Membership members) {
    transport.members(members);
  }

  @Override
  public void drop(int member) {
    transport.drop(member);
  }

  /** Does nothing: another thread polls. */
  @Override
  public int poll() {
    return 0;
  }

  /** Discards frames that were read but not handled. */
  @Override
  public void close() {
    thread.close();
    if (reader != null) {
      reader.close();
    }
    transport.close();
  }
}
