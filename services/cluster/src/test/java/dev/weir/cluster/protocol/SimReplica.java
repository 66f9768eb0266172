package dev.weir.cluster.protocol;

import dev.weir.cluster.Role;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * A simulated member: a clock, a disk, a machine under test, and the least replication that makes
 * its decisions matter.
 */
final class SimReplica implements ProtocolEffects {
  private enum Process {
    RUNNING,
    STOPPED,
    DEAD
  }

  final int index;
  private final GroupSimulation sim;
  private final double rate;
  private final long offsetNs;
  private final Queue<SimEvent> inbox = new ArrayDeque<>();
  private Process process = Process.DEAD;
  private int start;

  // On disk.
  GroupRecord record = GroupRecord.NONE;
  final List<SimEntry> log = new ArrayList<>();

  // In memory.
  GroupMachine machine;
  private boolean synced;
  private int[] held;
  private int[] target;
  private int completed;
  private boolean continuous;

  SimReplica(GroupSimulation sim, int index) {
    this.sim = sim;
    this.index = index;
    rate = 0.95 + sim.random.nextDouble() / 10;
    offsetNs = sim.between(-1_000_000_000_000L, 1_000_000_000_000L);
  }

  long clockNs() {
    return offsetNs + (long) (sim.nowNs * rate);
  }

  boolean isRunning() {
    return process == Process.RUNNING;
  }

  boolean isDead() {
    return process == Process.DEAD;
  }

  /** As it said last. */
  boolean isContinuous() {
    return continuous;
  }

  boolean mayAccept() {
    return isRunning() && machine.mayAccept(clockNs());
  }

  void start() {
    if (!isDead()) {
      return;
    }
    process = Process.RUNNING;
    start++;
    synced = false;
    held = null;
    trace("starts with " + record + ", " + log.size() + " messages");
    machine = new GroupMachine(sim.settings.options(), index, record, this::end, this, clockNs());
    tick(start);
  }

  void kill() {
    if (!isDead()) {
      trace("is killed");
      process = Process.DEAD;
      inbox.clear();
      sim.network.died(index);
    }
  }

  void stop() {
    if (isRunning()) {
      trace("is stopped");
      process = Process.STOPPED;
    }
  }

  void resume() {
    if (process == Process.STOPPED) {
      trace("is continued");
      process = Process.RUNNING;
      if (sim.random.nextBoolean()) {
        machine.tick(clockNs());
        complete();
        sim.check();
      }
      drain(start);
    }
  }

  void stepDown() {
    if (isRunning()) {
      trace("is told to step down");
      machine.stepDown("was told to", clockNs());
    }
  }

  /** The end of the log did not survive the process. */
  void tear() {
    int left = sim.random.nextInt(log.size() + 1);
    trace("has lost its messages from " + left + " on");
    log.subList(left, log.size()).clear();
  }

  void wipe() {
    trace("has lost its disk");
    record = GroupRecord.NONE;
    log.clear();
  }

  private void tick(int life) {
    if (life != start || isDead()) {
      return;
    }
    long heartbeatNs = sim.settings.options().getHeartbeatMs() * 1_000_000L;
    sim.after(sim.between(heartbeatNs / 2, heartbeatNs), () -> tick(life));
    if (isRunning()) {
      machine.tick(clockNs());
      complete();
    }
  }

  /** The transport reports something; the replica's thread sees it a little later. */
  void report(SimEvent event) {
    if (isDead()) {
      return;
    }
    inbox.add(event);
    int life = start;
    long delayNs = sim.random.nextInt(50) == 0 ? 30_000_000 : 500_000;
    sim.after(sim.between(0, delayNs), () -> drain(life));
  }

  private void drain(int life) {
    while (life == start && isRunning() && !inbox.isEmpty()) {
      handle(inbox.remove());
      complete();
      sim.check();
    }
  }

  private void handle(SimEvent event) {
    int member = event.member();
    long now = clockNs();
    if (event instanceof SimEvent.Received received) {
      receive(member, received.frame(), now);
      return;
    }
    trace(event);
    if (event instanceof SimEvent.Connected) {
      machine.onConnected(member, now);
      greet();
    } else if (event instanceof SimEvent.Lost) {
      if (member == machine.primary()) {
        synced = false;
      }
      if (held != null) {
        held[member] = -1;
        target[member] = -1;
      }
      machine.onLost(member, now);
    } else {
      machine.onRefused(member, now);
    }
  }

  private void receive(int from, SimFrame frame, long now) {
    if (frame instanceof SimFrame.Roles roles) {
      machine.onControl(from, roles.control(), now);
    } else if (frame instanceof SimFrame.Hello hello) {
      machine.onEpoch(from, hello.epoch(), now);
      bring(from, hello);
    } else if (frame instanceof SimFrame.Held end) {
      machine.onEpoch(from, end.epoch(), now);
      onHeld(from, end, now);
    } else if (frame instanceof SimFrame.Sync sync) {
      machine.onEpoch(from, sync.epoch(), now);
      onSync(from, sync);
    } else if (frame instanceof SimFrame.Append append) {
      machine.onEpoch(from, append.epoch(), now);
      onAppend(from, append);
    }
  }

  // A backup.

  private void greet() {
    if (machine.role() == Role.BACKUP && !synced) {
      send(machine.primary(), new SimFrame.Hello(machine.epoch(), List.copyOf(log)));
    }
  }

  private void onSync(int from, SimFrame.Sync sync) {
    if (machine.accepts(from, sync.epoch())) {
      trace("keeps " + sync.keep() + " of " + log.size() + ", gets " + sync.rest().size());
      log.subList(sync.keep(), log.size()).clear();
      log.addAll(sync.rest());
      synced = true;
      send(from, new SimFrame.Held(sync.epoch(), log.size()));
    }
  }

  private void onAppend(int from, SimFrame.Append append) {
    if (synced && machine.accepts(from, append.epoch())) {
      sim.require(append.position() == log.size(), index + " gets messages without a gap");
      log.add(append.entry());
      send(from, new SimFrame.Held(append.epoch(), log.size()));
    }
  }

  // The primary.

  void accept(long id) {
    if (mayAccept()) {
      SimEntry entry = new SimEntry(machine.epoch(), id);
      for (int i = 0; i < held.length; i++) {
        if (target[i] >= 0) {
          send(i, new SimFrame.Append(machine.epoch(), log.size(), entry));
        }
      }
      log.add(entry);
      complete();
    }
  }

  private void bring(int to, SimFrame.Hello hello) {
    if (machine.role() != Role.PRIMARY || hello.epoch() != machine.epoch()) {
      return;
    }
    int same = 0;
    while (same < Math.min(log.size(), hello.log().size())
        && log.get(same).equals(hello.log().get(same))) {
      same++;
    }
    held[to] = -1;
    target[to] = log.size();
    List<SimEntry> rest = List.copyOf(log.subList(same, log.size()));
    send(to, new SimFrame.Sync(machine.epoch(), same, rest));
  }

  private void onHeld(int from, SimFrame.Held end, long now) {
    if (machine.role() == Role.PRIMARY && end.epoch() == machine.epoch() && target[from] >= 0) {
      held[from] = end.end();
      if (end.end() >= target[from] && !machine.isInSync(from)) {
        machine.onCaughtUp(from, now);
      }
    }
  }

  /** Acknowledges what all in sync hold. */
  private void complete() {
    if (!mayAccept()) {
      return;
    }
    int end = log.size();
    for (int i = 0; i < held.length; i++) {
      if (i != index && machine.isInSync(i) && !sim.settings.eager()) {
        end = Math.min(end, held[i]);
      }
    }
    for (; completed < end; completed++) {
      sim.acknowledged(this, completed, log.get(completed));
    }
  }

  boolean holds(int position, SimEntry entry) {
    return position < log.size() && log.get(position).equals(entry);
  }

  private LogEnd end() {
    return log.isEmpty() ? LogEnd.EMPTY : new LogEnd(log.get(log.size() - 1).epoch(), log.size());
  }

  private void send(int member, SimFrame frame) {
    sim.network.send(index, member, frame);
  }

  @Override
  public void send(int member, Control control) {
    switch (control.type()) {
      case HEARTBEAT, HEARTBEAT_ACK -> {}
      default -> trace("-> " + sim.name(member) + " " + control);
    }
    continuous = control.has(Control.CONTINUOUS);
    send(member, new SimFrame.Roles(control));
  }

  @Override
  public void save(GroupRecord changed) {
    trace("saves " + changed);
    sim.require(changed.epoch() >= record.epoch(), index + " never goes back to a lower epoch");
    sim.require(
        record.compareInSync(changed.inSyncEpoch(), changed.version()) <= 0,
        index + " never goes back to an earlier in-sync set");
    record = changed;
  }

  @Override
  public void lead(long epoch) {
    trace("IS PRIMARY of epoch " + epoch + " with " + log.size() + " messages");
    held = new int[sim.settings.members()];
    target = new int[sim.settings.members()];
    Arrays.fill(held, -1);
    Arrays.fill(target, -1);
    completed = 0;
    sim.leads(this, epoch);
  }

  @Override
  public void follow(int primary, long epoch) {
    trace("follows " + sim.name(primary) + " in epoch " + epoch);
    synced = false;
    held = null;
    sim.after(0, this::greetIfRunning);
  }

  private void greetIfRunning() {
    if (isRunning()) {
      greet();
    }
  }

  @Override
  public void idle(long epoch, String why) {
    trace("rests");
    synced = false;
    held = null;
  }

  private void trace(Object what) {
    sim.trace(sim.name(index) + " " + what);
  }

  @Override
  public String toString() {
    return sim.name(index)
        + " "
        + process
        + (machine == null ? "" : " " + machine.role() + ": " + machine.reason())
        + " "
        + record
        + " "
        + log.size();
  }
}
