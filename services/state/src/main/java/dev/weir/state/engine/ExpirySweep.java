package dev.weir.state.engine;

import dev.weir.state.DocumentException;
import dev.weir.state.change.Records;
import dev.weir.state.table.Range;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds documents that have expired and has them deleted; on the commit thread. */
final class ExpirySweep {
  private static final Logger LOG = LoggerFactory.getLogger(ExpirySweep.class);

  /** Documents of one factory that are found in one turn. */
  private static final int MAX_FOUND = 1_000;

  private static final long NEXT_TURN_NS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Range ENTRIES =
      new Range(new byte[] {0, Records.EXPIRY_FIELD}, new byte[] {0, 1}, false);

  private final long intervalNs;
  private final Supplier<Collection<FactoryCore>> factories;
  private final BiConsumer<FactoryCore, byte[]> expire;
  private long nextNs;

  /**
   * @param expire has a document deleted if it has expired; gets the factory and the key
   */
  ExpirySweep(
      long intervalMs,
      Supplier<Collection<FactoryCore>> factories,
      BiConsumer<FactoryCore, byte[]> expire) {
    this.intervalNs = TimeUnit.MILLISECONDS.toNanos(intervalMs);
    this.factories = factories;
    this.expire = expire;
    this.nextNs = System.nanoTime() + intervalNs;
  }

  long restNs() {
    return nextNs - System.nanoTime();
  }

  /** Looks for expired documents if it is time to. */
  void run() {
    if (restNs() > 0) {
      return;
    }
    boolean more = false;
    for (FactoryCore factory : factories.get()) {
      more |= sweep(factory);
    }
    nextNs = System.nanoTime() + (more ? Math.min(NEXT_TURN_NS, intervalNs) : intervalNs);
  }

  /** Whether there may be more than were looked at. */
  private boolean sweep(FactoryCore factory) {
    long nowMs = System.currentTimeMillis();
    List<byte[]> keys = new ArrayList<>();
    try {
      factory.tables.scanIndex(
          ENTRIES,
          entry ->
              Records.isExpired(entry, nowMs)
                  && keys.add(Records.keyOfExpiry(entry))
                  && keys.size() < MAX_FOUND);
    } catch (DocumentException e) {
      LOG.debug("cannot look for expired documents", e);
    }
    keys.forEach(key -> expire.accept(factory, key));
    return keys.size() == MAX_FOUND;
  }
}
