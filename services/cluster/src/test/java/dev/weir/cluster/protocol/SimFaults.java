package dev.weir.cluster.protocol;

/** Does harm to a {@link GroupSimulation}. */
final class SimFaults {
  private static final long MS = 1_000_000;

  private final GroupSimulation sim;
  private final long endNs;

  /** While a member that has lost data is not in sync again, the others keep theirs. */
  private boolean careful;

  private boolean losing;

  SimFaults(GroupSimulation sim, long endNs) {
    this.sim = sim;
    this.endNs = endNs;
    next();
  }

  /** Whether a member has lost data and is not in sync again. */
  boolean isCareful() {
    return careful;
  }

  private void next() {
    long pauseNs = sim.random.nextInt(4) == 0 ? sim.between(0, 50 * MS) : sim.between(0, 1500 * MS);
    sim.after(
        pauseNs,
        () -> {
          if (sim.nowNs < endNs) {
            fault();
            next();
          }
        });
  }

  private void fault() {
    careful &= losing || !sim.isHealthy();
    int member = sim.random.nextInt(sim.settings.members());
    int other = (member + 1 + sim.random.nextInt(2)) % sim.settings.members();
    switch (careful ? 8 + sim.random.nextInt(2) : sim.random.nextInt(15)) {
      case 0, 1, 2 -> kill(sim.replica(member));
      case 3, 4 -> stop(sim.replica(member));
      case 5, 6, 7 -> cut(member, other, 1 + sim.random.nextInt(3), duration());
      case 8 -> flap(member, other);
      case 9 -> slow(member, other);
      case 10 -> stepDown();
      case 11 -> lose(sim.replica(member));
      case 12, 13 -> isolate(member);
      default -> leave(member);
    }
  }

  /** Mostly short, sometimes longer than any time-out. */
  private long duration() {
    return sim.random.nextInt(3) == 0 ? sim.between(0, 100 * MS) : sim.between(0, 5000 * MS);
  }

  private void kill(SimReplica replica) {
    replica.kill();
    sim.after(duration(), replica::start);
  }

  private void killLater(SimReplica replica) {
    if (!careful && sim.nowNs < endNs) {
      kill(replica);
    }
  }

  private void stop(SimReplica replica) {
    replica.stop();
    sim.after(duration(), replica::resume);
  }

  /**
   * @param ways 1: nothing goes there, 2: nothing comes back, 3: both
   */
  private void cut(int one, int other, int ways, long durationNs) {
    if (one == other) {
      return;
    }
    sim.trace("CUT " + sim.name(one) + " " + sim.name(other) + " ways " + ways);
    if ((ways & 1) != 0) {
      sim.network.cut(one, other);
    }
    if ((ways & 2) != 0) {
      sim.network.cut(other, one);
    }
    if (sim.random.nextBoolean()) {
      sim.after(sim.between(0, durationNs + 1), () -> sim.network.breakConnection(one, other));
    }
    sim.after(
        durationNs,
        () -> {
          sim.trace("HEAL " + sim.name(one) + " " + sim.name(other));
          sim.network.heal(one, other);
          sim.network.heal(other, one);
        });
  }

  /** It hears nobody, or nobody hears it, for the same time. */
  private void isolate(int member) {
    int ways = 1 + sim.random.nextInt(3);
    long durationNs = duration();
    for (int i = 0; i < sim.settings.members(); i++) {
      cut(member, i, ways, durationNs);
    }
  }

  /** All but one are killed, shortly after one another. */
  private void leave(int member) {
    for (int i = 0; i < sim.settings.members(); i++) {
      SimReplica replica = sim.replica(i);
      if (i != member) {
        sim.after(sim.between(0, 300 * MS), () -> killLater(replica));
      }
    }
  }

  private void flap(int one, int other) {
    if (one != other) {
      sim.trace("FLAP " + sim.name(one) + " " + sim.name(other));
      sim.network.breakConnection(one, other);
    }
  }

  private void slow(int from, int to) {
    long delayNs = sim.between(0, sim.settings.options().getLeaseMs() * MS / 4);
    sim.trace("SLOW " + sim.name(from) + " " + sim.name(to) + " " + delayNs / MS + " ms");
    sim.network.slow(from, to, delayNs);
    sim.after(sim.between(0, 3000 * MS), () -> sim.network.slow(from, to, 0));
  }

  private void stepDown() {
    for (int i = 0; i < sim.settings.members(); i++) {
      SimReplica replica = sim.replica(i);
      if (replica.mayAccept()) {
        replica.stepDown();
        if (sim.random.nextBoolean()) {
          sim.after(sim.between(0, 200 * MS), () -> killLater(replica));
        }
      }
    }
  }

  /** A disk, or the end of a log, if all others are in sync and know it. */
  private void lose(SimReplica replica) {
    if (sim.settings.members() == 1 || !sim.isHealthy()) {
      return;
    }
    careful = true;
    losing = true;
    sim.after(
        500 * MS,
        () -> {
          losing = false;
          if (sim.isSettled() && sim.nowNs < endNs) {
            loseNow(replica);
          }
        });
  }

  private void loseNow(SimReplica replica) {
    replica.kill();
    if (sim.random.nextBoolean()) {
      replica.wipe();
    } else {
      replica.tear();
    }
    sim.after(duration(), replica::start);
  }
}
