package dev.weir.group.apply;

import dev.weir.group.wire.GroupReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The last ids of messages and the replies to them, a part of the group's state, the oldest
 * forgotten first: those above a number, and those for which the heap has no room. Where the heap
 * is short, replies are forgotten before ids: ids without their replies have half of the room. Only
 * the primary forgets, so backups need not agree on the room.
 *
 * <pre>
 * "\1id ID"    long hash of the content, reply; or {@link GroupReply#forgotten} in its place
 * "\1at N"     the id that was the Nth
 * "\1ends"     long N of the oldest, long N of the next, and of those whose heap is counted:
 *              long N of the first, long N after the last, long bytes;
 *              long N of the oldest whose reply was not looked at to be forgotten,
 *              long bytes of those before it
 * </pre>
 *
 * Earlier versions count no heap, and leave it as it was when they add an id.
 */
final class RememberedIds {
  /** Heap of an id besides its reply and its characters, which are there twice. */
  private static final int ID_BYTES = 220;

  private static final String ID = "\1id ";
  private static final String AT = "\1at ";
  private static final String ENDS = "\1ends";
  private static final int ENDS_BYTES = 7 * Long.BYTES;
  private static final byte[] FORGOTTEN = GroupReply.forgotten().getBytes();

  /**
   * So that a message forgets no more than it may change, where fewer are remembered than before.
   */
  private static final int MAX_FORGOTTEN = 16;

  /** How many a message looks at if its reply is as large as those to many messages. */
  private static final int MAX_STEPS = 1 << 10;

  /** How many ids of an earlier version a message counts. */
  private static final int MAX_COUNTED = 1 << 8;

  /** What a step changes of the state, with {@link #ENDS}, besides the characters of the id. */
  private static final int STEP_BYTES = 1 << 8;

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
    Ends ends = new Ends(state.get(ENDS));
    Entry entry = new Entry(id.getBytes(StandardCharsets.UTF_8), value(content, reply));
    state.put(ID + id, entry.value);
    state.put(AT + ends.next, entry.name);
    ends.next++;
    ends.bytes += entry.bytes();
    for (int i = 0; i < MAX_COUNTED && !ends.isCounted(); i++) {
      ends.first--;
      ends.bytes += entry(state, ends.first).bytes();
    }
    makeRoom(state, ends, entry.bytes());
    state.put(ENDS, ends.encode());
  }

  private static byte[] value(long content, byte[] reply) {
    return ByteBuffer.allocate(Long.BYTES + reply.length).putLong(content).put(reply).array();
  }

  private static Entry entry(ChangeSet state, long number) {
    byte[] name = state.get(AT + number);
    return new Entry(name, state.get(ID + new String(name, StandardCharsets.UTF_8)));
  }

  /**
   * Forgets what is too much. The last reply stays, however large it is.
   *
   * @param added bytes of the last one
   */
  private void makeRoom(ChangeSet state, Ends ends, long added) {
    long freed = 0;
    for (int i = 0; i < MAX_FORGOTTEN || freed < added && i < MAX_STEPS; i++) {
      long limit = room.replicaBytes();
      long ids = ends.next - ends.oldest;
      boolean isFull = ends.isCounted() && ends.bytes > limit;
      if (isFull) {
        room.tooSmall(group, ids * limit / ends.bytes, max);
      }
      boolean isIdTooMuch = ids > max || isFull && ends.shortBytes > limit / 2;
      boolean isReplyTooMuch = isFull && ends.replies < ends.next - 1;
      if (!isIdTooMuch && !isReplyTooMuch) {
        return;
      }
      Entry entry = entry(state, isIdTooMuch ? ends.oldest : ends.replies);
      boolean isNeeded = i == 0 && ids > max;
      if (!isNeeded && state.room() < STEP_BYTES + entry.name.length) {
        return;
      }
      freed += isIdTooMuch ? forget(state, ends, entry) : forgetReply(state, ends, entry);
    }
  }

  /** Forgets the oldest id; returns the bytes of heap that this frees. */
  private static long forget(ChangeSet state, Ends ends, Entry entry) {
    state.remove(ID + entry.id());
    state.remove(AT + ends.oldest);
    if (ends.oldest >= ends.first) {
      ends.bytes -= entry.bytes();
    }
    if (ends.oldest < ends.replies) {
      ends.shortBytes -= entry.bytes();
    }
    ends.oldest++;
    ends.replies = Math.max(ends.replies, ends.oldest);
    return entry.bytes();
  }

  /** Forgets the oldest reply, unless it is short; returns the bytes of heap that this frees. */
  private static long forgetReply(ChangeSet state, Ends ends, Entry entry) {
    Entry left = entry;
    if (entry.value.length > Long.BYTES + FORGOTTEN.length) {
      left = new Entry(entry.name, value(ByteBuffer.wrap(entry.value).getLong(), FORGOTTEN));
      state.put(ID + entry.id(), left.value);
    }
    long freed = entry.bytes() - left.bytes();
    ends.bytes -= freed;
    ends.shortBytes += left.bytes();
    ends.replies++;
    return freed;
  }

  /** An id, and what {@link #find} gives for it. */
  private record Entry(byte[] name, byte[] value) {
    String id() {
      return new String(name, StandardCharsets.UTF_8);
    }

    /** Of heap. */
    long bytes() {
      return ID_BYTES + 2L * name.length + value.length;
    }
  }

  /** What {@link #ENDS} holds. */
  private static final class Ends {
    private long oldest;
    private long next;

    /** The ids from this one on take {@link #bytes}. */
    private long first;

    private long bytes;

    /** The oldest whose reply may be forgotten; those before it have none, or a short one. */
    private long replies;

    /** What those before {@link #replies} take. */
    private long shortBytes;

    /**
     * @param known null before the first id
     */
    Ends(byte[] known) {
      ByteBuffer ends = known == null ? ByteBuffer.allocate(ENDS_BYTES) : ByteBuffer.wrap(known);
      oldest = ends.getLong();
      next = ends.getLong();
      long counted = -1;
      if (ends.remaining() == ENDS_BYTES - 2 * Long.BYTES) {
        first = ends.getLong();
        counted = ends.getLong();
        bytes = ends.getLong();
        replies = ends.getLong();
        shortBytes = ends.getLong();
      }
      if (counted != next) {
        // An earlier version has added some, and perhaps forgotten others.
        first = next;
        bytes = 0;
        replies = oldest;
        shortBytes = 0;
      }
    }

    boolean isCounted() {
      return first <= oldest;
    }

    byte[] encode() {
      return ByteBuffer.allocate(ENDS_BYTES)
          .putLong(oldest)
          .putLong(next)
          .putLong(first)
          .putLong(next)
          .putLong(bytes)
          .putLong(replies)
          .putLong(shortBytes)
          .array();
    }
  }
}
