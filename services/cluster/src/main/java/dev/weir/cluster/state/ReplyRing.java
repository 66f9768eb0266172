package dev.weir.cluster.state;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The last replies to one client, in the order of its sequences, each in one piece. Bytes and index
 * grow by doubling until what is kept fits; from then on nothing is allocated, but for one copy
 * after each {@link #freeze}.
 */
final class ReplyRing {
  /**
   * No more reply bytes than these are kept, so that they fit into one buffer: older ones go. By
   * the size of the replies alone, hence the same on all replicas.
   */
  static final int MAX_KEPT_BYTES = 64 << 20;

  /** Marks the length of a reply that is the reason of a rejection. */
  private static final int REJECTED = Integer.MIN_VALUE;

  private static final int LEAST_BYTES = 1 << 6;
  private static final int LEAST_REPLIES = 4;

  private final int window;
  private ByteBuffer buffer = ByteBuffer.allocate(LEAST_BYTES);

  /** Offset and length by the low bits of the sequence. */
  private long[] index = new long[LEAST_REPLIES];

  /** The replies to the sequences from first up to, not including, next are kept. */
  private long first = 1;

  private long next = 1;

  /** The used part reaches from head to tail and may wrap around the end of the buffer. */
  private int head;

  private int tail;

  /** Sum of the lengths of the replies kept; unless it is 0, head = tail means full. */
  private int keptBytes;

  private int claimOffset;
  private int claimBytes;

  /** A {@link Frozen} refers to the buffer and the index. */
  private boolean frozen;

  ReplyRing(int window) {
    this.window = window;
  }

  long first() {
    return first;
  }

  long next() {
    return next;
  }

  /** Sets the sequence of the next reply; the ring must be empty. */
  void startAt(long sequence) {
    first = sequence;
    next = sequence;
  }

  ByteBuffer buffer() {
    return buffer;
  }

  int offset(long sequence) {
    return (int) (index[slot(sequence)] >>> Integer.SIZE);
  }

  int length(long sequence) {
    return (int) index[slot(sequence)] & ~REJECTED;
  }

  /** Whether the reply to this sequence is the reason of a rejection. */
  boolean isRejected(long sequence) {
    return (int) index[slot(sequence)] < 0;
  }

  /** Marks the reply committed last as the reason of a rejection. */
  void markRejected() {
    thaw();
    index[slot(next - 1)] |= Integer.toUnsignedLong(REJECTED);
  }

  /**
   * Claims contiguous room for the next reply and returns its offset; an earlier claim becomes
   * void.
   */
  int claim(int maxBytes) {
    thaw();
    int offset = room(maxBytes);
    if (offset < 0) {
      grow(maxBytes);
      offset = tail;
    }
    claimOffset = offset;
    claimBytes = maxBytes;
    return offset;
  }

  /** Offset at which that many contiguous bytes are free, or -1. */
  private int room(int bytes) {
    if (keptBytes == 0) {
      head = 0;
      tail = 0;
      return bytes <= buffer.capacity() ? 0 : -1;
    }
    if (tail <= head) {
      return bytes <= head - tail ? tail : -1;
    }
    if (bytes <= buffer.capacity() - tail) {
      return tail;
    }
    return bytes <= head ? 0 : -1;
  }

  private void grow(int bytes) {
    int capacity = 2 * buffer.capacity();
    while (capacity < keptBytes + bytes) {
      capacity *= 2;
    }
    ByteBuffer grown = ByteBuffer.allocate(capacity);
    int end = 0;
    for (long sequence = first; sequence < next; sequence++) {
      int length = length(sequence);
      grown.put(end, buffer, offset(sequence), length);
      boolean rejected = isRejected(sequence);
      index[slot(sequence)] = entry(end, rejected ? length | REJECTED : length);
      end += length;
    }
    buffer = grown;
    head = 0;
    tail = end;
  }

  /**
   * Appends the bytes in the claimed room as the next reply.
   *
   * @throws IllegalArgumentException if it is more than was claimed; nothing is claimed at first
   *     and after a commit
   */
  void commit(int bytes) {
    if (bytes < 0 || bytes > claimBytes) {
      throw new IllegalArgumentException(
          "a reply has " + bytes + " bytes, claimed are " + claimBytes);
    }
    claimBytes = 0;
    thaw();
    if (next - first == index.length) {
      growIndex();
    }
    index[slot(next++)] = entry(claimOffset, bytes);
    if (bytes > 0) {
      tail = claimOffset + bytes;
      keptBytes += bytes;
    }
    while (next - first > window || keptBytes > MAX_KEPT_BYTES) {
      forget();
    }
  }

  private void forget() {
    int length = length(first);
    if (length > 0) {
      head = offset(first) + length;
      keptBytes -= length;
    }
    first++;
  }

  private void growIndex() {
    long[] old = index;
    index = new long[2 * old.length];
    for (long sequence = first; sequence < next; sequence++) {
      index[slot(sequence)] = old[(int) sequence & old.length - 1];
    }
  }

  private int slot(long sequence) {
    return (int) sequence & index.length - 1;
  }

  private static long entry(int offset, int length) {
    return (long) offset << Integer.SIZE | Integer.toUnsignedLong(length);
  }

  /** The replies as they are now; whoever changes the ring copies its bytes first, once. */
  Frozen freeze() {
    frozen = true;
    return new Frozen(first, next, buffer, index);
  }

  /** To be called before the bytes or the index are changed. */
  private void thaw() {
    if (frozen) {
      int capacity = buffer.capacity();
      buffer = ByteBuffer.allocate(capacity).put(0, buffer, 0, capacity);
      index = index.clone();
      frozen = false;
    }
  }

  /** What a ring held; any thread may write it. */
  record Frozen(long first, long next, ByteBuffer buffer, long[] index) {
    void save(DataOutput out) throws IOException {
      out.writeLong(first);
      out.writeInt((int) (next - first));
      for (long sequence = first; sequence < next; sequence++) {
        long entry = index[(int) sequence & index.length - 1];
        out.writeInt((int) entry);
        out.write(buffer.array(), (int) (entry >>> Integer.SIZE), (int) entry & ~REJECTED);
      }
    }
  }

  /** Reads what {@link Frozen#save} wrote into a new ring, as many replies as the window keeps. */
  void restore(DataInput in, int maxBytes) throws IOException {
    first = in.readLong();
    next = first;
    int replies = in.readInt();
    if (first < 1 || replies < 0) {
      throw new IOException("a session has " + replies + " replies from " + first + " on");
    }
    for (int i = 0; i < replies; i++) {
      int marked = in.readInt();
      int length = marked & ~REJECTED;
      if (length > maxBytes) {
        throw new IOException("a reply has " + length + " bytes, allowed is 0 to " + maxBytes);
      }
      claim(length);
      in.readFully(buffer.array(), claimOffset, length);
      commit(length);
      if (marked < 0) {
        markRejected();
      }
    }
  }

  /** Reads over what {@link Frozen#save} wrote. */
  static void skip(DataInputStream in) throws IOException {
    in.skipNBytes(Long.BYTES);
    for (int replies = in.readInt(); replies > 0; replies--) {
      in.skipNBytes(in.readInt() & ~REJECTED);
    }
  }
}
