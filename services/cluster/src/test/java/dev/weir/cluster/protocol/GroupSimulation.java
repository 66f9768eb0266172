package dev.weir.cluster.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;

/**
 * A group of {@link GroupMachine}s in a world made of a seed: its time, network, disks and faults.
 * The same seed gives the same run. Throws an AssertionError with what happened before as soon as a
 * promise is broken.
 */
final class GroupSimulation {
  private static final int TRACE_LINES = 400;
  private static final long MS = 1_000_000;

  private record Step(long atNs, long order, Runnable action) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      int byTime = Long.compare(atNs, other.atNs);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private record Line(long atNs, String what) {
    @Override
    public String toString() {
      return String.format("%10.3f ms  %s", atNs / 1e6, what);
    }
  }

  final SimSettings settings;
  final Random random;
  final SimNetwork network;
  long nowNs;

  private final List<SimReplica> replicas = new ArrayList<>();
  private final Queue<Step> steps = new PriorityQueue<>();
  private final Deque<Line> trace = new ArrayDeque<>();
  private final Map<Long, Integer> leaders = new HashMap<>();
  private final List<SimEntry> acknowledged = new ArrayList<>();
  private final SimFaults faults;
  private long lastStep;
  private long lastId;

  GroupSimulation(SimSettings settings) {
    this.settings = settings;
    random = new Random(settings.seed() * 0x9E3779B97F4A7C15L + 1);
    network = new SimNetwork(this, settings.members());
    for (int i = 0; i < settings.members(); i++) {
      SimReplica replica = new SimReplica(this, i);
      replicas.add(replica);
      after(between(0, 3000 * MS), replica::start);
    }
    faults = new SimFaults(this, settings.faultsMs() * MS);
    send();
  }

  /** Runs it all; returns how many messages were acknowledged. */
  int run() {
    long faultsNs = settings.faultsMs() * MS;
    runUntil(faultsNs);
    trace("ALL IS HEALED");
    network.healAll();
    replicas.forEach(SimReplica::resume);
    replicas.forEach(SimReplica::start);
    long endNs = nowNs + 20L * settings.options().getTakeoverMs() * MS + 6000 * MS;
    while (!isHealthy() && nowNs < endNs) {
      runUntil(nowNs + 100 * MS);
    }
    require(isHealthy(), "all members are in sync some time after all faults are healed");
    int before = acknowledged.size();
    runUntil(nowNs + 500 * MS);
    require(acknowledged.size() > before, "messages are acknowledged after all faults are healed");
    if (settings.options().getHandBackMs() != 0) {
      returnToPreferred();
    }
    return acknowledged.size();
  }

  /** The preferred member gets the role, and everybody leaves it there. */
  private void returnToPreferred() {
    long waitNs = settings.options().getHandBackMs() * MS;
    long endNs = nowNs + 70 * waitNs;
    while (!(isHealthy() && replica(0).mayAccept()) && nowNs < endNs) {
      runUntil(nowNs + 100 * MS);
    }
    require(replica(0).mayAccept(), "the preferred member gets the role back");
    int epochs = leaders.size();
    runUntil(nowNs + 3 * waitNs);
    require(leaders.size() == epochs, "the role stays with the preferred member");
    require(isHealthy(), "all members are in sync after the role was handed back");
  }

  private void runUntil(long timeNs) {
    while (steps.peek().atNs() <= timeNs) {
      Step step = steps.remove();
      nowNs = step.atNs();
      step.action().run();
      check();
    }
    nowNs = timeNs;
  }

  private void send() {
    after(
        between(5 * MS, 40 * MS),
        () -> {
          replicas.forEach(replica -> replica.accept(++lastId));
          send();
        });
  }

  SimReplica replica(int member) {
    return replicas.get(member);
  }

  String name(int member) {
    return member < 0 ? "-" : settings.options().getMembers().get(member);
  }

  long between(long leastNs, long mostNs) {
    return leastNs + (long) (random.nextDouble() * (mostNs - leastNs));
  }

  void after(long delayNs, Runnable action) {
    at(nowNs + delayNs, action);
  }

  void at(long timeNs, Runnable action) {
    steps.add(new Step(timeNs, ++lastStep, action));
  }

  /** Whether all run, hold all that was acknowledged, and are in sync. */
  boolean isHealthy() {
    int all = (1 << settings.members()) - 1;
    boolean running = true;
    boolean accepting = false;
    for (SimReplica replica : replicas) {
      running &= replica.isRunning() && replica.log.size() >= acknowledged.size();
      accepting |= replica.mayAccept() && replica.machine.inSync() == all;
    }
    return running && accepting;
  }

  /** Whether, besides, each could take over at once. */
  boolean isSettled() {
    return isHealthy()
        && replicas.stream().allMatch(replica -> replica.mayAccept() || replica.isContinuous());
  }

  void check() {
    SimReplica accepting = null;
    for (SimReplica replica : replicas) {
      if (replica.mayAccept()) {
        require(accepting == null, "only one replica accepts messages");
        accepting = replica;
      }
    }
  }

  void leads(SimReplica replica, long epoch) {
    Integer other = leaders.put(epoch, replica.index);
    require(other == null, "an epoch has one primary");
    require(replica.log.size() >= acknowledged.size(), "a primary has all acknowledged messages");
    for (int i = 0; i < acknowledged.size(); i++) {
      require(
          replica.log.get(i).equals(acknowledged.get(i)),
          "a primary has the acknowledged message " + i);
    }
  }

  void acknowledged(SimReplica by, int position, SimEntry entry) {
    if (position < acknowledged.size()) {
      require(
          acknowledged.get(position).equals(entry),
          "what " + by.index + " acknowledges at " + position + " was acknowledged there before");
    } else {
      require(position == acknowledged.size(), "messages are acknowledged without a gap");
      require(
          faults.isCareful() || holders(position, entry) >= settings.options().getMinInSync(),
          "enough members hold what " + by.index + " acknowledges");
      acknowledged.add(entry);
    }
  }

  private long holders(int position, SimEntry entry) {
    return replicas.stream().filter(replica -> replica.holds(position, entry)).count();
  }

  void trace(String what) {
    if (trace.size() == TRACE_LINES) {
      trace.removeFirst();
    }
    trace.add(new Line(nowNs, what));
  }

  void require(boolean holds, String promise) {
    if (!holds) {
      StringBuilder text =
          new StringBuilder("broken with seed " + settings.seed() + ": " + promise);
      trace.forEach(line -> text.append("\n  ").append(line));
      replicas.forEach(replica -> text.append("\n  ").append(replica));
      throw new AssertionError(text.append("\n  ").append(promise).toString());
    }
  }
}
