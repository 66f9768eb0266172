package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.protocol.ForcedRecord;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.protocol.MemberChange;
import dev.weir.cluster.protocol.Membership;
import java.util.ArrayList;
import java.util.Arrays;
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
  private int lastName;

  /** Of the first place that is there to replace a member; behind all if there is none. */
  private final int spares;

  /** The members, as the last primary had them. */
  private Membership members;

  /** Where the member of a slot is; -1 if there is none. */
  private final int[] home;

  /** What the process at a place is called, and the members it is told of. */
  private final String[] names;

  private final Membership[] told;
  private int changes;

  private int handledVersion = 1;
  private boolean skewed;

  /** Processes are not started by anybody but the operator. */
  private boolean held;

  SimGroup(SimWorld world, SimSettings settings) {
    this.world = world;
    this.settings = settings;
    members = Membership.of(settings.options());
    boolean mayChange = settings.faults().changes();
    size = mayChange ? Membership.SLOTS : members.size();
    spares = settings.faults().twins() ? 2 * size : size;
    int places = mayChange ? spares + size : spares;
    skewed = settings.skew();
    processes = new SimProcess[places];
    names = new String[places];
    told = new Membership[places];
    home = new int[size];
    history = new SimHistory(world, settings.options().getMinInSync(), disks);
    network = new SimNetwork(world, this, places);
    network.late(settings.late());
    for (int place = 0; place < places; place++) {
      disks.add(new SimDisk(world, history, place % size()));
      names[place] = members.name(place % size);
      told[place] = members;
      disks.get(place).retire(place >= spares || names[place].isEmpty());
    }
    for (int member = 0; member < size(); member++) {
      home[member] = members.name(member).isEmpty() ? -1 : member;
      int slot = member;
      if (home[member] >= 0) {
        world.after(world.between(0, 3000 * MS), () -> start(slot));
      }
    }
    clients = new SimClients(world, this, settings);
  }

  /** The place that is meant: that of the member of a slot, or another; -1 for a vacant slot. */
  int at(int slotOrPlace) {
    return slotOrPlace >= 0 && slotOrPlace < size ? home[slotOrPlace] : slotOrPlace;
  }

  boolean isHome(int place) {
    return home[place % size] == place;
  }

  boolean isTwin(int place) {
    return place >= size && place < spares;
  }

  int changes() {
    return changes;
  }

  /** Number of the members that hold messages. */
  int holders() {
    return slots(false).length;
  }

  int preferred() {
    return slots(false)[0];
  }

  private int[] slots(boolean witness) {
    return IntStream.range(0, size)
        .filter(slot -> home[slot] >= 0 && (witness || slot != members.witness()))
        .toArray();
  }

  /** A primary has other members than before. */
  void changed(Membership now) {
    if (now.equals(members)) {
      return;
    }
    world.trace("THE MEMBERS ARE " + now);
    changes++;
    members = now;
    for (int slot = 0; slot < size; slot++) {
      int before = home[slot];
      String name = now.name(slot);
      // Another change may have taken its place already: then it begins at that of its predecessor.
      boolean same = before >= 0 && names[before].equals(name);
      home[slot] = name.isEmpty() ? -1 : placeOf(slot, name);
      if (home[slot] != before) {
        retire(before);
        begin(slot);
      } else if (before >= 0 && !same) {
        begin(slot);
      }
    }
  }

  private int placeOf(int slot, String name) {
    int spare = spares + slot;
    if (names[slot].equals(name)) {
      return slot;
    }
    if (!names[spare].equals(name)) {
      prepare(spare, name, members);
    }
    return spare;
  }

  private void retire(int place) {
    if (place >= 0) {
      String name = names[place];
      disks.get(place).retire(true);
      world.after(
          world.between(0, 3000 * MS),
          () -> {
            if (!isHome(place)) {
              killAt(place);
              mayComeBack(place, name);
            }
          });
    }
  }

  /**
   * Somebody starts a member again that was taken out, with all that it held. Nobody does that
   * where members are forced: one that was alone in sync before would go on alone.
   */
  private void mayComeBack(int place, String name) {
    if (!settings.faults().forces() && world.random.nextBoolean()) {
      world.after(
          world.between(0, 3000 * MS),
          () -> {
            if (!isHome(place) && world.nowNs() < settings.faultsMs() * MS) {
              startSpare(place, name);
            }
          });
    }
  }

  private void begin(int slot) {
    if (home[slot] >= 0) {
      emptyIfTakenOut(home[slot]);
      disk(home[slot]).retire(false);
      world.after(world.between(0, 1000 * MS), () -> start(slot));
    }
  }

  /**
   * Who was forced did not know that this member was taken out, so it is one again. It knows that
   * it is none, and begins anew.
   */
  private void emptyIfTakenOut(int place) {
    if (knowsItIsOut(place)) {
      world.trace("THE DIRECTORY OF " + names[place] + " IS EMPTIED");
      killAt(place);
      disks.get(place).wipe();
      told[place] = members;
    }
  }

  private boolean knowsItIsOut(int place) {
    Membership known = disks.get(place).record().membership();
    return known != null && known.slot(names[place]) < 0;
  }

  /** A new member is to run at a place. */
  private void prepare(int place, String name, Membership after) {
    killAt(place);
    disks.get(place).retire(true);
    disks.get(place).wipe();
    names[place] = name;
    told[place] = after;
  }

  /** The operator asks for a change of the members, and starts a new one before or after that. */
  void changeMembers() {
    SimProcess primary = primary();
    if (primary == null || held || !isHome(primary.place())) {
      return;
    }
    Membership now = primary.membership();
    int free = now.names().indexOf(Membership.VACANT);
    int slot = world.random.nextInt(size);
    String out = world.once(3) ? null : now.name(slot);
    String in = world.once(3) && out != null ? null : "m" + ++lastName;
    boolean witness = out == null && world.once(3);
    if (Membership.VACANT.equals(out) || out != null && slot == primary.member()) {
      return;
    }
    if (out != null && now.size() == size && now.witness() < 0 && world.once(4)) {
      // As one asks again for what an earlier primary began: only the old member leaves.
      ask(primary, new MemberChange(out, now.name((slot + 1) % size), false));
      return;
    }
    if (in != null) {
      int its = out != null && (free < 0 || slot == now.witness()) ? slot : free;
      if (its < 0) {
        return;
      }
      int place = home[its] == its || home[its] < 0 && world.once(2) ? spares + its : its;
      if (isHome(place)) {
        return;
      }
      Membership after = now.with(its, in);
      prepare(place, in, witness ? new Membership(after.names(), its) : after);
      if (world.random.nextBoolean()) {
        world.after(world.between(0, 1000 * MS), () -> startSpare(place, in));
      }
    }
    ask(primary, new MemberChange(out, in, witness));
  }

  private void ask(SimProcess primary, MemberChange change) {
    world.trace("AN OPERATOR ASKS " + primary + " FOR " + change);
    String refusal = primary.change(change);
    if (refusal != null) {
      world.trace("it is refused: " + refusal);
    }
  }

  private void startSpare(int place, String name) {
    if (names[place].equals(name) && nobodyAt(place) && !held) {
      startNow(place);
    }
  }

  /** The version of the application that processes state which are started now. */
  int version() {
    return settings.isUpgraded(world.nowNs()) ? 2 : 1;
  }

  /** A process has handled a message of a version of the application. */
  void handled(int itsVersion) {
    handledVersion = Math.max(handledVersion, itsVersion);
  }

  /** The highest version of a message so far. */
  int handledVersion() {
    return handledVersion;
  }

  /** Whether the group replicates the state of its processor, not the messages. */
  boolean isInState() {
    return settings.inState();
  }

  /** See {@link SimSettings#persistsLater}. */
  boolean persistsLater() {
    return settings.persistsLater();
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
    return disks.get(at(place));
  }

  void crashes(boolean may) {
    disks.forEach(disk -> disk.crashes(may));
  }

  SimProcess processAt(int slotOrPlace) {
    int place = at(slotOrPlace);
    return place < 0 ? null : processAtPlace(place);
  }

  private SimProcess processAtPlace(int place) {
    SimProcess process = place < processes.length ? processes[place] : null;
    return process == null || process.isDead() ? null : process;
  }

  boolean nobodyAt(int place) {
    return processAtPlace(place) == null;
  }

  SimProcess anyProcess() {
    return processAt(world.once(20) ? world.random.nextInt(processes.length) : anyMember());
  }

  private int anyMember() {
    return world.random.nextInt(size());
  }

  void start(int slotOrPlace) {
    int place = at(slotOrPlace);
    if (place >= 0 && nobodyAt(place) && !held) {
      startNow(place);
    }
  }

  private void startNow(int place) {
    int member = place % size();
    Membership list = told[place];
    GroupOptions options =
        settings
            .options(skewed, place)
            .setMembers(list.list())
            .setWitness(list.witness() < 0 ? null : list.name(list.witness()));
    Membership known = Membership.of(disks.get(place).record(), options);
    if (known.slot(names[place]) < 0) {
      world.trace(names[place] + " does not start, the members are " + known);
      return;
    }
    processes[place] = new SimProcess(this, place, member, names[place], options, disks.get(place));
    processes[place].begin();
  }

  void kill(int slotOrPlace) {
    if (at(slotOrPlace) >= 0) {
      killAt(at(slotOrPlace));
    }
  }

  private void killAt(int place) {
    SimProcess process = processAtPlace(place);
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
    if (nobodyAt(place) && (isTwin(place) || settings.inMemory())) {
      disks.get(place).wipe();
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
      disks.get(process.place()).losePower();
    }
    world.after(0, () -> discard(process.place()));
    if (isHome(process.place())) {
      world.after(world.between(0, 2000 * MS), () -> start(process.member()));
    }
  }

  /** The replica of a process has failed; somebody ends the process and starts it again. */
  void fails(SimProcess process) {
    int place = process.place();
    world.after(
        world.between(0, 2000 * MS),
        () -> {
          if (processes[place] == process) {
            killAt(place);
          }
          if (isHome(place)) {
            start(process.member());
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
  void wipe(int slot) {
    int place = at(slot);
    if (place < 0) {
      return;
    }
    for (int twin = size(); !disk(slot).end().equals(LogEnd.EMPTY) && twin < spares; twin++) {
      if (!nobodyAt(twin)) {
        return;
      }
    }
    killAt(place);
    world.trace(names[place] + " HAS LOST ITS DISK, which held " + disk(slot).end());
    disk(slot).wipe();
    told[place] = members;
    beginAnewIfBlank();
  }

  /** If no disk holds anything, a new group begins. */
  private void beginAnewIfBlank() {
    if (disks.stream().allMatch(disk -> disk.isRetired() || disk.isBlank())) {
      world.trace("NOTHING IS LEFT");
      accept(null);
      history.clear();
      for (int place = 0; place < processes.length; place++) {
        if (disks.get(place).isRetired()) {
          killAt(place);
          disks.get(place).wipe();
        } else {
          told[place] = members;
        }
      }
    }
  }

  /**
   * A process of the same name is started elsewhere, with an empty disk; the old one goes on. Not
   * of all members: their twins would be a new group.
   */
  void twin(int member) {
    int place = size() + member;
    boolean blank =
        at(member) < 0 || Arrays.stream(slots(true)).anyMatch(slot -> disk(slot).isBlank());
    long twins = IntStream.range(size(), spares).filter(at -> !nobodyAt(at)).count();
    boolean all = twins >= slots(true).length - 1;
    if (nobodyAt(place) && processAt(member) != null && !held && !blank && !all) {
      world.trace("A TWIN of " + member + " starts");
      names[place] = names[at(member)];
      told[place] = members;
      disks.get(place).retire(false);
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
    if (settings.inMemory()
        || disks.stream().allMatch(disk -> disk.isRetired() || disk.found().equals(LogEnd.EMPTY))) {
      beginAnew();
    } else {
      int slot = best(without);
      if (slot >= 0) {
        forceAt(at(slot));
      }
    }
  }

  /** An operator makes a member primary, whatever the others hold. */
  void forceAt(int place) {
    SimDisk disk = disks.get(place);
    LogEnd end = disk.found();
    if (knowsItIsOut(place)
        || ForcedRecord.refusal(disk.record(), end, place % size(), disk.diskId()) != null) {
      return;
    }
    held = true;
    for (int other = 0; other < processes.length; other++) {
      killAt(other);
    }
    world.trace("AN OPERATOR FORCES " + names[place] + ", which holds " + end);
    disk.force(ForcedRecord.of(disk.record(), end, place % size, 1_000_000 + world.nowNs() / MS));
    accept(disk.head());
    startNow(place);
    awaitForced(place);
  }

  /** Nobody holds anything: all directories are emptied. */
  private void beginAnew() {
    for (int place = processes.length - 1; place >= 0; place--) {
      killAt(place);
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
          SimProcess forced = processAtPlace(place);
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
    int best = -1;
    for (int slot : slots(false)) {
      if (slot != without
          && !knowsItIsOut(at(slot))
          && (best < 0 || disk(slot).found().compareTo(disk(best).found()) > 0)) {
        best = slot;
      }
    }
    return best;
  }

  /** Twins end, options are made the same, and every member runs. */
  void heal() {
    boolean restart = skewed;
    skewed = false;
    for (int place = 0; place < processes.length; place++) {
      SimProcess process = processAtPlace(place);
      if (process != null) {
        process.resume();
        boolean blank = isHome(place) && disks.get(place).isBlank() && settings.faults().changes();
        boolean old = process.version() != version();
        if (!isHome(place) || restart || blank || old || !process.isRunning()) {
          killAt(place);
        }
      }
      if (isHome(place)) {
        emptyIfTakenOut(place);
        told[place] = members;
        start(place % size);
      }
    }
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
    boolean healthy =
        primary != null
            && primary.inSync() == Arrays.stream(slots(false)).map(slot -> 1 << slot).sum();
    for (int place : slots(true)) {
      SimProcess process = processAt(place);
      healthy &=
          process != null
              && process.isRunning()
              && (place == members.witness()
                  || SimHistory.holds(disk(place).head(), history.acknowledged()));
    }
    return healthy;
  }

  /** Whether, besides, each could take over at once. */
  boolean isSettled() {
    boolean settled = isHealthy();
    SimProcess primary = primary();
    for (int slot : slots(false)) {
      settled = settled && (processAt(slot) == primary || processAt(slot).isContinuous());
    }
    return settled;
  }

  /** Why nobody is primary, for people. */
  String reasons() {
    StringBuilder reasons = new StringBuilder();
    for (int place : slots(true)) {
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
