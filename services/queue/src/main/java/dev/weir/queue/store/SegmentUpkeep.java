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
 * are forced to the device before, by the sync thread. Files that are kept for new segments are
 * deleted when none was used for a second, or when the disk is short of room. On the writer thread.
 */
final class SegmentUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentUpkeep.class);
  private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);

  /** So many segments do not wait for their time. */
  private static final int AT_ONCE = 2;

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
    int spares = running ? 0 : segments.spareCount();
    if (count == 0 && spares == 0) {
      return StoreThread.FOREVER;
    }
    boolean isShort = files.isShortOfRoom();
    boolean atOnce = count >= AT_ONCE || isShort && spares > 0;
    long now = clock.nowNs();
    if (!atOnce && now - nextNs < 0) {
      return nextNs - now;
    }
    boolean isTime = now - nextNs >= 0;
    nextNs = isTime ? now + EVERY_NS : nextNs;
    List<Segment> taken = segments.takeEmpty();
    if (taken.isEmpty() && spares == 0 || !handOver()) {
      segments.giveBack(taken);
      return EVERY_NS;
    }
    running = true;
    store.sync(
        failure -> {
          if (failure == null) {
            segments.delete(taken, !isShort);
          } else {
            segments.giveBack(taken);
          }
          if (isShort || isTime) {
            segments.deleteSpares(!isShort);
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
