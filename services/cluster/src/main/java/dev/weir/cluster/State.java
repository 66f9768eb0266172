package dev.weir.cluster;

import dev.weir.options.Checks;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The objects of a {@link StateReplicatedProcessor}: bytes by id. */
public interface State {
  /**
   * The bytes of an object.
   *
   * @return a read-only view, valid until the next call to this state; null if there is none
   */
  ByteBuffer get(long id);

  /**
   * Replaces or creates an object.
   *
   * @param value its bytes from position to limit, copied; position and limit stay as they are
   */
  void put(long id, ByteBuffer value);

  /** Removes an object if there is one. */
  void remove(long id);

  /** The number of objects. */
  int size();

  /**
   * Bytes of changes that the message at hand may still make: a {@link #put} takes 12 and those of
   * the object, a {@link #remove} 12. A change with more throws an {@link IllegalStateException}.
   *
   * @return 0 for a state that refuses changes; {@link Integer#MAX_VALUE}, the default, for one
   *     without a limit
   */
  default int room() {
    return Integer.MAX_VALUE;
  }

  /** Reads the state of a group on its primary without an entry in the log. */
  interface Reader {
    /**
     * Reads. Called under the group's lock by the thread that asked, so it must not block. What it
     * throws goes to the caller, and nothing else is called then.
     *
     * @param state valid during the call; it refuses changes
     */
    void read(State state);

    /**
     * What was read is acknowledged: all members in sync hold every message that led to it, and
     * this member was the only primary. Called once, by any thread under the group's lock: it must
     * not block. What it throws is logged.
     */
    void onConfirmed();

    /**
     * The role was lost before that, so what was read may be undone. Called in place of {@link
     * #onConfirmed}, and like it.
     */
    void onLost();
  }

  /**
   * Heap for the objects of {@linkplain StateReplicatedProcessor state-replicated} groups of one
   * member, in equal parts: those of a group that were used last are in its part, all are on its
   * disk. Any thread.
   */
  final class Heap {
    private final AtomicLong heapBytes;
    private final AtomicInteger replicas = new AtomicInteger();

    /**
     * @param heapBytes for all groups that share it, 0 or more. A group keeps some objects even
     *     without heap
     */
    public Heap(long heapBytes) {
      this.heapBytes = new AtomicLong(Checks.range("heapBytes", heapBytes, 0, Long.MAX_VALUE));
    }

    /** Adds bytes, or takes some if the number is negative. */
    public void add(long moreBytes) {
      heapBytes.addAndGet(moreBytes);
    }

    /** So many more replicas have their parts, until {@link #leave}. */
    public void join(int more) {
      replicas.addAndGet(more);
    }

    /** So many replicas need their parts no more. */
    public void leave(int fewer) {
      replicas.addAndGet(-fewer);
    }

    /** The part of one replica. */
    public long replicaBytes() {
      return Math.max(0, heapBytes.get()) / Math.max(1, replicas.get());
    }
  }
}
