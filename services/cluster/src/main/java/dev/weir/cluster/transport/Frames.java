package dev.weir.cluster.transport;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.protocol.Control;
import dev.weir.cluster.protocol.LogEnd;
import java.nio.ByteBuffer;

/**
 * The layout of the frames that replicas exchange. Each begins with its type (int) and the sender's
 * epoch (long). All numbers are big-endian.
 *
 * <pre>
 * CONTROL   {@link Control}
 * APPEND    a {@link Batch}
 * ACK       long position: the sender holds everything before it, as safely as the group demands;
 *           long question
 * FOLLOW    long process of the sender; long question; long epoch and position of the sender's log
 *           end: asks for what follows
 * START     long question; long epoch and position where the sender's history up to that epoch ends,
 *           of which the receiver keeps what it has; int what follows
 * SNAPSHOT  long question; long epoch and position of its end; long offset of the part; int CRC32C
 *           of the part; int whether it is the last; the part
 * GONE      long process: the sender, which takes no part in the group any more
 * </pre>
 *
 * <p>The question of a {@link #FOLLOW} comes back in all that answers it, so that a late answer to
 * an earlier question is known as one.
 */
public final class Frames {
  public static final int CONTROL = 1;
  public static final int APPEND = 2;
  public static final int ACK = 3;
  public static final int FOLLOW = 4;
  public static final int START = 5;
  public static final int SNAPSHOT = 6;
  public static final int GONE = 7;

  /** {@link #START}: the receiver has all up to the position; batches follow from there on. */
  public static final int BATCHES = 0;

  /** {@link #START}: send {@link #FOLLOW} again after truncating. */
  public static final int ASK_AGAIN = 1;

  /** {@link #START}: a snapshot follows first. */
  public static final int FROM_SNAPSHOT = 2;

  /** Bytes of the header that all types share. */
  public static final int HEADER_BYTES = 12;

  /** Bytes before the content of a {@link #SNAPSHOT}. */
  public static final int SNAPSHOT_HEADER_BYTES = HEADER_BYTES + 40;

  /** Bytes of the largest frame that contains neither a batch nor a snapshot. */
  public static final int SMALL_BYTES = HEADER_BYTES + Control.BYTES;

  private Frames() {}

  public static int type(ByteBuffer frame) {
    return frame.getInt(frame.position());
  }

  public static long epoch(ByteBuffer frame) {
    return frame.getLong(frame.position() + Integer.BYTES);
  }

  /** Reads the epoch and position of an end. */
  public static LogEnd end(ByteBuffer frame, int at) {
    return new LogEnd(frame.getLong(at), frame.getLong(at + Long.BYTES));
  }

  /** Offset of the content after the header. */
  public static int content(ByteBuffer frame) {
    return frame.position() + HEADER_BYTES;
  }

  public static ByteBuffer begin(ByteBuffer out, int type, long epoch) {
    return out.clear().putInt(type).putLong(epoch);
  }
}
