package dev.weir.queue.store;

import dev.weir.queue.QueueOptions;
import dev.weir.queue.StoreStats;
import dev.weir.queue.je.JeConfig;
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
 * are forced to the device before, by the sync thread, without the other segments: those have most
 * of the bytes, and most of them are deleted before the device needs them. Files that are kept for
 * new segments are deleted when none was used for a second, or when the disk is short of room. On
 * the writer thread.
 */
final class SegmentUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentUpkeep.class);
  private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * After this time the other segments are forced too: an opening after a loss of power looks
   * through all that the log got since.
   */
  private static final long FORCE_ALL_NS = TimeUnit.SECONDS.toNanos(30);

  /** So many segments do not wait for their time. */
  private static final int AT_ONCE = 2;

  /** A segment takes at most this part of the budget of its queue... */
  private static final int SEGMENTS_IN_BUDGET = 32;

  /** ...but not less than so many bytes. */
  private static final long MIN_SEGMENT_BYTES = 1 << 20;

  /**
   * The files that are kept for new segments take at most this part of the budgets of all queues,
   * and so do the segments that wait for their deletion while packets are written.
   */
  private static final int PARTS = 16;

  private final StoreEngine store;
  private final JeFiles files;
  private final Segments segments;
  private final StoreClock clock;
  private long nextNs;
  private volatile boolean running;

  private long forcedAllNs;

  /** How many segments are being deleted while {@link #running}. */
  private int deleting;

  SegmentUpkeep(StoreEngine store, JeFiles files, StoreClock clock) {
    this.store = store;
    this.files = files;
    this.segments = files.segments();
    this.clock = clock;
    this.nextNs = clock.nowNs();
    this.forcedAllNs = nextNs;
  }

  /** Size at which a segment of a queue is full, if the files of the store may be larger. */
  static long segmentBytes(QueueOptions options) {
    return Math.max(MIN_SEGMENT_BYTES, options.getMaxBytes() / SEGMENTS_IN_BUDGET);
  }

  private double budgets() {
    double budgets = 0;
    for (StoredQueue<?> queue : store.queues()) {
      budgets += queue.options().getMaxBytes();
    }
    return budgets;
  }

  /** So many bytes may be in files that are kept, and in segments that wait for their deletion. */
  private long mostBytes() {
    return (long) (budgets() / PARTS);
  }

  /**
   * The files have so many bytes, or the disk so little room, that segments which wait for their
   * deletion have to go first.
   */
  private boolean isShortOfSpace() {
    StoreStats stats = files.stats(null);
    return stats.logBytes() >= budgets() - mostBytes()
        || stats.usableBytes() - stats.minFreeBytes() < mostBytes();
  }

  /**
   * True while so many segments wait for their deletion that no packet may be written: a segment
   * stays until its deletion is forced, and on a slow device such segments would pile up. While the
   * budgets and the disk have room for them, nobody waits for the device because of that.
   */
  boolean isBehind() {
    if (!running) {
      return false;
    }
    long largest = 0;
    for (StoredQueue<?> queue : store.queues()) {
      largest = Math.max(largest, segmentBytes(queue.options()));
    }
    long waiting = deleting + segments.emptyCount();
    return waiting > AT_ONCE
        && waiting > mostBytes() / Math.min(largest, JeConfig.logFileBytes(store.options()))
        && isShortOfSpace();
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
    deleting = taken.size();
    long spareBytes = isShort ? 0 : mostBytes();
    boolean isOfLog = now - forcedAllNs < FORCE_ALL_NS;
    forcedAllNs = isOfLog ? forcedAllNs : now;
    store.sync(
        isOfLog,
        failure -> {
          try {
            if (failure == null) {
              segments.delete(taken, spareBytes);
            } else {
              segments.giveBack(taken);
            }
            if (isShort || isTime) {
              segments.deleteSpares(!isShort);
            }
          } finally {
            // The writer waits for this.
            running = false;
            store.wakeWriter();
          }
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
