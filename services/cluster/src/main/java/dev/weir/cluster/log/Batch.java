package dev.weir.cluster.log;

import dev.weir.cluster.protocol.LogEnd;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The layout of a batch: consecutive messages of one epoch, as they are sent and stored.
 *
 * <pre>
 *  0 int  lowest byte: format, 2 if a message of the batch is rejected, else 1; the rest: version of
 *         the application, less 1
 *  4 int  bytes of the batch, this header included
 *  8 long epoch
 * 16 long position of the first message
 * 24 int  number of messages
 * 28 int  CRC32C of all other bytes
 * 32 long time of acceptance, ms since 1970
 * 40 messages, each:
 *     0 int  bytes of the body; the sign bit marks a rejected message, whose body is the reason (UTF-8)
 *     4 long client id
 *    12 long sequence
 *    20 body
 * then, up to the end of the batch, which replies clients have; earlier versions read over them:
 *     0 long client id
 *     8 long sequence: the client has the replies to all its messages before that one
 * </pre>
 *
 * All numbers are big-endian. The methods neither use nor change the buffer's position and limit.
 */
public final class Batch {
  static final int FORMAT = 1;
  static final int FORMAT_WITH_REJECTED = 2;
  public static final int HEADER_BYTES = 40;
  public static final int MESSAGE_HEADER_BYTES = 20;

  /** Bytes of one {@link #addRelease}. */
  public static final int RELEASE_BYTES = 16;

  /** {@value}: the highest version of an application. */
  public static final int MAX_VERSION = 1_000_000;

  private static final int FORMAT_MASK = 0xFF;
  private static final int REJECTED = Integer.MIN_VALUE;
  private static final int LENGTH = 4;
  private static final int EPOCH = 8;
  private static final int POSITION = 16;
  private static final int COUNT = 24;
  private static final int CRC = 28;
  private static final int TIME = 32;
  private static final int CLIENT = 4;
  private static final int SEQUENCE = 12;
  private static final int RELEASED = 8;

  private Batch() {}

  /**
   * Begins a batch.
   *
   * @param version of the application, in which its messages are handled
   */
  public static void begin(
      ByteBuffer buffer, int at, int version, long epoch, long position, long timeMs) {
    buffer
        .putInt(at, withVersion(FORMAT, version))
        .putInt(at + LENGTH, HEADER_BYTES)
        .putLong(at + EPOCH, epoch)
        .putLong(at + POSITION, position)
        .putInt(at + COUNT, 0)
        .putInt(at + CRC, 0)
        .putLong(at + TIME, timeMs);
  }

  /** Adds a message; the caller puts its body after its header, before or after this call. */
  public static void add(ByteBuffer buffer, int at, long clientId, long sequence, int bodyBytes) {
    int bytes = bytes(buffer, at);
    int message = at + bytes;
    buffer
        .putInt(message, bodyBytes)
        .putLong(message + CLIENT, clientId)
        .putLong(message + SEQUENCE, sequence)
        .putInt(at + LENGTH, bytes + MESSAGE_HEADER_BYTES + bodyBytes)
        .putInt(at + COUNT, count(buffer, at) + 1);
  }

  /** Marks the message added last as rejected. */
  public static void markRejected(ByteBuffer buffer, int at, int bodyBytes) {
    int message = at + bytes(buffer, at) - bodyBytes - MESSAGE_HEADER_BYTES;
    buffer
        .putInt(at, withVersion(FORMAT_WITH_REJECTED, version(buffer, at)))
        .putInt(message, bodyBytes | REJECTED);
  }

  /** Adds that a client has the replies to its messages before one; no message may follow. */
  public static void addRelease(ByteBuffer buffer, int at, long clientId, long before) {
    int bytes = bytes(buffer, at);
    buffer
        .putLong(at + bytes, clientId)
        .putLong(at + bytes + RELEASED, before)
        .putInt(at + LENGTH, bytes + RELEASE_BYTES);
  }

  /**
   * A format with the version of the application in its upper bytes: that of version 1 is the plain
   * format, which who knows no versions reads, and any other one it refuses.
   */
  public static int withVersion(int format, int version) {
    return format | version - 1 << Byte.SIZE;
  }

  /** The format of {@link #withVersion}. */
  public static int format(int withVersion) {
    return withVersion & FORMAT_MASK;
  }

  /** The version of {@link #withVersion}; not in range if it is none. */
  public static int version(int withVersion) {
    return (withVersion >> Byte.SIZE) + 1;
  }

  /** Version of the application in which the messages were handled. */
  public static int version(ByteBuffer buffer, int at) {
    return version(buffer.getInt(at));
  }

  /** Sets the checksum; no message may be added afterwards. */
  public static void seal(ByteBuffer buffer, int at, CRC32C crc) {
    buffer.putInt(at + CRC, checksum(buffer, at, crc));
  }

  /** Whether this is a complete and undamaged batch of at most {@code available} bytes. */
  public static boolean isIntact(ByteBuffer buffer, int at, int available, CRC32C crc) {
    return available >= HEADER_BYTES
        && format(buffer.getInt(at)) >= FORMAT
        && format(buffer.getInt(at)) <= FORMAT_WITH_REJECTED
        && version(buffer, at) >= 1
        && version(buffer, at) <= MAX_VERSION
        && bytes(buffer, at) >= HEADER_BYTES
        && bytes(buffer, at) <= available
        && buffer.getInt(at + CRC) == checksum(buffer, at, crc);
  }

  /** The checksum over all bytes but its own; {@code crc} is reused. */
  private static int checksum(ByteBuffer buffer, int at, CRC32C crc) {
    int position = buffer.position();
    int limit = buffer.limit();
    crc.reset();
    buffer.limit(at + CRC).position(at);
    crc.update(buffer);
    buffer.limit(at + bytes(buffer, at)).position(at + TIME);
    crc.update(buffer);
    buffer.limit(limit).position(position);
    return (int) crc.getValue();
  }

  public static int bytes(ByteBuffer buffer, int at) {
    return buffer.getInt(at + LENGTH);
  }

  public static long epoch(ByteBuffer buffer, int at) {
    return buffer.getLong(at + EPOCH);
  }

  public static long position(ByteBuffer buffer, int at) {
    return buffer.getLong(at + POSITION);
  }

  public static int count(ByteBuffer buffer, int at) {
    return buffer.getInt(at + COUNT);
  }

  public static long timeMs(ByteBuffer buffer, int at) {
    return buffer.getLong(at + TIME);
  }

  public static LogEnd end(ByteBuffer buffer, int at) {
    return new LogEnd(epoch(buffer, at), position(buffer, at) + count(buffer, at));
  }

  /** Offset of the first message; {@link #next} returns that of the following one. */
  public static int first(int at) {
    return at + HEADER_BYTES;
  }

  public static int next(ByteBuffer buffer, int message) {
    return message + MESSAGE_HEADER_BYTES + bodyBytes(buffer, message);
  }

  public static int bodyBytes(ByteBuffer buffer, int message) {
    return buffer.getInt(message) & ~REJECTED;
  }

  /** Whether the handler rejected the message: its body is the reason then. */
  public static boolean isRejected(ByteBuffer buffer, int message) {
    return buffer.getInt(message) < 0;
  }

  public static long clientId(ByteBuffer buffer, int message) {
    return buffer.getLong(message + CLIENT);
  }

  public static long sequence(ByteBuffer buffer, int message) {
    return buffer.getLong(message + SEQUENCE);
  }

  /** The client of a release. */
  public static long releasingClient(ByteBuffer buffer, int release) {
    return buffer.getLong(release);
  }

  /** The client of a release has the replies to its messages before this one. */
  public static long releasedBefore(ByteBuffer buffer, int release) {
    return buffer.getLong(release + RELEASED);
  }

  public static int body(int message) {
    return message + MESSAGE_HEADER_BYTES;
  }
}
