package dev.weir.cluster.transport;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.protocol.Control;
import java.nio.ByteBuffer;

/**
 * The frames that replicas exchange. Each begins with its type (int) and the sender's epoch (long);
 * all numbers are big-endian.
 *
 * <pre>
 * CONTROL   {@link Control}
 * APPEND    a {@link Batch}
 * ACK       long position: everything before it is held as far as the group asks
 * FOLLOW    long epoch and position of the sender's log end: bring me what I do not have
 * START     long position: forget what is from there on; int how it goes on
 * SNAPSHOT  long epoch and position of its end, int whether it is the last part, bytes
 * GONE      nothing more: this process takes no part in the group any more
 * </pre>
 */
public final class Frames {
  public static final int CONTROL = 1;
  public static final int APPEND = 2;
  public static final int ACK = 3;
  public static final int FOLLOW = 4;
  public static final int START = 5;
  public static final int SNAPSHOT = 6;
  public static final int GONE = 7;

  /** {@link #START}: batches follow from the position on. */
  public static final int BATCHES = 0;

  /** {@link #START}: ask again when it is forgotten. */
  public static final int ASK_AGAIN = 1;

  /** {@link #START}: a snapshot comes first. */
  public static final int FROM_SNAPSHOT = 2;

  /** Bytes before what is particular to a type. */
  public static final int HEADER_BYTES = 12;

  /** Bytes before the content of a {@link #SNAPSHOT}. */
  public static final int SNAPSHOT_HEADER_BYTES = HEADER_BYTES + 20;

  /** Bytes of the largest frame without a batch or a snapshot in it. */
  public static final int SMALL_BYTES = HEADER_BYTES + Control.BYTES;

  private Frames() {}

  public static int type(ByteBuffer frame) {
    return frame.getInt(frame.position());
  }

  public static long epoch(ByteBuffer frame) {
    return frame.getLong(frame.position() + Integer.BYTES);
  }

  /** Offset of what is particular to the type. */
  public static int content(ByteBuffer frame) {
    return frame.position() + HEADER_BYTES;
  }

  public static ByteBuffer begin(ByteBuffer out, int type, long epoch) {
    return out.clear().putInt(type).putLong(epoch);
  }
}
