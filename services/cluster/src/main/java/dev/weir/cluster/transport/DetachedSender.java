package dev.weir.cluster.transport;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.threads.DutyThread;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.threads.RecordRing;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A transport that sends frames by a thread of its own. Each member has a queue, so that a member
 * that does not read delays no other.
 */
public final class DetachedSender implements Transport {
  private static final long RETRY_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private final Transport transport;
  private final FrameLimits limits;
  private final Queue[] queues;
  private final DutyThread thread;

  public DetachedSender(Transport transport, GroupOptions options, GroupThreads threads) {
    this.transport = transport;
    this.limits = FrameLimits.of(options);
    this.queues = new Queue[Membership.SLOTS];
    for (int member = 0; member < queues.length; member++) {
      queues[member] = new Queue(member);
    }
    this.thread = threads.thread(GroupDuty.SENDER, options.getThreads().getSender(), this::work);
  }

  /** The frames to one member that were not sent yet. */
  private final class Queue {
    private final int member;

    /**
     * Held while a frame is taken and sent and while a loss is recorded, not while one is queued.
     */
    private final Object sending = new Object();

    /** Allocated at the first connection; null before. */
    private volatile RecordRing frames;

    private volatile boolean connected;

    /** Number of losses; a frame that was queued before a loss is not sent after it. */
    private volatile long losses;

    Queue(int member) {
      this.member = member;
    }

    void connect() {
      if (frames == null) {
        frames = new RecordRing(limits.maxFrameBytes(), limits.queueBytes());
      }
      connected = true;
    }

    void lose() {
      synchronized (sending) {
        connected = false;
        losses++;
      }
    }

    synchronized boolean offer(ByteBuffer frame) {
      return connected && frames.offer(0, losses, 0, frame, frame.position(), frame.remaining());
    }

    /** Sends the oldest frame; false if there is none or the transport does not accept it. */
    boolean sendOne() {
      if (isEmpty()) {
        return false;
      }
      synchronized (sending) {
        if (!frames.peek()) {
          return false;
        }
        boolean late = frames.first() != losses;
        if (!late && !transport.send(member, frames.content())) {
          return false;
        }
        frames.remove();
        return true;
      }
    }

    boolean isEmpty() {
      return frames == null || frames.isEmpty();
    }
  }

  private boolean work() {
    boolean sent = false;
    boolean waits = false;
    for (Queue queue : queues) {
      sent |= queue.sendOne();
      waits |= !queue.isEmpty();
    }
    if (waits && !sent && !thread.isClosing()) {
      LockSupport.parkNanos(this, RETRY_NS);
      return true;
    }
    return sent;
  }

  @Override
  public void start(Receiver receiver) {
    thread.start();
    transport.start(new Watch(receiver));
  }

  /** Tracks which members are connected, and forwards everything to the receiver. */
  private final class Watch implements Receiver {
    private final Receiver receiver;

    Watch(Receiver receiver) {
      this.receiver = receiver;
    }

    @Override
    public void onFrame(int from, ByteBuffer frame) {
      receiver.onFrame(from, frame);
    }

    @Override
    public void onConnected(int member) {
      queues[member].connect();
      receiver.onConnected(member);
    }

    @Override
    public void onLost(int member) {
      queues[member].lose();
      receiver.onLost(member);
    }

    @Override
    public void onRefused(int member) {
      receiver.onRefused(member);
    }
  }

  @Override
  public boolean send(int member, ByteBuffer frame) {
    limits.check(frame);
    boolean taken = queues[member].offer(frame);
    thread.wake();
    return taken;
  }

  /** First sends what is queued, as far as the transport accepts it: a member that leaves waits. */
  @Override
  public void members(Membership members) {
    for (Queue queue : queues) {
      while (queue.sendOne()) {
        Thread.onSpinWait();
      }
    }
    transport.members(members);
  }

  @Override
  public void drop(int member) {
    transport.drop(member);
  }

  @Override
  public int poll() {
    return transport.poll();
  }

  /** Sends the queued frames that the transport accepts at once, and closes. */
  @Override
  public void close() {
    thread.close();
    transport.close();
  }
}
