package dev.weir.queue.line;

import java.util.EnumSet;
import java.util.Set;

/**
 * The life of a {@link Packet}. Every other transition than those listed is a bug and throws.
 *
 * <pre>
 *   OPEN -> SEALED -> WRITING -> WRITTEN -> DONE -> DELETING
 *             |  ^      |  \                 ^
 *             |  +------+   -> WRITING_DONE -+     a failed write goes back to SEALED
 *             +------------------------------+     settled before the first write
 * </pre>
 */
enum PacketState {
  /** In memory only; takes more messages. */
  OPEN,
  /** In memory only; takes no more messages. */
  SEALED,
  /** The writer thread encodes and commits the packet. */
  WRITING,
  /** As {@link #WRITING}, but every message was settled meanwhile. */
  WRITING_DONE,
  /** The packet is on disk. */
  WRITTEN,
  /** Every message is settled. A failed write may have left a record on disk. */
  DONE,
  /** As {@link #DONE}; the record on disk is to be deleted. */
  DELETING;

  private Set<PacketState> next;

  static {
    OPEN.next = EnumSet.of(SEALED);
    SEALED.next = EnumSet.of(WRITING, DONE);
    WRITING.next = EnumSet.of(SEALED, WRITTEN, WRITING_DONE);
    WRITING_DONE.next = EnumSet.of(DONE);
    WRITTEN.next = EnumSet.of(DONE);
    DONE.next = EnumSet.of(DELETING);
    DELETING.next = EnumSet.noneOf(PacketState.class);
  }

  /**
   * Returns {@code to} if a packet may go from this state to that one.
   *
   * @throws IllegalStateException if it may not
   */
  PacketState to(PacketState to) {
    if (!next.contains(to)) {
      throw new IllegalStateException("a packet cannot become " + to + " when it is " + this);
    }
    return to;
  }

  boolean isWriting() {
    return this == WRITING || this == WRITING_DONE;
  }

  /** True if every message is settled and the bytes of the packet are not counted any more. */
  boolean isDone() {
    return compareTo(DONE) >= 0 || this == WRITING_DONE;
  }
}
