package dev.weir.group.apply;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The last ids of messages and the replies to them, a part of the group's state, the oldest
 * forgotten first: those above a number, and those for which the heap has no room. Only the primary
 * forgets, so backups need not agree on the room.
 *
 * <pre>
 * "\1id ID"    long hash of the content, reply
 * "\1at N"     the id that was the Nth
 * "\1ends"     long N of the oldest, long N of the next, and of those whose heap is counted:
 *              long N of the first, long N after the last, long bytes
 * </pre>
 *
 * Earlier versions count no heap, and leave it as it was when they add an id.
 */
final class RememberedIds {
  /** Heap of an id besides its reply and its characters, which are there twice. */
  private static final int ID_BYTES = 220;

  /** What an id that is not counted is taken to need. */
  private static final int UNCOUNTED_BYTES = 400;

  private static final String ID = "\1id ";
  private static final String AT = "\1at ";
  private static final String ENDS = "\1ends";
  private static final int ENDS_BYTES = 5 * Long.BYTES;

  /**
   * So that a message forgets no more than it may change, where fewer are remembered than before.
   */
  private static final int MAX_FORGOTTEN = 16;

  /** A reply that is as large as those to many messages needs more; so much may change then. */
  private static final int ROOM_BYTES = 1 << 10;

  private final int max;
  private final IdRoom room;
  private final String group;

  /**
   * @param max how many are remembered; those that were more before are forgotten little by little
   */
  RememberedIds(int max, IdRoom room, String group) {
    this.max = max;
    this.room = room;
    this.group = group;
  }

  /** What is remembered of an id: hash of the content and reply; null if nothing is. */
  ByteBuffer find(ChangeSet state, String id) {
    byte[] known = state.get(ID + id);
    return known == null ? null : ByteBuffer.wrap(known);
  }

  /** Remembers an id that is not known. */
  void add(ChangeSet state, String id, long content, byte[] reply) {
    if (max == 0) {
      return;
    }
    byte[] name = id.getBytes(StandardCharsets.UTF_8);
    ByteBuffer value = ByteBuffer.allocate(Long.BYTES + reply.length).putLong(content).put(reply);
    Ends ends = new Ends(state.get(ENDS));
    state.put(ID + id, value.array());
    state.put(AT + ends.next, name);
    long added = bytes(name, value.array());
    ends.next++;
    ends.counted = ends.next;
    ends.bytes += added;
    forget(state, ends, added);
    state.put(ENDS, ends.encode());
  }

  private void forget(ChangeSet state, Ends ends, long added) {
    long freed = 0;
    for (int i = 0;
        isOver(ends) && (i < MAX_FORGOTTEN || freed < added && state.room() > ROOM_BYTES);
        i++) {
      byte[] name = state.get(AT + ends.oldest);
      String id = ID + new String(name, StandardCharsets.UTF_8);
      long bytes = bytes(name, state.get(id));
      state.remove(id);
      state.remove(AT + ends.oldest);
      if (ends.oldest >= ends.first) {
        ends.bytes -= bytes;
      }
      freed += bytes;
      ends.oldest++;
    }
  }

  /** The last one stays, however large its reply is. */
  private boolean isOver(Ends ends) {
    long ids = ends.next - ends.oldest;
    if (ids > max) {
      return true;
    }
    boolean full = ids > 1 && ends.heapBytes() > room.replicaBytes();
    if (full) {
      room.tooSmall(group, ids - 1, max);
    }
    return full;
  }

  private static long bytes(byte[] name, byte[] value) {
    return ID_BYTES + 2L * name.length + value.length;
  }

  /** What {@link #ENDS} holds. */
  private static final class Ends {
    private long oldest;
    private long next;

    /** The ids from first up to, not including, counted take {@link #bytes}. */
    private long first;

    private long counted;
    private long bytes;

    /**
     * @param known null before the first id
     */
    Ends(byte[] known) {
      ByteBuffer ends = known == null ? ByteBuffer.allocate(ENDS_BYTES) : ByteBuffer.wrap(known);
      oldest = ends.getLong();
      next = ends.getLong();
      if (ends.hasRemaining()) {
        first = ends.getLong();
        counted = ends.getLong();
        bytes = ends.getLong();
      }
      if (counted != next) {
        // An earlier version has added some.
        first = next;
        bytes = 0;
      }
    }

    long heapBytes() {
      return bytes + Math.max(0, first - oldest) * UNCOUNTED_BYTES;
    }

    byte[] encode() {
      return ByteBuffer.allocate(ENDS_BYTES)
          .putLong(oldest)
          .putLong(next)
          .putLong(first)
          .putLong(counted)
          .putLong(bytes)
          .array();
    }
  }
}
