package dev.weir.cluster.replica;

/**
 * A group of real replicas in a world made of a seed: its time, network, disks, clients, operator
 * and faults. Leader, backup, catch-up, history and protocol are those of a real group; threads are
 * replaced by events in an order that the seed decides. Throws an AssertionError with what happened
 * before as soon as a promise is broken.
 */
final class ReplicaSimulation {
  private static final long MS = SimWorld.MS;

  private final SimSettings settings;
  private final SimWorld world;
  private final SimGroup group;

  ReplicaSimulation(SimSettings settings) {
    this.settings = settings;
    world = new SimWorld(settings.seed());
    world.trace(settings.toString());
    group = new SimGroup(world, settings);
    new SimFaults(world, group, settings);
  }

  /** Runs it all; returns how many messages were acknowledged. */
  long run() {
    world.runUntil(settings.faultsMs() * MS);
    world.trace("ALL IS HEALED");
    group.crashes(false);
    group.network().healAll();
    group.heal();
    // Who is healthy only because nobody has noticed the last fault is not.
    world.runUntil(world.nowNs() + 2L * settings.options().getTakeoverMs() * MS);
    if (!awaitHealthy()) {
      world.require(
          settings.faults().wipes() || settings.faults().twins() || settings.inMemory(),
          "nobody has to be forced where no disk was lost: " + group.reasons());
      world.trace("NOBODY LEADS: " + group.reasons());
      group.force(-1);
      world.require(
          awaitHealthy(), "all members are in sync after one was forced: " + group.reasons());
    }
    long before = group.history().count();
    long endNs = world.nowNs() + (3L * settings.options().getTakeoverMs() + settings.idleMs()) * MS;
    while (group.history().count() == before && world.nowNs() < endNs) {
      world.runUntil(world.nowNs() + 100 * MS);
    }
    world.require(
        group.history().count() > before, "messages are acknowledged after all faults are healed");
    requireTimeGoesOn();
    world.require(
        group.handledVersion() == group.version(),
        "messages are of version " + group.version() + " when all members are");
    group.clients().check();
    if (settings.options().getHandBackMs() != 0) {
      returnToPreferred();
    }
    return group.history().count();
  }

  /** Number of changes of the members that were made. */
  int changes() {
    return group.changes();
  }

  private boolean awaitHealthy() {
    long endNs = world.nowNs() + 20L * settings.options().getTakeoverMs() * MS + 6000 * MS;
    while (!group.isHealthy() && world.nowNs() < endNs) {
      world.runUntil(world.nowNs() + 100 * MS);
    }
    return group.isHealthy();
  }

  /** Also after a primary whose clock was ahead, by a minute at most. */
  private void requireTimeGoesOn() {
    long fromMs = group.history().acknowledged().timeMs();
    long endNs = world.nowNs() + 10_000 * MS;
    while (group.history().acknowledged().timeMs() < fromMs + 1000 && world.nowNs() < endNs) {
      world.runUntil(world.nowNs() + 100 * MS);
    }
    long passedMs = group.history().acknowledged().timeMs() - fromMs;
    world.require(passedMs >= 1000, "the time of the group goes on, not by " + passedMs + " ms");
  }

  /** The preferred member gets the role, and everybody leaves it there. */
  private void returnToPreferred() {
    long waitNs = settings.options().getHandBackMs() * MS;
    long endNs = world.nowNs() + 70 * waitNs;
    while (!isPreferredPrimary() && world.nowNs() < endNs) {
      world.runUntil(world.nowNs() + 100 * MS);
    }
    world.require(isPreferredPrimary(), "the preferred member gets the role back");
    SimProcess preferred = group.processAt(group.preferred());
    long epoch = preferred.epoch();
    world.runUntil(world.nowNs() + waitNs);
    world.require(
        preferred.isPrimary() && preferred.epoch() == epoch,
        "the role stays with the preferred member");
  }

  private boolean isPreferredPrimary() {
    SimProcess primary = group.primary();
    return primary != null && primary.member() == group.preferred() && group.isHealthy();
  }
}
