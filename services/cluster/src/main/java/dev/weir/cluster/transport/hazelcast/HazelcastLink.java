package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.server.ServerConnection;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Loss;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.Transport;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link to one other member of a group. Its two ends are connected when each has named the
 * other's {@link LinkSession}; messages that name another session are ignored.
 *
 * <p>Messages and losses are handled as tasks, one at a time and without a lock, by the thread that
 * brings them. So one thread at a time calls the receiver.
 */
final class HazelcastLink {
  private static final Logger LOG = LoggerFactory.getLogger(HazelcastLink.class);

  /** A longer time between two ticks means that this process was stopped. */
  private static final long MAX_TICK_NS = 2 * HazelcastWire.TICK_NS;

  private final HazelcastWire wire;
  private final String group;
  private final int member;
  private final Supplier<GroupAgreement> agreement;
  private final Transport.Receiver receiver;
  private final LinkSender sender;
  private final SerialExecutor tasks = new SerialExecutor(this::run);

  /** Name of the other member; {@link Membership#VACANT} if there is none any more. */
  private volatile String name;

  /** The connection, if there is one, is that of a member that had the slot before. */
  private volatile boolean renamed;

  // Used by tasks only, except for the looks at the gap.
  private final GapTimer gap;
  private final ReorderBuffer frames;

  /**
   * What the other end tells, if it is of the version before and agrees: some of these refuse what
   * is not the same to the letter. Null otherwise.
   */
  private volatile byte[] olderGreeting;

  /** The difference that was logged last. */
  private String warned = "";

  /** The last loss; null if the link was never connected, or is connected again. */
  private volatile Loss loss;

  /** Of the process that was connected last; written before {@link #loss}. */
  private long lostIncarnation;

  /** A task that looks after a loss waits or runs. */
  private final AtomicBoolean lossTask = new AtomicBoolean();

  HazelcastLink(
      HazelcastWire wire,
      GroupOptions options,
      Supplier<GroupAgreement> agreement,
      int member,
      String name,
      Transport.Receiver receiver) {
    this.wire = wire;
    this.group = options.getName();
    this.member = member;
    this.name = name;
    this.agreement = agreement;
    this.receiver = receiver;
    this.sender = new LinkSender(wire, group, FrameLimits.of(options).queueBytes());
    // Operations overtake each other by microseconds, or by more if no CPU is free. After the lease
    // the primary acknowledges nothing anyway, and no backup has taken over yet.
    this.gap = new GapTimer(TimeUnit.MILLISECONDS.toNanos(options.getLeaseMs()), MAX_TICK_NS);
    this.frames = new ReorderBuffer(gap);
  }

  /** What this end has to share with the other one, in words that the other one understands. */
  private byte[] greeting() {
    byte[] older = olderGreeting;
    return older == null ? agreement.get().text().getBytes(StandardCharsets.UTF_8) : older;
  }

  /** Another member has the slot, or none; the next tick ends the connection. */
  void rename(String newName) {
    if (!newName.equals(name)) {
      name = newName;
      renamed = true;
    }
  }

  private void leave() {
    if (sender.connection() != null) {
      lose();
    }
    loss = null;
  }

  boolean send(ByteBuffer frame) {
    return !renamed && sender.send(frame);
  }

  /** Handles a message of the other end; any thread. */
  void receive(FrameOperation message) {
    // Not in a task, because tasks may wait for a receiver that waits for room to send.
    sender.confirm(message);
    if (message.kind() != FrameOperation.Kind.HANDLED) {
      tasks.execute(() -> accept(message));
    }
  }

  /**
   * Looks after the link; called periodically by the wire's thread. It adds tasks only for rare
   * events: a thread that adds a task may have to run those of others for as long as they come.
   */
  void tick() {
    long missing = gap.look(System.nanoTime());
    if (renamed) {
      renamed = false;
      tasks.execute(this::leave);
    }
    ServerConnection connection = sender.reportAll();
    if (connection == null) {
      probeLost();
      greet();
    } else if (isBroken(connection, missing) && lossTask.compareAndSet(false, true)) {
      tasks.execute(() -> loseIfBroken(connection, missing));
    }
  }

  private boolean isBroken(ServerConnection connection, long missing) {
    return !connection.isAlive() || gap.isOpen(missing);
  }

  private void loseIfBroken(ServerConnection connection, long missing) {
    lossTask.set(false);
    if (sender.connection() == connection && isBroken(connection, missing)) {
      LOG.info(
          "group {}: the connection to {} is lost: {}",
          group,
          name,
          connection.isAlive() ? "frame " + frames.nextSequence() + " is missing" : "closed");
      lose();
    }
  }

  /** Asks whether the process that was connected last is gone, and reports it once if so. */
  private void probeLost() {
    Loss last = loss;
    if (last != null && !last.isRefused() && wire.probes().isRefused(last)) {
      last.refuse();
      tasks.execute(() -> reportRefused(last));
    }
  }

  private void reportRefused(Loss last) {
    if (loss == last && last.takeRefused()) {
      receiver.onRefused(member);
    }
  }

  private void greet() {
    Peer peer = wire.find(name);
    if (peer != null && !isGone(peer)) {
      sender.greet(peer, greeting());
    }
  }

  /** Whether this is the process that was connected last and is known to be gone. */
  private boolean isGone(Peer peer) {
    Loss last = loss;
    return last != null && last.isRefused() && peer.incarnation() == lostIncarnation;
  }

  private void run(Runnable task) {
    if (sender.isClosed()) {
      return;
    }
    try {
      task.run();
    } catch (Throwable e) {
      LOG.error("a message of {} was not handled; its connection is closed", name, e);
      loseAfterFailure();
    }
  }

  private void loseAfterFailure() {
    try {
      if (sender.connection() != null) {
        lose();
      }
    } catch (Throwable e) {
      LOG.error("the loss of {} was not handled", name, e);
    }
  }

  private void accept(FrameOperation message) {
    if (!isNewOrCurrent(message) || !agrees(message)) {
      return;
    }
    FrameOperation.Kind kind = message.kind();
    boolean knowsUs = sender.isKnownTo(message);
    if (knowsUs && sender.connection() == null && kind != FrameOperation.Kind.BYE) {
      connect(message.getConnection());
    }
    boolean connected = sender.connection() != null;
    if (kind == FrameOperation.Kind.HELLO && connected == knowsUs) {
      sender.answer(message.getConnection(), greeting());
    } else if (kind == FrameOperation.Kind.FRAME && connected && knowsUs) {
      receiveFrame(message);
    } else if (kind == FrameOperation.Kind.BYE && connected && knowsUs) {
      lose();
    }
  }

  /** False for a message of an old session. A new session of the other end ends the current one. */
  private boolean isNewOrCurrent(FrameOperation message) {
    LinkSession session = message.session();
    LinkSession current = sender.theirs();
    if (session.isBefore(current)) {
      return false;
    }
    if (!session.equals(current)) {
      if (sender.connection() != null) {
        lose();
      }
      sender.setTheirs(session);
    }
    return true;
  }

  /** False for a greeting of a member with other options, which must not be connected. */
  private boolean agrees(FrameOperation message) {
    if (!message.kind().isGreeting() || Arrays.equals(greeting(), message.bytes())) {
      return true;
    }
    GroupAgreement own = agreement.get();
    GroupAgreement theirs =
        GroupAgreement.parse(new String(message.bytes(), StandardCharsets.UTF_8));
    String difference = own.difference(theirs, wire.self(), name);
    olderGreeting = difference == null && theirs.isBefore(own) ? message.bytes() : null;
    if (difference == null) {
      return true;
    }
    if (!warned.equals(difference)) {
      warned = difference;
      LOG.warn("cannot connect {} with {}: {}", group, name, difference);
    }
    return false;
  }

  private void connect(ServerConnection connection) {
    frames.reset();
    loss = null;
    sender.connect(connection);
    receiver.onConnected(member);
  }

  private void lose() {
    Address address = sender.connection().getRemoteAddress();
    sender.disconnect();
    lostIncarnation = sender.theirs().incarnation();
    loss = new Loss(new InetSocketAddress(address.getHost(), address.getPort()));
    wire.wake();
    receiver.onLost(member);
  }

  private void receiveFrame(FrameOperation message) {
    byte[] frame = frames.add(message.sequence(), message.bytes());
    if (frame == null) {
      return;
    }
    while (frame != null && sender.connection() != null && !sender.isClosed()) {
      receiver.onFrame(member, ByteBuffer.wrap(frame));
      sender.addHandled(frame.length);
      frame = frames.next();
    }
    sender.reportIfDue();
  }

  /** Ends the connection; blocks until no task runs, unless a task calls it. */
  void close() {
    sender.close();
    tasks.awaitIdle();
  }
}
