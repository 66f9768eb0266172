package dev.weir.group.apply;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The last ids of messages and the replies to them, a part of the group's state, the oldest
 * forgotten first.
 *
 * <pre>
 * "\1id ID"    long hash of the content, reply
 * "\1at N"     the id that was the Nth
 * "\1ends"     long N of the oldest, long N of the next
 * </pre>
 */
final class RememberedIds {
  private static final String ID = "\1id ";
  private static final String AT = "\1at ";
  private static final String ENDS = "\1ends";

  /**
   * So that a message forgets no more than it may change, where fewer are remembered than before.
   */
  private static final int MAX_FORGOTTEN = 16;

  private final int max;

  /**
   * @param max how many are remembered; those that were more before are forgotten little by little
   */
  RememberedIds(int max) {
    this.max = max;
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
    byte[] known = state.get(ENDS);
    ByteBuffer ends = known == null ? ByteBuffer.allocate(2 * Long.BYTES) : ByteBuffer.wrap(known);
    long oldest = ends.getLong(0);
    long next = ends.getLong(Long.BYTES);
    ByteBuffer value = ByteBuffer.allocate(Long.BYTES + reply.length).putLong(content).put(reply);
    state.put(ID + id, value.array());
    state.put(AT + next, id.getBytes(StandardCharsets.UTF_8));
    next++;
    for (int i = 0; i < MAX_FORGOTTEN && next - oldest > max; i++) {
      state.remove(ID + new String(state.get(AT + oldest), StandardCharsets.UTF_8));
      state.remove(AT + oldest);
      oldest++;
    }
    state.put(ENDS, ends.putLong(0, oldest).putLong(Long.BYTES, next).array());
  }
}
