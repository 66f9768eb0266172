package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.Role;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.MemberChange;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.replica.ClientHistory.Reply;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.Handling;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.NoState;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.state.StateReplication;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.NoTransport;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * One process of a simulated member: the real replica, on a disk, a clock and a network that are
 * not. What other threads of a process do, happens between its calls and, while a step of its
 * catch-up runs, at each frame that the step sends.
 */
final class SimProcess implements ReplicaClock, ReplyOutlet {
  private static final long MS = SimWorld.MS;

  private enum Life {
    RUNNING,
    STOPPED,
    /** Its replica has said that it takes no part any more; its connections are still there. */
    GONE,
    DEAD
  }

  /** What a process knows of the connection to another member. */
  static final class Link {
    SimNetwork.Connection connection;
    SimNetwork.Connection last;
    SimProcess process;
    boolean mayRefuse;
  }

  private final SimWorld world;
  private final SimGroup group;
  private final SimNetwork network;
  private final int place;
  private final int member;
  private final GroupOptions options;
  private final SimDisk disk;
  private final String name;
  private GroupAgreement agreement;
  private Membership known;
  private final double rate;
  private final long offsetNs;
  private final long wallMs;
  private final Link[] links;
  private final Queue<Consumer<ReplicaCore>> inbox = new ArrayDeque<>();
  private Life life = Life.RUNNING;
  private long frozenNs;

  /** Since when the clock stands still; -1 if it does not. */
  private long frozenSinceNs = -1;

  private ReplicaCore core;
  private final int version;

  /** A step of the catch-up is in progress. */
  private boolean catchesUp;

  /** The thread of the catch-up is at work, outside the lock. */
  private boolean inStep;

  SimProcess(
      SimGroup group, int place, int member, String name, GroupOptions options, SimDisk disk) {
    this.world = group.world();
    this.group = group;
    this.network = group.network();
    this.place = place;
    this.member = member;
    this.name = name;
    this.options = options;
    this.disk = disk;
    version = group.version();
    known = Membership.of(disk.record(), options);
    agreement = GroupAgreement.of(options, "test");
    if (disk.record().membership() != null) {
      agreement = agreement.with(known);
    }
    rate = 0.95 + world.random.nextDouble() / 10;
    offsetNs = world.between(-1_000_000 * MS, 1_000_000 * MS);
    wallMs = 1_000_000 + world.random.nextInt(60_000);
    links = new Link[Membership.SLOTS];
    for (int i = 0; i < links.length; i++) {
      links[i] = new Link();
    }
  }

  /** Begins; to be called once. */
  void begin() {
    trace("starts with " + disk.record() + ", log from " + disk.start() + " to " + disk.end());
    disk.attach(this::othersWorkInStep);
    guard(
        () -> {
          int maxBytes = options.getMaxMessageBytes();
          Sessions sessions =
              new Sessions(
                  options.getReplyWindow(),
                  maxBytes,
                  options.getMaxClients(),
                  options.getClientExpiryMs());
          History history = new History(options, log(), sessions, handling(sessions, maxBytes));
          if (group.persistsLater()) {
            disk.buffer();
            history.persistLater(this::isInTurn);
          }
          Sender sender = new Sender();
          core =
              new ReplicaCore(
                  options,
                  member,
                  history,
                  this,
                  (message, cause) -> {},
                  sender,
                  this,
                  this::othersWork,
                  this::catchUp);
        });
    tick();
    look();
  }

  private Handling handling(Sessions sessions, int maxBytes) {
    if (known.witness() == member) {
      return new NoState();
    }
    return group.isInState()
        ? new StateReplication(new SimStateProcessor(version, this::handled), sessions, maxBytes)
        : new EventSourcing(new SimProcessor(version, this::handled), sessions, maxBytes);
  }

  private void handled(int itsVersion) {
    world.require(
        itsVersion <= version, () -> this + " is not given a message of version " + itsVersion);
    group.handled(itsVersion);
  }

  /** The version of the application that its processor states. */
  int version() {
    return version;
  }

  /** The disk, or a thread that writes it. */
  private TransactionLog log() {
    return options.getThreads().getPersister() == null
        ? disk
        : new SimPersister(world, this, disk, options).log();
  }

  /** Whether the thread of the present event is in a turn, at whose end the log is written. */
  private boolean isInTurn() {
    boolean inTurn = !world.once(4);
    if (inTurn) {
      world.after(world.between(0, 2 * MS), () -> whileRunning(this::takeIn));
    }
    return inTurn;
  }

  /** By the thread that writes the log. */
  void whileRunning(Runnable work) {
    if (life == Life.RUNNING) {
      guard(work);
    }
  }

  void takeIn() {
    if (core != null) {
      core.collect();
    }
  }

  private final class Sender extends NoTransport {
    @Override
    public void members(Membership members) {
      trace("knows the members " + members);
      if (members.slot(name) < 0) {
        return;
      }
      agreement = agreement.with(members);
      for (int slot = 0; slot < links.length; slot++) {
        if (!members.name(slot).equals(known.name(slot))) {
          network.leave(SimProcess.this, slot);
        }
      }
      known = members;
      if (core.leader().isLeading()) {
        group.changed(members);
      }
    }

    @Override
    public boolean send(int to, ByteBuffer frame) {
      if (inStep && world.once(3)) {
        othersWork();
      }
      return life != Life.DEAD && network.send(SimProcess.this, to, frame);
    }

    @Override
    public void drop(int to) {
      network.breakConnection(SimProcess.this, to);
    }
  }

  /** Time passes for the thread of the catch-up, which holds no lock. */
  private void othersWork() {
    boolean step = inStep;
    inStep = false;
    do {
      world.runUntil(world.nowNs() + world.between(MS / 10, 5 * MS));
    } while (life == Life.STOPPED);
    inStep = step;
    if (life == Life.DEAD) {
      core.catchUp().close();
    }
  }

  /** Without the lock only; the thread that holds it is alone. */
  private void othersWorkInStep() {
    if (inStep) {
      othersWork();
    }
  }

  private void guard(Runnable step) {
    try {
      step.run();
    } catch (SimDisk.Crash e) {
      trace("crashes at a save");
      group.crash(this);
    } catch (SimDisk.Full e) {
      trace("fails at a save");
      if (core == null) {
        group.crash(this);
      } else {
        sayGone();
        group.fails(this);
      }
    } catch (RuntimeException e) {
      throw world.broken(this + " goes on; it fails: " + e, e);
    }
  }

  private void look() {
    if (life != Life.DEAD) {
      network.look(this);
      world.after(world.between(MS, 9 * MS), this::look);
    }
  }

  private void tick() {
    if (life == Life.DEAD) {
      return;
    }
    long heartbeatNs = options.getHeartbeatMs() * MS;
    world.after(world.between(heartbeatNs / 2, heartbeatNs), this::tick);
    if (life == Life.RUNNING) {
      guard(core::tick);
      catchUp();
      group.check();
      if (life == Life.RUNNING && core.machine().exclusion() != null) {
        trace("ends: " + core.machine().exclusion());
        guard(this::sayGone);
      }
    }
  }

  /**
   * Asks for a change of the members.
   *
   * @return why it is refused; null if it has begun
   */
  String change(MemberChange change) {
    String[] refusal = {"does not run"};
    if (life == Life.RUNNING) {
      guard(
          () -> {
            try {
              core.change(change);
              refusal[0] = null;
            } catch (IllegalStateException e) {
              refusal[0] = e.getMessage();
            }
          });
    }
    return refusal[0];
  }

  Membership membership() {
    return known;
  }

  String name() {
    return name;
  }

  /** The transport reports something; the replica's thread sees it a little later. */
  void report(Consumer<ReplicaCore> event) {
    if (life != Life.DEAD) {
      inbox.add(event);
      world.after(world.between(0, world.once(50) ? 30 * MS : MS / 2), this::drain);
    }
  }

  private void drain() {
    while (life == Life.RUNNING && !inbox.isEmpty()) {
      Consumer<ReplicaCore> event = inbox.remove();
      guard(() -> event.accept(core));
      group.check();
    }
  }

  private void catchUp() {
    if (!catchesUp) {
      catchesUp = true;
      world.after(world.between(0, 2 * MS), this::planStep);
    }
  }

  /** Work that comes while the step is planned is part of the plan: there is one step at a time. */
  private void planStep() {
    CatchUp.Step[] next = new CatchUp.Step[1];
    if (life == Life.RUNNING) {
      guard(() -> next[0] = core.catchUp().next());
    }
    catchesUp = next[0] != null;
    if (catchesUp) {
      world.after(world.between(0, MS), () -> runStep(next[0]));
    }
  }

  private void runStep(CatchUp.Step step) {
    if (life == Life.STOPPED) {
      world.after(5 * MS, () -> runStep(step));
    } else if (life == Life.RUNNING) {
      inStep = true;
      guard(() -> step.run(() -> {}));
      inStep = false;
      world.after(world.between(0, MS), () -> complete(step));
    }
  }

  private void complete(CatchUp.Step step) {
    if (life == Life.STOPPED) {
      world.after(5 * MS, () -> complete(step));
    } else if (life == Life.RUNNING) {
      guard(step::complete);
      planStep();
    }
  }

  OfferResult offer(long client, long sequence, ByteBuffer body, int bytes) {
    OfferResult[] result = {OfferResult.NOT_PRIMARY};
    if (life == Life.RUNNING) {
      guard(() -> result[0] = core.offer(client, sequence, body, 0, bytes));
    }
    return result[0];
  }

  void release(long client, long before) {
    if (life == Life.RUNNING) {
      guard(() -> core.leader().release(client, before));
    }
  }

  void flush() {
    if (life == Life.RUNNING) {
      guard(core::flush);
    }
  }

  void stepDown() {
    trace("is told to step down");
    guard(core::stepDown);
  }

  /** Gives up the role to the member of a slot, who may be lost, or to any if there is none. */
  void handOver(int slot) {
    String to = membership().name(slot);
    trace("is told to hand over to " + to);
    guard(() -> core.handOver(to));
  }

  /**
   * The replica takes no part any more, and says so, as one that is closed or has failed.
   *
   * @param fails whether it does not step down before
   */
  void leave(boolean fails) {
    if (life == Life.RUNNING) {
      trace(fails ? "fails" : "leaves");
      guard(
          () -> {
            if (!fails) {
              core.stepDown();
            }
            sayGone();
          });
    }
  }

  private void sayGone() {
    core.leader().followers().dropAll();
    core.sayGone();
    life = Life.GONE;
  }

  /**
   * The process stops for a while.
   *
   * @param clock whether its clock stops too
   */
  void stop(boolean clock) {
    if (life == Life.RUNNING) {
      trace(clock ? "is suspended with its clock" : "is stopped");
      life = Life.STOPPED;
      frozenSinceNs = clock ? world.nowNs() : -1;
    }
  }

  void resume() {
    if (life != Life.STOPPED) {
      return;
    }
    trace("is continued");
    life = Life.RUNNING;
    if (frozenSinceNs >= 0) {
      frozenNs += world.nowNs() - frozenSinceNs;
      frozenSinceNs = -1;
    }
    if (world.random.nextBoolean()) {
      guard(core::tick);
      group.check();
    }
    drain();
  }

  /** The process is gone. */
  void end() {
    life = Life.DEAD;
    inbox.clear();
    disk.detach();
    for (Link link : links) {
      link.connection = null;
    }
    if (core != null) {
      core.catchUp().close();
    }
  }

  boolean isRunning() {
    return life == Life.RUNNING;
  }

  /** Whether its connections are looked after; what they bring may be ignored. */
  boolean isConnecting() {
    return life == Life.RUNNING || life == Life.GONE;
  }

  boolean isDead() {
    return life == Life.DEAD;
  }

  boolean isAccepting() {
    return life == Life.RUNNING && core.isAccepting();
  }

  boolean isPrimary() {
    return life == Life.RUNNING && core.leader().isLeading();
  }

  long epoch() {
    return core.machine().epoch();
  }

  boolean isContinuous() {
    return core.machine().isContinuous();
  }

  int inSync() {
    return core.machine().inSync();
  }

  String reason() {
    return core.machine().reason();
  }

  int place() {
    return place;
  }

  int member() {
    return member;
  }

  /** What another process must have the same to be connected. */
  GroupAgreement agreement() {
    return agreement;
  }

  Link link(int other) {
    return links[other];
  }

  @Override
  public long nanoTime() {
    long now = frozenSinceNs >= 0 ? frozenSinceNs : world.nowNs();
    return offsetNs + (long) ((now - frozenNs) * rate);
  }

  @Override
  public long timeMs() {
    return wallMs + world.nowNs() / MS;
  }

  @Override
  public boolean offer(
      boolean rejected, long client, long sequence, ByteBuffer buffer, int offset, int length) {
    world.require(rejected || length == SimProcessor.REPLY_BYTES, "the reply is whole");
    group.history().acknowledge(this, disk.head(), client, sequence);
    group.clients().reply(client, sequence, rejected ? Reply.REJECTED : Reply.read(buffer, offset));
    return true;
  }

  @Override
  public void onRole(Role role, long epoch) {
    trace(role + " in epoch " + epoch + ", log to " + disk.end());
    if (role == Role.PRIMARY) {
      Membership members = Membership.of(disk.record(), options);
      world.require(members.witness() != member, "a witness is never primary");
      world.require(members.slot(name) == member, "who was taken out is never primary");
      group.history().leads(toString(), epoch, disk.head());
      group.changed(members);
    }
  }

  private void trace(String what) {
    world.trace(this + " " + what);
  }

  @Override
  public String toString() {
    return name + (group.isTwin(place) ? "'" : "");
  }
}
