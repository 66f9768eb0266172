package dev.weir.cluster.replica;

/** Does harm to a {@link SimGroup} until a time. */
final class SimFaults {
  private static final long MS = SimWorld.MS;

  /** {@code -Dweir.changes=true}: members change in each seed, and more often. */
  static final boolean MANY_CHANGES = Boolean.getBoolean("weir.changes");

  private final SimWorld world;
  private final SimGroup group;
  private final SimSettings settings;
  private final long endNs;

  /** While what was done to the group must not meet anything worse. */
  private boolean careful;

  /** The members that are about to lose data are still looked at. */
  private boolean waiting;

  SimFaults(SimWorld world, SimGroup group, SimSettings settings) {
    this.world = world;
    this.group = group;
    this.settings = settings;
    this.endNs = settings.faultsMs() * MS;
    group.crashes(settings.faults().crashes());
    next();
  }

  private void next() {
    long pauseNs = world.once(4) ? world.between(0, 50 * MS) : world.between(0, 1500 * MS);
    world.after(
        pauseNs,
        () -> {
          if (world.nowNs() < endNs) {
            fault();
            next();
          }
        });
  }

  private void fault() {
    careful &= waiting || group.isForcing() || !group.isHealthy();
    group.crashes(settings.faults().crashes() && !careful);
    int member = world.random.nextInt(group.size());
    if (settings.faults().changes() && !careful && world.once(MANY_CHANGES ? 2 : 6)) {
      group.changeMembers();
      return;
    }
    int other = (member + 1 + world.random.nextInt(2)) % group.size();
    switch (careful ? 8 + world.random.nextInt(2) : world.random.nextInt(22)) {
      case 0, 1, 2 -> kill(member);
      case 3, 4 -> stop(member, false);
      case 5, 6, 7 -> cut(member, other, 1 + world.random.nextInt(3), duration());
      case 8 -> flap(member, other);
      case 9 -> slow(member, other);
      case 10 -> stepDown();
      case 11 -> tear(member);
      case 12, 13 -> isolate(member);
      case 14 -> leave(member);
      case 15, 16 -> wipe(member);
      case 17 -> force();
      case 20 -> fork();
      case 18 -> suspend(member);
      case 19 -> twin(member);
      default -> wipeBetween(member, other);
    }
  }

  /** Mostly short, sometimes longer than any time-out. */
  private long duration() {
    return world.once(3) ? world.between(0, 100 * MS) : world.between(0, 5000 * MS);
  }

  /** In half of the groups some say before that they go, and end a little later. */
  private void kill(int member) {
    SimProcess process = group.processAt(member);
    if (process == null || settings.seed() % 2 != 0 || !world.once(3)) {
      killNow(member);
      return;
    }
    process.leave(world.random.nextBoolean());
    world.after(
        duration() / 4,
        () -> {
          if (group.processAt(member) == process) {
            killNow(member);
          }
        });
  }

  private void killNow(int member) {
    group.kill(member);
    world.after(duration(), () -> group.start(member));
  }

  private void killLater(int member) {
    if (!careful && world.nowNs() < endNs) {
      kill(member);
    }
  }

  private void stop(int member, boolean clock) {
    int place = world.once(4) ? group.size() + member : member;
    group.stop(place, clock);
    world.after(duration(), () -> group.resume(place));
  }

  private void suspend(int member) {
    if (settings.faults().suspends()) {
      stop(member, true);
    }
  }

  /**
   * @param ways 1: nothing goes there, 2: nothing comes back, 3: both
   */
  private void cut(int one, int other, int ways, long durationNs) {
    cutPlaces(group.at(one), group.at(other), ways, durationNs);
  }

  private void cutPlaces(int one, int other, int ways, long durationNs) {
    if (one == other || one < 0 || other < 0) {
      return;
    }
    world.trace("CUT " + one + " " + other + " ways " + ways);
    if ((ways & 1) != 0) {
      group.network().cut(one, other);
    }
    if ((ways & 2) != 0) {
      group.network().cut(other, one);
    }
    if (world.random.nextBoolean()) {
      world.after(world.between(0, durationNs + 1), () -> flap(one, other));
    }
    world.after(
        durationNs,
        () -> {
          world.trace("HEAL " + one + " " + other);
          group.network().heal(one, other);
          group.network().heal(other, one);
        });
  }

  /** It hears nobody, or nobody hears it, for the same time. */
  private void isolate(int member) {
    int ways = 1 + world.random.nextInt(3);
    long durationNs = duration();
    for (int i = 0; i < group.size(); i++) {
      cut(member, i, ways, durationNs);
      if (settings.faults().twins()) {
        cut(member, group.size() + i, ways, durationNs);
      }
    }
  }

  /** All but one are killed, shortly after one another. */
  private void leave(int member) {
    for (int i = 0; i < group.size(); i++) {
      int other = i;
      if (i != member) {
        world.after(world.between(0, 300 * MS), () -> killLater(other));
      }
    }
  }

  private void flap(int one, int other) {
    if (one != other) {
      world.trace("FLAP " + one + " " + other);
      group.network().breakConnection(group.processAt(one), other % group.size());
    }
  }

  private void slow(int from, int to) {
    long delayNs = world.between(0, settings.options().getLeaseMs() * MS / 4);
    if (group.at(from) < 0 || group.at(to) < 0) {
      return;
    }
    world.trace("SLOW " + from + " " + to + " " + delayNs / MS + " ms");
    int one = group.at(from);
    int other = group.at(to);
    group.network().slow(one, other, delayNs);
    world.after(world.between(0, 3000 * MS), () -> group.network().slow(one, other, 0));
  }

  private void stepDown() {
    SimProcess primary = group.primary();
    if (primary != null) {
      if (world.random.nextBoolean()) {
        primary.handOver(world.random.nextInt(group.size()));
      } else {
        primary.stepDown();
      }
      if (world.random.nextBoolean()) {
        world.after(world.between(0, 200 * MS), () -> killLater(primary.place()));
      }
    }
  }

  /**
   * The end of a log is lost with its machine, or with its process if that had only to receive the
   * messages: at any time what was not forced, if the group forces; else if all others are in sync
   * and know it.
   */
  private void tear(int member) {
    if (settings.survivesPower()) {
      boolean all = world.once(3);
      for (int place = 0; place < group.size(); place++) {
        if (all || place == member) {
          losePower(place);
        }
      }
      return;
    }
    if (group.holders() == 1 || !group.isHealthy()) {
      return;
    }
    careful = true;
    waiting = true;
    world.after(
        500 * MS,
        () -> {
          waiting = false;
          if (group.isSettled()
              && world.nowNs() < endNs
              && group.at(member) >= 0
              && group.holders() > 1) {
            world.trace(member + " LOSES THE END OF ITS LOG");
            group.kill(member);
            group.disk(member).tear();
            world.after(duration(), () -> group.start(member));
          }
        });
  }

  private void losePower(int member) {
    if (group.at(member) < 0) {
      return;
    }
    world.trace(member + " LOSES POWER");
    group.kill(member);
    group.disk(member).losePower();
    world.after(duration(), () -> group.start(member));
  }

  private void wipe(int member) {
    if (settings.faults().wipes()) {
      group.wipe(member);
      world.after(duration(), () -> group.start(member));
    }
  }

  /**
   * Two members are cut from each other. The third, which was away, hears one of them only; later
   * it loses its disk and hears the other one only.
   */
  private void wipeBetween(int one, int other) {
    if (!settings.faults().wipes() || group.size() != 3 || one == other) {
      return;
    }
    int third = 3 - one - other;
    long awayNs = world.between(0, 1000 * MS);
    long firstNs = world.between(0, 4000 * MS);
    long lastNs = world.between(0, 4000 * MS);
    group.kill(third);
    world.after(
        awayNs,
        () -> {
          if (world.nowNs() >= endNs) {
            return;
          }
          if (careful) {
            group.start(third);
            return;
          }
          cut(one, other, 3, firstNs + lastNs);
          cut(third, other, 3, firstNs);
          group.start(third);
        });
    world.after(
        awayNs + firstNs,
        () -> {
          if (world.nowNs() >= endNs || careful) {
            return;
          }
          cut(third, one, 3, lastNs);
          group.wipe(third);
          group.start(third);
        });
  }

  private void force() {
    if (settings.faults().forces() && group.holders() > 1) {
      prepareForce();
      group.force(world.random.nextInt(2 * group.size()) - group.size());
    }
  }

  private void prepareForce() {
    group.network().healAll();
    careful = true;
    group.crashes(false);
  }

  /**
   * The primary is cut off, with messages that no other has. When another one leads, an operator
   * forces the first: the logs of both have a tail that the other one has not.
   */
  private void fork() {
    SimProcess primary = group.primary();
    if (!settings.faults().forces() || primary == null || !group.isHome(primary.place())) {
      return;
    }
    long takeoverNs = settings.options().getTakeoverMs() * MS;
    for (int i = 0; i < group.size(); i++) {
      cutPlaces(primary.place(), group.at(i), 3, 4 * takeoverNs);
    }
    world.after(
        world.between(takeoverNs, 3 * takeoverNs),
        () -> {
          if (world.nowNs() < endNs
              && !careful
              && !group.isForcing()
              && group.isHome(primary.place())) {
            prepareForce();
            group.forceAt(primary.place());
          }
        });
  }

  private void twin(int member) {
    if (settings.faults().twins() && group.holders() > 1) {
      group.twin(member);
      world.after(duration(), () -> group.kill(group.size() + member));
    }
  }
}
