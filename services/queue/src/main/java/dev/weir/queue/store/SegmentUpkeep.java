package dev.weir.queue.store;

import dev.weir.queue.je.JeFiles;
import dev.weir.queue.line.StoreClock;
import dev.weir.queue.segment.Segment;
import dev.weir.queue.segment.Segments;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the segments that nothing refers to. The deletions of the records that referred to them
 * are forced to the device before, by the sync thread. On the writer thread.
 */
final class SegmentUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentUpkeep.class);
  private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);

  /** So many segments do not wait for their time. */
  private static final int AT_ONCE = 4;

  private final StoreEngine store;
  private final JeFiles files;
  private final Segments segments;
  private final StoreClock clock;
  private long nextNs;
  private volatile boolean running;

  SegmentUpkeep(StoreEngine store, JeFiles files, StoreClock clock) {
    this.store = store;
    this.files = files;
    this.segments = files.segments();
    this.clock = clock;
    this.nextNs = clock.nowNs();
  }

  /** Begins to delete if it is time to; returns the time in ns until it may be. */
  long run() {
    int count = running ? 0 : segments.emptyCount();
    if (count == 0) {
      return StoreThread.FOREVER;
    }
    long now = clock.nowNs();
    if (count < AT_ONCE && now - nextNs < 0) {
      return nextNs - now;
    }
    nextNs = now + EVERY_NS;
    List<Segment> taken = segments.takeEmpty();
    if (taken.isEmpty() || !handOver()) {
      segments.giveBack(taken);
      return EVERY_NS;
    }
    running = true;
    store.sync(
        failure -> {
          if (failure == null) {
            segments.delete(taken);
          } else {
            segments.giveBack(taken);
          }
          running = false;
          store.wakeWriter();
        });
    return StoreThread.FOREVER;
  }

  /** The sync forces only what the operating system has. */
  private boolean handOver() {
    files.beginUse();
    try {
      files.handOver();
      return true;
    } catch (RuntimeException e) {
      LOG.debug("segments are deleted later", e);
      return false;
    } finally {
      files.endUse();
    }
  }
}
