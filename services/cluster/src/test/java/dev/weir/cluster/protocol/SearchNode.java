package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A member in a {@link SearchState}: its disk, and while it runs the machine under test with the
 * least replication that makes its decisions matter.
 */
final class SearchNode implements ProtocolEffects {
  private final SearchState state;
  private final int self;
  private final int slot;

  // On disk.
  private GroupRecord record = GroupRecord.NONE;
  private List<SearchState.Entry> log = List.of();
  private long disk;

  // In memory.
  private Supplier<LogEnd> end;
  private GroupMachine machine;
  private boolean synced;
  private int[] held;
  private int[] target;
  private int completed;

  /** By how much the clock of the process is ahead of the time of the state. */
  private long aheadNs;

  /** The digest of this node, and the moment for which it counts. */
  private long first;

  private long second;
  private long moment = -1;

  SearchNode(SearchState state, int self) {
    this.state = state;
    this.self = self;
    this.slot = state.slot(self);
    this.disk = self + 1;
  }

  /** The same node in a copy of the state. */
  SearchNode copyTo(SearchState other) {
    SearchNode copy = new SearchNode(other, self);
    copy.record = record;
    copy.log = log;
    copy.disk = disk;
    if (machine != null) {
      copy.aheadNs = aheadNs;
      copy.end = copy::end;
      Map<Object, Object> copies = StateDump.copies();
      copies.put(this, copy);
      copies.put(end, copy.end);
      copy.machine = (GroupMachine) StateDump.copy(machine, copies);
      copy.synced = synced;
      copy.held = held == null ? null : held.clone();
      copy.target = target == null ? null : target.clone();
      copy.completed = completed;
    }
    return copy;
  }

  SearchState state() {
    return state;
  }

  /** Adds this node, which does not change any more, to the digest of a state that has it. */
  void addTo(StateDump.Digest digest, SearchState holder) {
    if (moment != holder.moment()) {
      moment = holder.moment();
      StateDump.Digest own = holder.digest();
      add(own);
      first = own.first();
      second = own.second();
    }
    digest.add(first).add(second);
  }

  private void add(StateDump.Digest digest) {
    digest.add(record);
    digest.add(disk).add(log.size());
    for (SearchState.Entry entry : log) {
      digest.add(entry.epoch()).add(entry.id());
    }
    digest.add(machine == null ? 0 : 1);
    if (machine != null) {
      digest.add((Object) machine);
      digest.add(synced ? 1 : 2).add(completed);
      digest.add(held);
      digest.add(target);
    }
  }

  /** The members, as this node knows them while it runs. */
  Membership membership() {
    return machine.membership();
  }

  void change(MemberChange change) {
    machine.change(change, nowNs());
    complete();
  }

  boolean isUp() {
    return machine != null;
  }

  GroupMachine machine() {
    return machine;
  }

  List<SearchState.Entry> log() {
    return log;
  }

  boolean mayAccept(long nowNs) {
    return machine != null && machine.mayAccept(nowNs + aheadNs);
  }

  private long nowNs() {
    return state.nowNs() + aheadNs;
  }

  /**
   * A process starts.
   *
   * @param number differs from that of all other processes
   */
  void start(GroupOptions options, long number) {
    aheadNs = number << StateDump.TIME_BITS;
    end = this::end;
    machine = new GroupMachine(options, slot, record, disk, end, this, nowNs());
    machine.tick(nowNs());
  }

  void crash() {
    machine = null;
    end = null;
    synced = false;
    held = null;
    target = null;
    completed = 0;
    aheadNs = 0;
  }

  /** Whether nothing would be lost with the disk. */
  boolean isBlank() {
    return log.isEmpty() && record.equals(GroupRecord.NONE);
  }

  void wipe(long newDisk) {
    record = GroupRecord.NONE;
    log = List.of();
    disk = newDisk;
  }

  void tick() {
    machine.tick(nowNs());
    complete();
  }

  void connected(int member) {
    machine.onConnected(member, nowNs());
    greet();
  }

  void lost(int member) {
    if (member == machine.primary()) {
      synced = false;
    }
    if (held != null) {
      held[member] = -1;
      target[member] = -1;
    }
    machine.onLost(member, nowNs());
  }

  void refused(int member) {
    machine.onRefused(member, nowNs());
  }

  void receive(int from, Object frame) {
    if (frame instanceof Control control) {
      machine.onControl(from, control, nowNs());
    } else if (frame instanceof SearchState.Follow follow) {
      machine.onEpoch(from, follow.epoch(), nowNs());
      bring(from, follow);
    } else if (frame instanceof SearchState.Sync sync) {
      machine.onEpoch(from, sync.epoch(), nowNs());
      if (machine.accepts(from, sync.epoch())) {
        log = sync.log();
        synced = true;
        ack(from, sync.epoch());
      }
    } else if (frame instanceof SearchState.Append append) {
      machine.onEpoch(from, append.epoch(), nowNs());
      if (synced && machine.accepts(from, append.epoch())) {
        state.require(append.position() == log.size(), "messages come without a gap");
        log = plus(log, append.entry());
        ack(from, append.epoch());
      }
    } else if (frame instanceof SearchState.Ack ack) {
      machine.onEpoch(from, ack.epoch(), nowNs());
      onAck(from, ack);
    }
    complete();
  }

  private void ack(int to, long epoch) {
    state.send(self, to, new SearchState.Ack(epoch, log.size()));
  }

  private void greet() {
    if (machine.role() == Role.BACKUP && !synced) {
      state.send(self, machine.primary(), new SearchState.Follow(machine.epoch(), log));
    }
  }

  private void bring(int to, SearchState.Follow follow) {
    if (machine.role() == Role.PRIMARY && follow.epoch() == machine.epoch()) {
      held[to] = -1;
      target[to] = log.size();
      state.send(self, to, new SearchState.Sync(machine.epoch(), log));
    }
  }

  private void onAck(int from, SearchState.Ack ack) {
    if (machine.role() == Role.PRIMARY && ack.epoch() == machine.epoch() && target[from] >= 0) {
      held[from] = ack.end();
      if (ack.end() >= target[from] && !machine.isInSync(from)) {
        machine.onCaughtUp(from, nowNs());
      }
    }
  }

  void accept(int id) {
    SearchState.Entry entry = new SearchState.Entry(machine.epoch(), id);
    for (int i = 0; i < held.length; i++) {
      if (target[i] >= 0) {
        state.send(self, i, new SearchState.Append(machine.epoch(), log.size(), entry));
      }
    }
    log = plus(log, entry);
    complete();
  }

  private static List<SearchState.Entry> plus(
      List<SearchState.Entry> log, SearchState.Entry entry) {
    List<SearchState.Entry> longer = new ArrayList<>(log);
    longer.add(entry);
    return List.copyOf(longer);
  }

  private void complete() {
    if (!mayAccept(state.nowNs())) {
      return;
    }
    int all = log.size();
    for (int i = 0; i < held.length; i++) {
      if (i != slot && machine.isInSync(i)) {
        all = Math.min(all, held[i]);
      }
    }
    for (; completed < all; completed++) {
      state.acknowledged(completed, log.get(completed));
    }
  }

  private LogEnd end() {
    return log.isEmpty() ? LogEnd.EMPTY : new LogEnd(log.get(log.size() - 1).epoch(), log.size());
  }

  @Override
  public void send(int member, Control control) {
    state.send(self, member, control);
  }

  @Override
  public void save(GroupRecord changed) {
    record = changed;
  }

  @Override
  public void members(Membership members) {
    for (int i : state.members(self, members)) {
      if (held != null) {
        held[i] = -1;
        target[i] = -1;
      }
    }
  }

  @Override
  public void lead(long epoch) {
    held = new int[Membership.SLOTS];
    target = new int[Membership.SLOTS];
    java.util.Arrays.fill(held, -1);
    java.util.Arrays.fill(target, -1);
    completed = 0;
    state.leads(self, epoch, log);
  }

  @Override
  public void follow(int primary, long epoch) {
    synced = false;
    held = null;
    target = null;
    if (!state.isWitness(self)) {
      state.send(self, primary, new SearchState.Follow(epoch, log));
    }
  }

  @Override
  public void idle(long epoch, String why) {
    synced = false;
    held = null;
    target = null;
  }
}
