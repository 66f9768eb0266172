package dev.weir.group.documents;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Bounds a call that may have to wait for the disk again and again: the shard stands meanwhile. */
final class CallTime {
  /** A small part of the time after which a primary that is not heard loses its role. */
  private static final long MAX_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier nanoTime;
  private final long startNs;

  CallTime(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.startNs = nanoTime.getAsLong();
  }

  boolean isOver() {
    return nanoTime.getAsLong() - startNs > MAX_NS;
  }
}
