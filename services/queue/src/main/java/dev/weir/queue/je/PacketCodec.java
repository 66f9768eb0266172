package dev.weir.queue.je;

import dev.weir.options.Checks;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.Serde;
import dev.weir.queue.line.DetachedMessage.RawBody;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.RecordSizes;
import dev.weir.queue.segment.SegmentReference;
import dev.weir.queue.segment.Segments;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of a packet record, format version 2, big-endian:
 *
 * <pre>
 *  0 int   CRC32C of everything after it
 *  4 byte  'W'
 *  5 byte  format version
 *  6 short 0
 *  8 long  sequence of the first message
 * 16 long  time of writing, ms since 1970
 * 24 int   number of messages
 * 28 messages, each
 *      int   length of what follows
 *      byte  flags: 1 = transient; the others as in {@link OptionsCodec}
 *      byte  progress: 0x80 = settled, the rest = deliveries
 *      bytes options and body (none when settled)
 * </pre>
 *
 * Version 1 has no options.
 *
 * <p>A message that its serde cannot write is marked {@linkplain Packet#broken broken}, and so is a
 * transient message that its serde cannot read. Any other message that cannot be read has a {@link
 * RawBody}. The other messages of the packet are not affected.
 */
public final class PacketCodec {
  public static final int HEADER_BYTES = RecordSizes.PACKET_HEADER_BYTES;
  public static final int MESSAGE_HEADER_BYTES = RecordSizes.MESSAGE_HEADER_BYTES;
  static final byte FORMAT_VERSION = 2;
  private static final byte REFERENCE_VERSION = 64;
  private static final int VERSION_OFFSET = 5;
  private static final int SEQUENCE_OFFSET = 8;
  private static final int WRITTEN_AT_OFFSET = 16;
  private static final int COUNT_OFFSET = 24;
  private static final int REFERENCE_BYTES = HEADER_BYTES + 20;
  private static final Logger LOG = LoggerFactory.getLogger(PacketCodec.class);
  private static final byte MAGIC = 'W';
  private static final int KNOWN_FLAGS = Packet.TRANSIENT | OptionsCodec.FLAGS;
  private static final int FLAGS_AND_PROGRESS_BYTES = 2;

  private PacketCodec() {}

  /** Writes the packet at the buffer's start; its limit is set to the end. Returns its key. */
  public static <T> PacketKey encode(Packet<T> packet, Serde<T> serde, long nowMs, ByteBuffer out) {
    out.clear();
    out.putInt(0).put(MAGIC).put(FORMAT_VERSION).putShort((short) 0);
    out.putLong(packet.firstSequence).putLong(nowMs).putInt(packet.count);
    packet.broken = null;
    int alive = 0;
    int keep = 0;
    for (int i = 0; i < packet.count; i++) {
      if (encode(packet, i, serde, out)) {
        alive++;
        keep += packet.isTransient(i) ? 0 : 1;
      }
    }
    out.flip();
    out.putInt(0, crc(out));
    return new PacketKey(packet.firstSequence, packet.count, alive, keep, packet.bytes);
  }

  /** Writes a message; true if with its body, because it is still to be delivered. */
  private static <T> boolean encode(Packet<T> packet, int index, Serde<T> serde, ByteBuffer out) {
    int start = out.position();
    byte progress = packet.progress[index];
    T message = packet.message(index);
    MessageOptions options = packet.options(index);
    byte flags = (byte) (packet.flags[index] | OptionsCodec.flags(options));
    out.putInt(FLAGS_AND_PROGRESS_BYTES).put(flags).put(progress);
    int body = out.position();
    boolean alive = message != null && (progress & Packet.SETTLED) == 0;
    if (alive) {
      OptionsCodec.write(options, out);
      if (!writeBody(message, serde, out, packet.sizes[index])) {
        packet.setBroken(index);
        alive = false;
      }
    }
    if (alive) {
      out.putInt(start, out.position() - start - Integer.BYTES);
    } else {
      out.put(body - 2, packet.flags[index]).put(body - 1, (byte) (progress | Packet.SETTLED));
      out.position(body);
    }
    return alive;
  }

  /** Writes a body; false if the serde cannot write it. */
  static <T> boolean writeBody(T message, Serde<T> serde, ByteBuffer out, int sizeBytes) {
    int end = out.position() + sizeBytes;
    out.limit(end);
    try {
      serde.write(message, out);
      if (out.position() == end) {
        return true;
      }
      LOG.error(
          "a message is refused: its serde did not write the {} bytes that sizeBytes announced",
          sizeBytes);
    } catch (Throwable e) {
      if (HeapExhaustion.isCause(e)) {
        // Says nothing about the message, which is written later.
        throw e;
      }
      LOG.error("a message is refused: its serde cannot write it: {}", UserFailure.text(e));
      LOG.debug("what its serde threw", UserFailure.forLog(e));
    } finally {
      out.limit(out.capacity());
    }
    return false;
  }

  /**
   * Reads a packet back.
   *
   * @throws QueueException {@code CORRUPT} if a single bit differs from what was written, {@code
   *     NEWER_FORMAT} if a newer version wrote it
   */
  public static <T> Packet<T> decode(PacketKey key, ByteBuffer in, Serde<T> serde) {
    check(in.remaining() >= HEADER_BYTES, key, "is cut off");
    check(in.getInt(in.position()) == crc(in), key, "fails its checksum");
    in.getInt();
    check(in.get() == MAGIC, key, "has no packet mark");
    int version = in.get() & 0xff;
    check(version != REFERENCE_VERSION, key, "is not where its record says, in a segment file");
    if (version > FORMAT_VERSION) {
      throw new QueueException(
          Reason.NEWER_FORMAT,
          "packet "
              + key.firstSequence()
              + " has format "
              + version
              + ", this version reads up to "
              + FORMAT_VERSION);
    }
    in.getShort();
    check(in.getLong() == key.firstSequence(), key, "has another sequence than its key");
    in.getLong();
    check(in.getInt() == key.count(), key, "has another count than its key");
    return messages(key, in, serde);
  }

  /**
   * The record of a packet that lies in a segment. It begins like a packet, so that it is known by
   * its key; its version is one that an older release refuses.
   */
  static ByteBuffer reference(PacketKey key, ByteBuffer packet, SegmentReference place) {
    ByteBuffer out = ByteBuffer.allocate(REFERENCE_BYTES);
    out.putInt(0).put(MAGIC).put(REFERENCE_VERSION).putShort((short) 0);
    out.putLong(key.firstSequence()).putLong(writtenAtMs(packet)).putInt(key.count());
    out.putInt(place.segment()).putLong(place.offset()).putInt(place.length());
    out.putInt(packet.getInt(packet.position())).flip();
    return out.putInt(0, crc(out));
  }

  /**
   * The packet that a record holds, or refers to. If what the record refers to is not there, or is
   * another packet, the record itself is returned, which cannot be {@linkplain #decode decoded}.
   *
   * @param room gives a buffer of at least so many bytes
   */
  static ByteBuffer resolve(
      PacketKey key, ByteBuffer value, Segments segments, IntFunction<ByteBuffer> room) {
    if (key.segment() == 0 || value.remaining() != REFERENCE_BYTES) {
      return value;
    }
    ByteBuffer in = value.duplicate();
    boolean isIntact =
        in.getInt(0) == crc(in) && in.get(VERSION_OFFSET) == REFERENCE_VERSION && isKeyOf(key, in);
    if (!isIntact || in.getInt(HEADER_BYTES) != key.segment()) {
      return value;
    }
    in.position(HEADER_BYTES);
    SegmentReference place = new SegmentReference(in.getInt(), in.getLong(), in.getInt());
    ByteBuffer packet = segments.read(place, room);
    boolean isSame =
        packet != null && packet.limit() >= HEADER_BYTES && packet.getInt(0) == in.getInt();
    return isSame ? packet : value;
  }

  /** Whether a packet is what was written; to be called before it is decoded. */
  static boolean isIntact(PacketKey key, ByteBuffer packet) {
    return isKeyOf(key, packet)
        && packet.get(VERSION_OFFSET) != REFERENCE_VERSION
        && packet.getInt(0) == crc(packet);
  }

  /** Whether a record, which may be damaged, says the same as its key. */
  static boolean isKeyOf(PacketKey key, ByteBuffer record) {
    return record.limit() >= HEADER_BYTES
        && record.getLong(SEQUENCE_OFFSET) == key.firstSequence()
        && record.getInt(COUNT_OFFSET) == key.count();
  }

  /** When a record was written, ms since 1970; to be called before it is decoded. */
  public static long writtenAtMs(ByteBuffer record) {
    return record.getLong(record.position() + WRITTEN_AT_OFFSET);
  }

  private static <T> Packet<T> messages(PacketKey key, ByteBuffer in, Serde<T> serde) {
    int count = key.count();
    Packet<T> packet = new Packet<>(key, new Object[count], new byte[count], new byte[count]);
    int limit = in.limit();
    for (int i = 0; i < count; i++) {
      check(in.remaining() >= MESSAGE_HEADER_BYTES, key, "is cut off");
      int length = in.getInt();
      boolean fits = length >= FLAGS_AND_PROGRESS_BYTES && length <= in.remaining();
      check(fits, key, "has a wrong length in it");
      int end = in.position() + length;
      byte flags = in.get();
      check((flags & ~KNOWN_FLAGS) == 0, key, "has unknown flags");
      packet.flags[i] = (byte) (flags & Packet.TRANSIENT);
      packet.progress[i] = in.get();
      if (packet.isSettled(i)) {
        packet.settled++;
      } else {
        in.limit(end);
        if ((flags & OptionsCodec.FLAGS) != 0) {
          packet.setOptions(i, readOptions(key, flags, in));
        }
        packet.sizes[i] = in.remaining();
        read(packet, i, in, serde);
      }
      in.limit(limit).position(end);
    }
    check(!in.hasRemaining(), key, "is longer than its messages");
    return packet;
  }

  private static MessageOptions readOptions(PacketKey key, byte flags, ByteBuffer in) {
    try {
      return OptionsCodec.read(flags, in);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new QueueException(
          Reason.CORRUPT, "packet " + key.firstSequence() + " has wrong options in it", e);
    }
  }

  private static <T> void read(Packet<T> packet, int index, ByteBuffer in, Serde<T> serde) {
    Object body = readBody(packet.firstSequence + index, in, serde);
    if (body instanceof RawBody && packet.isTransient(index)) {
      packet.setBroken(index);
    } else {
      packet.messages[index] = body;
    }
  }

  /** Reads a body; returns a {@link RawBody} if the serde cannot read it. */
  static Object readBody(long sequence, ByteBuffer in, Serde<?> serde) {
    ByteBuffer all = in.duplicate();
    try {
      return Checks.notNull("message", serde.read(in));
    } catch (Throwable e) {
      if (HeapExhaustion.isCause(e)) {
        // Says nothing about the message, which is read again later.
        throw e;
      }
      LOG.error("message {} cannot be read by its serde: {}", sequence, UserFailure.text(e));
      LOG.debug("what its serde threw", UserFailure.forLog(e));
      return new RawBody(bytes(all), "the serde cannot read it: " + UserFailure.text(e));
    }
  }

  private static byte[] bytes(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return bytes;
  }

  /** The checksum of a record: of everything after its first four bytes, which hold it. */
  static int crc(ByteBuffer record) {
    CRC32C crc = new CRC32C();
    crc.update(record.duplicate().position(record.position() + Integer.BYTES));
    return (int) crc.getValue();
  }

  private static void check(boolean condition, PacketKey key, String what) {
    if (!condition) {
      throw new QueueException(Reason.CORRUPT, "packet " + key.firstSequence() + " " + what);
    }
  }
}
