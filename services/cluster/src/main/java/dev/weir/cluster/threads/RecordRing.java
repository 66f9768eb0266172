package dev.weir.cluster.threads;

import java.nio.ByteBuffer;

/**
 * Records on their way from one thread to another: in order, in bounded room, nothing allocated for
 * one. One thread at a time adds, another takes.
 */
public final class RecordRing {
  /** Bytes and tag (int), two numbers (long). */
  private static final int HEADER_BYTES = 24;

  private static final int TAG = 4;
  private static final int FIRST = 8;
  private static final int SECOND = 16;

  /** In place of the bytes: the next record is at the start of the buffer. */
  private static final int GO_TO_START = -1;

  private final int capacity;
  private final ByteBuffer buffer;
  private final ByteBuffer content;

  /** Bytes ever taken and added, with those left out before the end of the buffer. */
  private volatile long head;

  private volatile long tail;

  private volatile long added;
  private volatile long removed;

  /**
   * A ring.
   *
   * @param maxBytes of one record
   * @param bytes of all; it is made larger if two records do not fit
   */
  public RecordRing(int maxBytes, long bytes) {
    long least = Math.max(bytes, 2L * room(maxBytes));
    if (least > 1 << 30) {
      throw new IllegalArgumentException("a ring of " + least + " bytes, allowed is up to 2^30");
    }
    // A power of two, so that an offset is found by a mask.
    capacity = Integer.highestOneBit((int) least - 1) << 1;
    buffer = ByteBuffer.allocate(capacity);
    content = buffer.duplicate();
  }

  private static int room(int bytes) {
    return HEADER_BYTES + bytes + Long.BYTES - 1 & -Long.BYTES;
  }

  /** Adds a copy of some bytes, with a tag and two numbers; false if there is no room. */
  public boolean offer(int tag, long first, long second, ByteBuffer from, int at, int bytes) {
    long end = tail;
    int index = index(end);
    int left = capacity - index;
    int skipped = left < room(bytes) ? left : 0;
    if (end + skipped + room(bytes) - head > capacity) {
      return false;
    }
    if (skipped > 0) {
      buffer.putInt(index, GO_TO_START);
      index = 0;
    }
    buffer.putInt(index, bytes).putInt(index + TAG, tag);
    buffer.putLong(index + FIRST, first).putLong(index + SECOND, second);
    if (bytes > 0) {
      buffer.put(index + HEADER_BYTES, from, at, bytes);
    }
    tail = end + skipped + room(bytes);
    added++;
    return true;
  }

  /** Whether there is a record; looks at the oldest, which stays until {@link #remove}. */
  public boolean peek() {
    if (isEmpty()) {
      return false;
    }
    int index = index(head);
    if (buffer.getInt(index) == GO_TO_START) {
      head += capacity - index;
    }
    return true;
  }

  public int tag() {
    return buffer.getInt(index(head) + TAG);
  }

  public long first() {
    return buffer.getLong(index(head) + FIRST);
  }

  public long second() {
    return buffer.getLong(index(head) + SECOND);
  }

  /** Holds the bytes of the record; to be read absolutely, until {@link #remove}. */
  public ByteBuffer buffer() {
    return buffer;
  }

  public int offset() {
    return index(head) + HEADER_BYTES;
  }

  public int bytes() {
    return buffer.getInt(index(head));
  }

  /** The bytes of the record from position to limit; valid until {@link #remove}. */
  public ByteBuffer content() {
    return content.limit(offset() + bytes()).position(offset());
  }

  /** Gives the room of the record looked at free. */
  public void remove() {
    removed++;
    head += room(bytes());
  }

  /** Any thread. */
  public boolean isEmpty() {
    return head == tail;
  }

  /** Records ever added; any thread. */
  public long added() {
    return added;
  }

  /** Records ever removed; any thread. */
  public long removed() {
    return removed;
  }

  private int index(long at) {
    return (int) at & capacity - 1;
  }
}
