package dev.weir.queue.store;

import java.util.SplittableRandom;

/**
 * A store with two queues in a world made of a seed: its users, its time, its disk, its faults, and
 * the order in which its threads do their work. The store is the real one, from the append to the
 * transaction; below that are tables in memory. Throws an AssertionError as soon as a promise is
 * broken.
 */
final class QueueSimulation {
  private static final long MS = 1_000_000;
  private static final int STEPS = 250;

  private final SplittableRandom random;
  private final SimStore store;
  private final boolean fills;
  private final int crashes;

  QueueSimulation(long seed, boolean traced) {
    random = new SplittableRandom(seed);
    store = new SimStore(random, traced);
    fills = random.nextInt(3) == 0;
    crashes = random.nextInt(3) == 0 ? 0 : 20 + random.nextInt(200);
    store.failures = random.nextInt(3) == 0 ? 10 + random.nextInt(50) : 0;
    int queues = 1 + random.nextInt(2);
    for (int i = 0; i < queues; i++) {
      store.queues.add(new SimQueue("q" + i, store));
    }
  }

  /** Runs one history with its faults; a failure is run again to show what went before it. */
  static long run(long seed) {
    try {
      return new QueueSimulation(seed, false).run();
    } catch (AssertionError | RuntimeException e) {
      try {
        new QueueSimulation(seed, true).run();
      } catch (AssertionError | RuntimeException traced) {
        throw new AssertionError(
            "seed " + seed + " (-Dweir.sim.seed=" + seed + "): " + traced.getMessage(), traced);
      }
      throw new AssertionError("seed " + seed + ", not when traced: " + e.getMessage(), e);
    }
  }

  /** Returns the number of deliveries. */
  long run() {
    for (int i = 0; i < STEPS; i++) {
      if (store.isDead()) {
        store.open();
      }
      step();
      store.check();
      if (!store.isDead()) {
        store.queues.forEach(SimQueue::checkFigures);
      }
      store.check();
    }
    finish();
    return store.queues.stream().mapToLong(SimQueue::handled).sum();
  }

  private void step() {
    pass();
    int dice = random.nextInt(100);
    if (dice < 60) {
      store.queues.get(random.nextInt(store.queues.size())).act();
    } else if (dice < 92) {
      store.runSomeThread();
    } else if (dice < 94) {
      store.queues.get(random.nextInt(store.queues.size())).operate();
    } else if (dice < 96) {
      if (fills) {
        fill();
      }
    } else if (dice < 97) {
      rest();
    } else if (crashes > 0 && random.nextInt(crashes) < 10) {
      if (random.nextInt(3) == 0) {
        store.close();
      } else {
        store.crash(random.nextBoolean());
      }
    }
  }

  private void pass() {
    int dice = random.nextInt(100);
    if (dice < 70) {
      store.pass(random.nextInt(200_000));
    } else if (dice < 96) {
      store.pass(random.nextInt(30) * MS);
    } else {
      store.pass(random.nextInt(2000) * MS);
    }
  }

  /** Another user of the disk takes space, or gives it back. */
  private void fill() {
    if (random.nextInt(3) == 0) {
      store.fill(Long.MAX_VALUE / 4);
    } else {
      store.fill(store.disk.minFreeBytes / 8 * random.nextInt(12));
    }
  }

  /** Everything comes to rest: what has ended is committed. */
  private void rest() {
    store.quietly(() -> store.runUntilIdle(100 * MS));
    store.check();
    if (store.engine().fault() == null && store.files().isValid()) {
      store.trace(() -> "COMMITTED");
      store.queues.forEach(SimQueue::committed);
      store.queues.forEach(SimQueue::checkBudget);
    }
  }

  // ---- the end

  private void finish() {
    store.trace(() -> "ALL IS HEALED");
    store.disk.otherBytes = 0;
    store.failures = 0;
    store.quietly(
        () -> {
          if (!store.isDead()) {
            drain();
            store.close();
            store.check();
          }
          store.open();
          drain();
          store.queues.forEach(SimQueue::empty);
          rest();
          store.check();
          for (SimQueue queue : store.queues) {
            queue.checkFigures();
            var left = store.files().contents(queue.name);
            left.remove("IDS");
            if (!left.isEmpty()) {
              throw store.broken(queue.name + ": an empty queue leaves records: " + left);
            }
          }
          store.close();
        });
    store.check();
  }

  private void drain() {
    store.queues.forEach(SimQueue::wantAll);
    for (int i = 0; ; i++) {
      if (i > 20_000) {
        throw store.broken("the queues are not drained: " + figures());
      }
      boolean done = false;
      for (SimQueue queue : store.queues) {
        done |= queue.consume();
      }
      store.check();
      done |= store.runSomeThread();
      if (!done) {
        if (store.engine().fault() == null && store.queues.stream().allMatch(SimQueue::isDrained)) {
          break;
        }
        store.passToNextDuty(() -> "the queues are not drained: " + figures());
      }
    }
    rest();
    for (SimQueue queue : store.queues) {
      queue.checkFigures();
      if (!queue.isHeldByReleased()) {
        queue.drained();
      }
    }
    store.check();
  }

  private String figures() {
    StringBuilder text = new StringBuilder();
    store.queues.forEach(queue -> text.append(queue.name).append(' ').append(queue.figures()));
    return text.toString();
  }
}
