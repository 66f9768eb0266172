package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.MEMORY_FULL;

import dev.weir.options.ByteBudget;
import dev.weir.state.DocumentException;
import dev.weir.state.change.Decision;
import dev.weir.state.change.Operation;
import dev.weir.state.change.State;
import dev.weir.state.table.MemoryTables;

/**
 * Runs the operations of factories that are never on disk. Each runs at once on the calling thread,
 * under the lock of its key's entry, so a key has one operation at a time. Code of users runs on
 * the threads of the store only: what it calls in turn can then wait for no lock that is held.
 */
final class MemoryStore {
  private final ByteBudget memory;

  MemoryStore(ByteBudget memory) {
    this.memory = memory;
  }

  /**
   * Runs an operation.
   *
   * @param home where the factory keeps the entry of the key
   * @throws DocumentException if it fails; nothing is changed then
   */
  Outcome run(
      FactoryCore factory, Residents home, String key, byte[] keyBytes, Operation operation) {
    while (true) {
      Entry entry = home.get(key);
      if (entry == null && operation.isRead()) {
        return outcome(factory.decider.decide(key, State.ABSENT, operation, 0, 0));
      }
      if (entry == null) {
        entry = new Entry(key, State.ABSENT, home);
        Entry other = home.putIfAbsent(key, entry);
        entry = other == null ? entry : other;
      }
      synchronized (entry) {
        if (!entry.dead) {
          return run(factory, entry, keyBytes, operation);
        }
      }
    }
  }

  private Outcome run(FactoryCore factory, Entry entry, byte[] keyBytes, Operation operation) {
    try {
      long nowMs = System.currentTimeMillis();
      Decision decision =
          factory.decider.decide(entry.key, entry.latest, operation, factory.floor(), nowMs);
      if (decision.after() != entry.latest) {
        change(factory, entry, keyBytes, decision.after());
      }
      return outcome(decision);
    } finally {
      if (entry.latest.isAbsent()) {
        entry.dead = true;
        entry.home.remove(entry.key, entry);
      }
    }
  }

  private static Outcome outcome(Decision decision) {
    return Outcome.of(decision);
  }

  private void change(FactoryCore factory, Entry entry, byte[] keyBytes, State after) {
    State before = entry.latest;
    MemoryTables.Update update = factory.memory.update(keyBytes, before, after);
    long heldBytes = before.isAbsent() ? 0 : entry.heapBytes();
    long moreBytes = (after.isAbsent() ? 0 : entry.heapBytes(after)) - heldBytes;
    take(factory, entry, moreBytes + update.heapBytes());
    if (after.isAbsent()) {
      factory.raiseFloor(before.version());
    }
    factory.memory.add(update);
    entry.latest = after;
    entry.published = after;
    factory.memory.remove(update);
  }

  private void take(FactoryCore factory, Entry entry, long bytes) {
    if (bytes <= 0) {
      memory.give(-bytes);
      entry.home.add(bytes);
    } else if (memory.tryTake(bytes)) {
      entry.home.add(bytes);
    } else {
      throw full(factory, entry);
    }
  }

  private DocumentException full(FactoryCore factory, Entry entry) {
    return new DocumentException(
        MEMORY_FULL,
        "factory "
            + factory.name
            + " has no room for document "
            + entry.key
            + ": documents that are only in memory have "
            + memory.usedBytes()
            + " of "
            + memory.limitBytes()
            + " bytes");
  }
}
