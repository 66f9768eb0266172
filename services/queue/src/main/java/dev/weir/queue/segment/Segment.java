package dev.weir.queue.segment;

/**
 * A segment and what is known of it. Guarded by its {@link Segments}, but for what belongs to the
 * open file.
 */
public final class Segment {
  final int number;

  /** Null while it is not open. */
  SegmentFile file;

  /** Bytes written. */
  volatile long size;

  /** Size of a file that was used before, or 0. */
  long fileBytes;

  /** The first of these bytes that are on the device. */
  volatile long forced;

  /** Records in it that may be referred to; never too small a number. */
  long live;

  /** True if it may hold records that are of use after a restart. */
  volatile boolean keeps;

  /** True while it is appended to. */
  boolean isHead;

  /** True while its deletion is prepared. */
  boolean leaving;

  /** Threads that use the file now; it is closed by the last of them once it is {@link #gone}. */
  int users;

  boolean gone;

  Segment(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
