package dev.weir.queue.je;

import dev.weir.options.HeapExhaustion;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.Serde;
import dev.weir.queue.line.DetachedMessage;
import dev.weir.queue.line.Packet;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * The bytes of a record in the tables of deferred messages and of dead letters, big-endian:
 *
 * <pre>
 *  0 int   CRC32C of everything after it
 *  4 byte  'S'
 *  5 byte  format version, as in {@link PacketCodec}
 *  6 byte  flags as in a packet
 *  7 byte  deliveries
 *  8 long  sequence
 * 16 int   failed attempts
 * 20 long  end of the first failed attempt, ms since 1970
 * 28 long  end of the last failed attempt, ms since 1970
 * 36 long  time of death, ms since 1970; 0 while it lives
 * 44 short length of the reason, UTF-8
 *    options and body
 * </pre>
 */
public final class DetachedCodec {
  static final int HEADER_BYTES = 46;

  private static final int MAGIC_OFFSET = 4;
  private static final int SEQUENCE_OFFSET = 8;
  private static final byte MAGIC = 'S';

  private DetachedCodec() {}

  /** Writes the record at the buffer's start; false if the serde cannot write the message. */
  public static <T> boolean encode(DetachedMessage<T> message, Serde<T> serde, ByteBuffer out) {
    out.clear();
    int transience = message.isTransient ? Packet.TRANSIENT : 0;
    out.putInt(0).put(MAGIC).put(PacketCodec.FORMAT_VERSION);
    out.put((byte) (transience | OptionsCodec.flags(message.options)));
    out.put((byte) message.deliveries);
    out.putLong(message.sequence).putInt(message.failures);
    out.putLong(message.firstAttemptMs).putLong(message.lastAttemptMs).putLong(message.diedAtMs);
    OptionsCodec.writeText(message.reason, out);
    OptionsCodec.write(message.options, out);
    if (message.raw != null) {
      out.put(message.raw.bytes());
    } else if (!PacketCodec.writeBody(message.message, serde, out, message.sizeBytes)) {
      return false;
    }
    out.flip();
    out.putInt(0, PacketCodec.crc(out));
    return true;
  }

  /**
   * Reads a record back. A body that its serde cannot read becomes {@link DetachedMessage#raw}.
   *
   * @throws QueueException {@code CORRUPT} if a single bit differs from what was written, {@code
   *     NEWER_FORMAT} if a newer version wrote it
   */
  public static <T> DetachedMessage<T> decode(long sequence, ByteBuffer in, Serde<T> serde) {
    check(in.remaining() >= HEADER_BYTES, sequence, "is cut off");
    check(in.getInt(in.position()) == PacketCodec.crc(in), sequence, "fails its checksum");
    in.getInt();
    check(in.get() == MAGIC, sequence, "has no mark");
    int version = in.get() & 0xff;
    if (version > PacketCodec.FORMAT_VERSION) {
      throw new QueueException(
          Reason.NEWER_FORMAT,
          "message "
              + sequence
              + " has format "
              + version
              + ", this version reads up to "
              + PacketCodec.FORMAT_VERSION);
    }
    try {
      return read(sequence, in, serde);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      if (HeapExhaustion.isCause(e)) {
        // Of the serde. Says nothing about the message, which is read again later.
        throw e;
      }
      throw new QueueException(Reason.CORRUPT, "message " + sequence + " has a wrong length", e);
    }
  }

  /** Whether a record, which may be damaged, is that of a message. */
  static boolean isOf(long sequence, ByteBuffer record) {
    return record.limit() >= HEADER_BYTES && record.getLong(SEQUENCE_OFFSET) == sequence;
  }

  /** Whether a record, which may be damaged, begins as that of a message. */
  static boolean isMarked(ByteBuffer record) {
    return record.limit() >= HEADER_BYTES && record.get(MAGIC_OFFSET) == MAGIC;
  }

  private static <T> DetachedMessage<T> read(long sequence, ByteBuffer in, Serde<T> serde) {
    int flags = in.get();
    int deliveries = in.get();
    check(in.getLong() == sequence, sequence, "has another sequence than its key");
    int failures = in.getInt();
    long firstAttemptMs = in.getLong();
    long lastAttemptMs = in.getLong();
    long diedAtMs = in.getLong();
    String reason = OptionsCodec.readText(in);
    boolean plain = (flags & OptionsCodec.FLAGS) == 0;
    MessageOptions options = plain ? null : OptionsCodec.read(flags, in);
    boolean isTransient = (flags & Packet.TRANSIENT) != 0;
    int sizeBytes = in.remaining();
    Object body = PacketCodec.readBody(sequence, in, serde);
    DetachedMessage<T> read =
        DetachedMessage.withBody(sequence, body, sizeBytes, options, isTransient, null);
    read.deliveries = deliveries;
    read.failures = failures;
    read.firstAttemptMs = firstAttemptMs;
    read.lastAttemptMs = lastAttemptMs;
    read.diedAtMs = diedAtMs;
    read.reason = reason;
    return read;
  }

  private static void check(boolean condition, long sequence, String what) {
    if (!condition) {
      throw new QueueException(Reason.CORRUPT, "message " + sequence + " " + what);
    }
  }
}
