package dev.weir.cluster;

import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Members of one process that exchange frames in memory; links can stall, members can die. */
public final class LocalNetwork implements AutoCloseable {
  private final LocalTransport[] transports;
  private final Set<Integer> stalled = new HashSet<>();
  private final List<ArrayDeque<Runnable>> held = new ArrayList<>();

  /** A larger frame is refused, as real transports do. */
  private volatile int maxFrameBytes = Integer.MAX_VALUE;

  LocalNetwork(int members) {
    transports = new LocalTransport[members];
    for (int i = 0; i < members * members; i++) {
      held.add(new ArrayDeque<>());
    }
  }

  void limit(int frameBytes) {
    maxFrameBytes = frameBytes;
  }

  /** A new transport of a member; the one it had must be dead. */
  synchronized Transport transport(int member) {
    transports[member] = new LocalTransport(member);
    return transports[member];
  }

  /** Frames between the two wait from now on. */
  public synchronized void stall(int one, int other) {
    stalled.add(link(one, other));
    stalled.add(link(other, one));
  }

  /** Frames of one to the other wait from now on. */
  public synchronized void stallOneWay(int from, int to) {
    stalled.add(link(from, to));
  }

  public synchronized void goOn(int one, int other) {
    for (int link : new int[] {link(one, other), link(other, one)}) {
      stalled.remove(link);
      held.get(link).forEach(Runnable::run);
      held.get(link).clear();
    }
  }

  /** The member's process is gone; the others notice. */
  void kill(int member) {
    LocalTransport dead;
    synchronized (this) {
      dead = transports[member];
      transports[member] = null;
      for (int other = 0; other < transports.length; other++) {
        held.get(link(member, other)).clear();
        held.get(link(other, member)).clear();
        if (transports[other] != null && dead.started) {
          Transport.Receiver receiver = transports[other].receiver;
          deliver(member, other, () -> receiver.onLost(member));
          deliver(member, other, () -> receiver.onRefused(member));
        }
      }
    }
    dead.end();
  }

  private int link(int from, int to) {
    return from * transports.length + to;
  }

  private void deliver(int from, int to, Runnable event) {
    LocalTransport receiver = transports[to];
    if (receiver != null) {
      if (stalled.contains(link(from, to))) {
        held.get(link(from, to)).add(() -> receiver.events.add(event));
      } else {
        receiver.events.add(event);
      }
    }
  }

  private synchronized void join(LocalTransport joining) {
    joining.started = true;
    for (LocalTransport other : transports) {
      if (other != null && other != joining && other.started) {
        deliver(joining.member, other.member, () -> other.receiver.onConnected(joining.member));
        deliver(other.member, joining.member, () -> joining.receiver.onConnected(other.member));
      }
    }
  }

  private synchronized boolean send(LocalTransport from, int to, ByteBuffer frame) {
    if (frame.remaining() > maxFrameBytes) {
      throw new IllegalArgumentException("a frame has " + frame.remaining() + " bytes");
    }
    // A place that no member has gets frames too: nobody receives them.
    LocalTransport receiver = to < transports.length ? transports[to] : null;
    if (receiver == null || !receiver.started || transports[from.member] != from) {
      return false;
    }
    ByteBuffer copy = ByteBuffer.allocate(frame.remaining());
    copy.put(0, frame, frame.position(), frame.remaining());
    deliver(from.member, to, () -> receiver.receiver.onFrame(from.member, copy));
    return true;
  }

  /** All processes are gone at once: none of them notices that the others are. */
  @Override
  public void close() {
    List<LocalTransport> dead = new ArrayList<>();
    synchronized (this) {
      for (int member = 0; member < transports.length; member++) {
        if (transports[member] != null) {
          dead.add(transports[member]);
          transports[member] = null;
        }
      }
    }
    dead.forEach(LocalTransport::end);
  }

  private final class LocalTransport implements Transport {
    private final int member;
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private Thread thread;
    private Receiver receiver;
    private boolean started;
    private volatile boolean ended;

    LocalTransport(int member) {
      this.member = member;
    }

    @Override
    public void start(Receiver receiver) {
      this.receiver = receiver;
      thread = new Thread(this::run, "weir-local-" + member);
      thread.start();
      join(this);
    }

    private void run() {
      try {
        while (!ended) {
          events.take().run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void end() {
      ended = true;
      events.add(() -> {});
      try {
        if (thread != null && thread != Thread.currentThread()) {
          thread.join();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public boolean send(int to, ByteBuffer frame) {
      return LocalNetwork.this.send(this, to, frame);
    }

    @Override
    public void members(Membership members) {
      // They stay.
    }

    @Override
    public void drop(int to) {
      // Links stall and go on.
    }

    @Override
    public int poll() {
      return 0;
    }

    @Override
    public void close() {
      boolean mine;
      synchronized (LocalNetwork.this) {
        mine = transports[member] == this;
      }
      if (mine) {
        kill(member);
      }
    }
  }
}
