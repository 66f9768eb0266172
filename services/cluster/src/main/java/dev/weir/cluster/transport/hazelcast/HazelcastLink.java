package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.server.ServerConnection;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.Loss;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.Probe;
import dev.weir.cluster.transport.Transport;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One other member of the group, connected or not. Two ends are connected when each has named the
 * other's {@link Session}; whatever names another one is from before or after and not delivered.
 *
 * <p>What comes from the other side, and the passing of time, are steps: they are done one after
 * the other by whichever thread brings one in while none is being done, so the receiver is called
 * by one thread at a time and no lock is held.
 */
final class HazelcastLink {
  private static final Logger LOG = LoggerFactory.getLogger(HazelcastLink.class);

  /** After so long without a look at this link its process has been stopped. */
  private static final long STOP_NS = 2 * HazelcastWire.TICK_NS;

  private static final int PROBE_MS = 200;
  private static final long LOOK_NS = 10_000;

  private final HazelcastWire wire;
  private final String group;
  private final int member;
  private final String name;
  private final int queueBytes;
  private final byte[] agreement;
  private final Transport.Receiver receiver;

  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
  private final AtomicInteger stepsDue = new AtomicInteger();
  private final AtomicBoolean lossDue = new AtomicBoolean();
  private volatile Thread stepping;

  /** Held while a frame is numbered and sent, never during a call to the receiver. */
  private final Object lock = new Object();

  private Session own;
  private volatile Session theirs = Session.NONE;
  private ServerConnection connection;
  private long sentFrames;
  private long sentBytes;
  private long confirmedBytes;
  private long toldBytes;
  private volatile boolean closed;

  // Only in steps; what other threads read is volatile.
  private final Map<Long, byte[]> early = new HashMap<>();
  private final Gap gap;
  private long handledFrames;
  private volatile long handledBytes;
  private boolean warned;
  private volatile Loss loss;

  HazelcastLink(HazelcastWire wire, GroupOptions options, int member, Transport.Receiver receiver) {
    FrameLimits limits = FrameLimits.of(options);
    this.wire = wire;
    this.group = options.getName();
    this.member = member;
    this.name = options.getMembers().get(member);
    this.queueBytes = limits.queueBytes();
    this.agreement =
        ("members "
                + String.join(",", options.getMembers())
                + " and frames of "
                + limits.maxFrameBytes()
                + " bytes")
            .getBytes(StandardCharsets.UTF_8);
    this.receiver = receiver;
    // Operations overtake each other by a few microseconds, by more where no CPU is free. When a
    // lease is over nothing is acknowledged anyway, and no backup has taken over yet.
    this.gap = new Gap(TimeUnit.MILLISECONDS.toNanos(options.getLeaseMs()), STOP_NS);
    this.own = wire.newSession();
  }

  boolean send(ByteBuffer frame) {
    int bytes = frame.remaining();
    synchronized (lock) {
      long cost = bytes + FrameOperation.OVERHEAD_BYTES;
      if (connection == null || closed || sentBytes + cost - confirmedBytes > queueBytes) {
        return false;
      }
      byte[] copy = new byte[bytes];
      frame.get(frame.position(), copy);
      sentBytes += cost;
      boolean sent =
          wire.send(connection, operation(FrameOperation.Kind.FRAME).with(sentFrames++, copy));
      if (!sent) {
        wire.wake();
      }
      return sent;
    }
  }

  private FrameOperation operation(FrameOperation.Kind kind) {
    return new FrameOperation(kind, group, wire.self(), own, theirs, handledBytes);
  }

  /** Takes what the other side says; any thread. */
  void receive(FrameOperation operation) {
    synchronized (lock) {
      // At once, because steps may have to wait for a receiver.
      if (operation.session().equals(theirs) && operation.known().equals(own)) {
        confirmedBytes = Math.max(confirmedBytes, operation.handledBytes());
      }
    }
    if (operation.kind() != FrameOperation.Kind.HANDLED) {
      step(() -> accept(operation));
    }
  }

  /**
   * Looks after the link; by the wire's thread. It makes a step only of what is rare: who makes one
   * may have to do those of others for as long as they come.
   */
  void tick() {
    long missing = gap.look(System.nanoTime());
    ServerConnection over;
    synchronized (lock) {
      over = connection;
      if (over != null && handledBytes != toldBytes) {
        tell();
      }
    }
    if (over == null) {
      tickDisconnected();
    } else if ((!over.isAlive() || gap.isOpen(missing)) && lossDue.compareAndSet(false, true)) {
      step(() -> giveUp(over, missing));
    }
  }

  private void giveUp(ServerConnection over, long missing) {
    lossDue.set(false);
    if (connection == over && (!over.isAlive() || gap.isOpen(missing))) {
      LOG.info(
          "connection to {} is lost: {}",
          name,
          over.isAlive() ? "frame " + handledFrames + " is missing" : "closed");
      lose();
    }
  }

  private void tickDisconnected() {
    Loss last = loss;
    if (last != null
        && !last.isRefused()
        && Probe.ask(last.address, PROBE_MS) == Probe.Answer.REFUSED) {
      last.refuse();
      step(() -> tellRefused(last));
    }
    Peer peer = wire.find(name);
    if (peer != null && !isGone(peer, last)) {
      synchronized (lock) {
        wire.send(peer, operation(FrameOperation.Kind.HELLO).with(0, agreement));
      }
    }
  }

  private void tellRefused(Loss last) {
    if (loss == last && last.takeRefused()) {
      receiver.onRefused(member);
    }
  }

  /** Whether this is the process that was connected last and is known to be gone. */
  private boolean isGone(Peer peer, Loss last) {
    return last != null && last.isRefused() && peer.incarnation() == theirs.incarnation();
  }

  private void step(Runnable step) {
    steps.add(step);
    if (stepsDue.getAndIncrement() == 0) {
      stepping = Thread.currentThread();
      do {
        run(steps.remove());
      } while (stepsDue.decrementAndGet() > 0);
    }
  }

  private void run(Runnable step) {
    if (closed) {
      return;
    }
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.error("what {} says was not handled; its connection is given up", name, e);
      giveUp();
    }
  }

  private void giveUp() {
    try {
      if (connection != null) {
        lose();
      }
    } catch (RuntimeException | Error e) {
      LOG.error("the loss of {} was not handled", name, e);
    }
  }

  private void accept(FrameOperation operation) {
    FrameOperation.Kind kind = operation.kind();
    if (!isNewOrCurrent(operation) || !agrees(operation)) {
      return;
    }
    boolean knowsUs = operation.known().equals(own);
    if (knowsUs && connection == null && kind != FrameOperation.Kind.BYE) {
      connect(operation.getConnection());
    }
    boolean connected = connection != null;
    if (kind == FrameOperation.Kind.HELLO && connected == knowsUs) {
      wire.send(
          operation.getConnection(),
          operation(connected ? FrameOperation.Kind.WELCOME : FrameOperation.Kind.HELLO)
              .with(0, agreement));
    } else if (kind == FrameOperation.Kind.FRAME && connected && knowsUs) {
      take(operation);
    } else if (kind == FrameOperation.Kind.BYE && connected && knowsUs) {
      lose();
    }
  }

  /** False if it is from before; if it is from a new session over there, the old one is lost. */
  private boolean isNewOrCurrent(FrameOperation operation) {
    Session session = operation.session();
    if (session.isBefore(theirs)) {
      return false;
    }
    if (!session.equals(theirs)) {
      if (connection != null) {
        lose();
      }
      synchronized (lock) {
        theirs = session;
      }
    }
    return true;
  }

  private boolean agrees(FrameOperation operation) {
    boolean greets =
        operation.kind() == FrameOperation.Kind.HELLO
            || operation.kind() == FrameOperation.Kind.WELCOME;
    boolean agrees = !greets || Arrays.equals(agreement, operation.bytes());
    if (!agrees && !warned) {
      warned = true;
      LOG.warn(
          "cannot connect {} with {}: there are {}, here {}",
          group,
          name,
          text(operation.bytes()),
          text(agreement));
    }
    return agrees;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void connect(ServerConnection over) {
    early.clear();
    handledFrames = 0;
    gap.close();
    loss = null;
    synchronized (lock) {
      handledBytes = 0;
      toldBytes = 0;
      sentFrames = 0;
      sentBytes = 0;
      confirmedBytes = 0;
      connection = over;
    }
    receiver.onConnected(member);
  }

  private void lose() {
    Address address = connection.getRemoteAddress();
    synchronized (lock) {
      connection = null;
      own = wire.newSession();
    }
    loss = new Loss(new InetSocketAddress(address.getHost(), address.getPort()));
    wire.wake();
    receiver.onLost(member);
  }

  private void take(FrameOperation operation) {
    if (operation.sequence() > handledFrames) {
      early.put(operation.sequence(), operation.bytes());
      gap.open();
      return;
    }
    byte[] frame = operation.bytes();
    while (frame != null && connection != null && !closed) {
      handledFrames++;
      receiver.onFrame(member, ByteBuffer.wrap(frame));
      handledBytes += frame.length + FrameOperation.OVERHEAD_BYTES;
      frame = early.remove(handledFrames);
    }
    if (early.isEmpty()) {
      gap.close();
    } else {
      gap.openNext();
    }
    synchronized (lock) {
      if (connection != null && handledBytes - toldBytes > queueBytes / 4) {
        tell();
      }
    }
  }

  /** Lets the other side know how much has been handled. With the lock. */
  private void tell() {
    toldBytes = handledBytes;
    wire.send(connection, operation(FrameOperation.Kind.HANDLED));
  }

  /** Ends the connection; blocks until no step is being done, unless it is called by one. */
  void close() {
    synchronized (lock) {
      if (connection != null) {
        wire.send(connection, operation(FrameOperation.Kind.BYE));
      }
      closed = true;
    }
    while (stepsDue.get() > 0 && stepping != Thread.currentThread()) {
      LockSupport.parkNanos(this, LOOK_NS);
    }
  }
}
