package dev.weir.cluster.replica;

import dev.weir.cluster.protocol.ForcedRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The members of a simulated group with their disks and processes, their clients, and an operator.
 * Each member has two places where a process may run: its own, and one for a twin with the same
 * name and another disk.
 */
final class SimGroup {
  private static final long MS = SimWorld.MS;

  private final SimWorld world;
  private final SimSettings settings;
  private final SimNetwork network;
  private final SimHistory history;
  private final SimClients clients;
  private final List<SimDisk> disks = new ArrayList<>();
  private final SimProcess[] processes;
  private final int size;

  /** The members that hold messages come first. */
  private final int holders;

  private boolean skewed;

  /** Processes are not started by anybody but the operator. */
  private boolean held;

  SimGroup(SimWorld world, SimSettings settings) {
    this.world = world;
    this.settings = settings;
    size = settings.options().getMembers().size();
    holders = size - (settings.options().getWitness() == null ? 0 : 1);
    int places = settings.faults().twins() ? 2 * size : size;
    skewed = settings.skew();
    processes = new SimProcess[places];
    history = new SimHistory(world, settings.options().getMinInSync(), disks);
    network = new SimNetwork(world, this, places);
    network.late(settings.late());
    for (int place = 0; place < places; place++) {
      disks.add(new SimDisk(world, history, place % size()));
    }
    for (int member = 0; member < size(); member++) {
      int place = member;
      world.after(world.between(0, 3000 * MS), () -> start(place));
    }
    clients = new SimClients(world, this, settings);
  }

  /** Whether the group replicates the state of its processor, not the messages. */
  boolean isInState() {
    return settings.inState();
  }

  SimWorld world() {
    return world;
  }

  SimNetwork network() {
    return network;
  }

  SimHistory history() {
    return history;
  }

  SimClients clients() {
    return clients;
  }

  int size() {
    return size;
  }

  SimDisk disk(int place) {
    return disks.get(place);
  }

  void crashes(boolean may) {
    disks.forEach(disk -> disk.crashes(may));
  }

  SimProcess processAt(int place) {
    SimProcess process = place < processes.length ? processes[place] : null;
    return process == null || process.isDead() ? null : process;
  }

  boolean nobodyAt(int place) {
    return processAt(place) == null;
  }

  SimProcess anyProcess() {
    return processAt(world.once(20) ? world.random.nextInt(processes.length) : anyMember());
  }

  private int anyMember() {
    return world.random.nextInt(size());
  }

  void start(int place) {
    if (nobodyAt(place) && !held) {
      startNow(place);
    }
  }

  private void startNow(int place) {
    int member = place % size();
    processes[place] =
        new SimProcess(this, place, member, settings.options(skewed, place), disks.get(place));
    processes[place].begin();
  }

  void kill(int place) {
    SimProcess process = processAt(place);
    if (process != null) {
      world.trace(process + " is killed");
      process.end();
      discard(place);
    }
  }

  /**
   * The disk of a twin goes with its process, and all that members without disks hold. What nobody
   * else holds then is lost, as it has to be, and an epoch that nobody else knows may come again.
   */
  private void discard(int place) {
    if (nobodyAt(place) && (place >= size || settings.inMemory())) {
      disk(place).wipe();
      beginAnewIfBlank();
      if (settings.inMemory()) {
        discardHistory();
      }
    }
  }

  private void discardHistory() {
    if (history.isLost()) {
      world.trace("WHAT IT HELD ALONE IS LOST");
      clients.beginAnew();
      history.acceptLoss();
    }
    history.forgetAfter(disks.stream().mapToLong(disk -> disk.record().epoch()).max().orElse(0));
  }

  /** A process ends in the middle of a save, maybe with its machine, and is started again. */
  void crash(SimProcess process) {
    process.end();
    if (settings.survivesPower() && world.random.nextBoolean()) {
      disk(process.place()).losePower();
    }
    world.after(0, () -> discard(process.place()));
    if (process.place() < size()) {
      world.after(world.between(0, 2000 * MS), () -> start(process.place()));
    }
  }

  /** The replica of a process has failed; somebody ends the process and starts it again. */
  void fails(SimProcess process) {
    int place = process.place();
    world.after(
        world.between(0, 2000 * MS),
        () -> {
          if (processAt(place) == process) {
            kill(place);
          }
          if (place < size()) {
            start(place);
          }
        });
  }

  void stop(int place, boolean clock) {
    SimProcess process = processAt(place);
    if (process != null) {
      process.stop(clock);
    }
  }

  void resume(int place) {
    SimProcess process = processAt(place);
    if (process != null) {
      process.resume();
    }
  }

  /** A disk is replaced by an empty one. */
  void wipe(int place) {
    for (int twin = size();
        !disk(place).end().equals(LogEnd.EMPTY) && place < size() && twin < processes.length;
        twin++) {
      if (!nobodyAt(twin)) {
        return;
      }
    }
    kill(place);
    world.trace(place + " HAS LOST ITS DISK, which held " + disk(place).end());
    disk(place).wipe();
    beginAnewIfBlank();
  }

  /** If no disk holds anything, a new group begins. */
  private void beginAnewIfBlank() {
    if (disks.stream().allMatch(SimDisk::isBlank)) {
      world.trace("NOTHING IS LEFT");
      accept(null);
      history.clear();
    }
  }

  /**
   * A process of the same name is started elsewhere, with an empty disk; the old one goes on. Not
   * of all members: their twins would be a new group.
   */
  void twin(int member) {
    int place = size() + member;
    boolean blank = disks.subList(0, size()).stream().anyMatch(SimDisk::isBlank);
    long twins = IntStream.range(size(), processes.length).filter(at -> !nobodyAt(at)).count();
    boolean all = twins == size() - 1;
    if (nobodyAt(place) && !nobodyAt(member) && !held && !blank && !all) {
      world.trace("A TWIN of " + member + " starts");
      startNow(place);
    }
  }

  /** What an operator gives up, clients must not count on. */
  private void accept(SimHistory.Node head) {
    clients.beginAnew();
    history.accept(head);
  }

  /**
   * An operator makes the member that holds most primary, after all are stopped.
   *
   * @param without a member that is taken for lost, whose disk comes back later; -1 for none
   */
  void force(int without) {
    if (settings.inMemory() || disks.stream().allMatch(disk -> disk.found().equals(LogEnd.EMPTY))) {
      beginAnew();
    } else {
      forceAt(best(without));
    }
  }

  /** An operator makes a member primary, whatever the others hold. */
  void forceAt(int place) {
    LogEnd end = disk(place).found();
    long diskId = disk(place).diskId();
    if (ForcedRecord.refusal(disk(place).record(), end, place % size(), diskId) != null) {
      return;
    }
    held = true;
    for (int other = 0; other < processes.length; other++) {
      kill(other);
    }
    world.trace("AN OPERATOR FORCES " + place + ", which holds " + end);
    disk(place)
        .force(ForcedRecord.of(disk(place).record(), end, place, 1_000_000 + world.nowNs() / MS));
    accept(disk(place).head());
    startNow(place);
    awaitForced(place);
  }

  /** Nobody holds anything: all directories are emptied. */
  private void beginAnew() {
    for (int place = processes.length - 1; place >= 0; place--) {
      kill(place);
    }
    for (int place = 0; place < size(); place++) {
      wipe(place);
    }
    for (int place = 0; place < size(); place++) {
      start(place);
    }
  }

  /** The others are started when the forced one leads. */
  private void awaitForced(int place) {
    world.after(
        50 * MS,
        () -> {
          SimProcess forced = processAt(place);
          if (forced == null) {
            startNow(place);
          } else {
            forced.resume();
          }
          if (forced != null && forced.isPrimary()) {
            held = false;
            for (int other = 0; other < size(); other++) {
              int started = other;
              world.after(world.between(0, 500 * MS), () -> start(started));
            }
          } else {
            awaitForced(place);
          }
        });
  }

  /** Whether the operator waits for a forced member to lead. */
  boolean isForcing() {
    return held;
  }

  private int best(int without) {
    int best = without == 0 ? 1 : 0;
    for (int place = 1; place < holders; place++) {
      if (place != without
          && Comparator.<LogEnd>naturalOrder().compare(disk(place).found(), disk(best).found())
              > 0) {
        best = place;
      }
    }
    return best;
  }

  /** Twins end, options are made the same, and every member runs. */
  void heal() {
    boolean restart = skewed;
    skewed = false;
    for (int place = 0; place < processes.length; place++) {
      resume(place);
      if (place >= size() || restart || hasLeft(place)) {
        kill(place);
      }
      if (place < size()) {
        start(place);
      }
    }
  }

  private boolean hasLeft(int place) {
    SimProcess process = processAt(place);
    return process != null && !process.isRunning();
  }

  SimProcess primary() {
    for (SimProcess process : processes) {
      if (process != null && process.isAccepting()) {
        return process;
      }
    }
    return null;
  }

  /** Whether all run, hold all that was acknowledged, and are in sync. */
  boolean isHealthy() {
    SimProcess primary = primary();
    boolean healthy = primary != null && primary.inSync() == (1 << holders) - 1;
    for (int place = 0; place < size(); place++) {
      SimProcess process = processAt(place);
      healthy &=
          process != null
              && process.isRunning()
              && (place >= holders || SimHistory.holds(disk(place).head(), history.acknowledged()));
    }
    return healthy;
  }

  /** Whether, besides, each could take over at once. */
  boolean isSettled() {
    boolean settled = isHealthy();
    SimProcess primary = primary();
    for (int place = 0; settled && place < holders; place++) {
      settled = processes[place] == primary || processes[place].isContinuous();
    }
    return settled;
  }

  /** Why nobody is primary, for people. */
  String reasons() {
    StringBuilder reasons = new StringBuilder();
    for (int place = 0; place < size(); place++) {
      SimProcess process = processAt(place);
      reasons
          .append(process)
          .append(process == null ? " is down" : ": " + process.reason())
          .append("; ");
    }
    return reasons.toString();
  }

  /** Only one process accepts messages. */
  void check() {
    SimProcess accepting = null;
    for (SimProcess process : processes) {
      if (process != null && process.isAccepting()) {
        world.require(
            accepting == null,
            "only one of " + accepting + " and " + process + " accepts messages");
        accepting = process;
      }
    }
  }
}
