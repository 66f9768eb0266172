package dev.weir.cluster.state;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The last replies to one client that it may not have, in the order of its sequences, each in one
 * piece. Bytes and index grow by doubling until what is kept fits; from then on nothing is
 * allocated, but for one copy after each {@link #freeze}. They shrink when a {@link #release} shows
 * that much less would do.
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

  /** Memory is given back if it is so many times what is used. */
  private static final int SPARE = 8;

  /** Less is given back only if it was of no use since the last {@link #release} either. */
  private static final int FLOOR_BYTES = 64 << 10;

  /** What the rings of all clients take, each of them until it is {@link #drop dropped}. */
  static final class Memory {
    private long bytes;

    long bytes() {
      return bytes;
    }
  }

  private final int window;
  private final Memory memory;
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

  /** The most that was needed since the last {@link #release}. */
  private int mostBytes;

  private int mostReplies;

  private int claimOffset;
  private int claimBytes;

  /** A {@link Frozen} refers to the buffer and the index. */
  private boolean frozen;

  ReplyRing(int window, Memory memory) {
    this.window = window;
    this.memory = memory;
    memory.bytes += bytes();
  }

  private long bytes() {
    return buffer.capacity() + (long) Long.BYTES * index.length;
  }

  /** Nobody uses this ring any more. */
  void drop() {
    memory.bytes -= bytes();
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
    mostBytes = Math.max(mostBytes, keptBytes + maxBytes);
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
    move(capacity, index.length);
  }

  /** Moves what is kept to other memory; an earlier claim becomes void. */
  private void move(int bytes, int replies) {
    ByteBuffer moved = ByteBuffer.allocate(bytes);
    long[] entries = new long[replies];
    int end = 0;
    for (long sequence = first; sequence < next; sequence++) {
      int marked = (int) index[slot(sequence)];
      int length = marked & ~REJECTED;
      moved.put(end, buffer, offset(sequence), length);
      entries[(int) sequence & replies - 1] = entry(end, marked);
      end += length;
    }
    memory.bytes -= bytes();
    buffer = moved;
    index = entries;
    memory.bytes += bytes();
    head = 0;
    tail = end;
    claimOffset = 0;
    claimBytes = 0;
    frozen = false;
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
    mostReplies = Math.max(mostReplies, (int) (next - first));
    while (next - first > window || keptBytes > MAX_KEPT_BYTES) {
      forget();
    }
  }

  /** Drops the replies before a sequence, because the client has them. */
  void release(long before) {
    long end = Math.min(before, next);
    while (first < end) {
      forget();
    }
    if (bytes() > FLOOR_BYTES
        && buffer.capacity() / SPARE > keptBytes
        && index.length / SPARE > next - first) {
      needed();
    }
    int bytes = Math.max(LEAST_BYTES, mostBytes);
    int replies = Math.max(LEAST_REPLIES, mostReplies);
    if (buffer.capacity() / SPARE >= bytes || index.length / SPARE >= replies) {
      move(powerOfTwo(bytes), powerOfTwo(replies));
    }
    needed();
  }

  /** Begins to look for the most that is needed. */
  private void needed() {
    mostBytes = keptBytes;
    mostReplies = (int) (next - first);
  }

  private static int powerOfTwo(int atLeast) {
    return Integer.highestOneBit(2 * atLeast - 1);
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
    memory.bytes += (long) Long.BYTES * old.length;
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
