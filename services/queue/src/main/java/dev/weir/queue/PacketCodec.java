package dev.weir.queue;

import dev.weir.queue.QueueException.Reason;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of a packet record, format version 1, big-endian:
 *
 * <pre>
 *  0 int   CRC32C of everything behind it
 *  4 byte  'W'
 *  5 byte  format version
 *  6 short 0
 *  8 long  sequence of the first message
 * 16 long  time of writing, ms since 1970
 * 24 int   number of messages
 * 28 messages, each
 *      int   length of what follows
 *      byte  flags: 1 = of no use after a restart;
 *            kept for later use: 2 = a message id (short length, bytes) precedes the body,
 *            4 = an expiry time (long, ms since 1970) precedes the body, after the id
 *      byte  progress: 0x80 = settled, the rest = deliveries
 *      bytes body (none when settled)
 * </pre>
 *
 * A message that its serde cannot write or read is marked {@linkplain Packet#broken broken}; its
 * neighbours are not touched.
 */
final class PacketCodec {
  static final int HEADER_BYTES = 28;
  static final int MESSAGE_HEADER_BYTES = 6;
  static final byte FORMAT_VERSION = 1;
  private static final Logger LOG = LoggerFactory.getLogger(PacketCodec.class);
  private static final byte MAGIC = 'W';
  private static final int KNOWN_FLAGS = Packet.TRANSIENT;
  private static final int FLAGS_AND_PROGRESS_BYTES = 2;

  private PacketCodec() {}

  /** Writes the packet at the buffer's start; its limit is set to the end. Returns its key. */
  static <T> PacketKey encode(Packet<T> packet, Serde<T> serde, long nowMs, ByteBuffer out) {
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

  /** True if the message was written with its body: it is still to be delivered. */
  private static <T> boolean encode(Packet<T> packet, int index, Serde<T> serde, ByteBuffer out) {
    int start = out.position();
    byte progress = packet.progress[index];
    T message = packet.message(index);
    out.putInt(FLAGS_AND_PROGRESS_BYTES).put(packet.flags[index]).put(progress);
    int body = out.position();
    boolean alive = message != null && (progress & Packet.SETTLED) == 0;
    if (alive && !write(message, serde, out, packet.sizes[index])) {
      packet.setBroken(index);
      alive = false;
    }
    if (alive) {
      out.putInt(start, out.position() - start - Integer.BYTES);
    } else {
      out.put(body - 1, (byte) (progress | Packet.SETTLED)).position(body);
    }
    return alive;
  }

  private static <T> boolean write(T message, Serde<T> serde, ByteBuffer out, int sizeBytes) {
    int end = out.position() + sizeBytes;
    out.limit(end);
    try {
      serde.write(message, out);
      if (out.position() == end) {
        return true;
      }
      LOG.error("a message is refused: sizeBytes is {}, written were others", sizeBytes);
    } catch (Throwable e) {
      LOG.error("a message is refused: its serde cannot write it: {}", e.toString());
      LOG.debug("what its serde threw", e);
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
  static <T> Packet<T> decode(PacketKey key, ByteBuffer in, Serde<T> serde) {
    check(in.remaining() >= HEADER_BYTES, key, "is cut off");
    check(in.getInt(in.position()) == crc(in), key, "fails its checksum");
    in.getInt();
    check(in.get() == MAGIC, key, "has no packet mark");
    int version = in.get() & 0xff;
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
      packet.flags[i] = in.get();
      check((packet.flags[i] & ~KNOWN_FLAGS) == 0, key, "has unknown flags");
      packet.progress[i] = in.get();
      if (packet.isSettled(i)) {
        packet.settled++;
      } else {
        read(packet, i, in.limit(end), serde);
      }
      in.limit(limit).position(end);
    }
    check(!in.hasRemaining(), key, "is longer than its messages");
    return packet;
  }

  private static <T> void read(Packet<T> packet, int index, ByteBuffer in, Serde<T> serde) {
    try {
      packet.messages[index] = Checks.notNull("message", serde.read(in));
    } catch (Throwable e) {
      LOG.error(
          "message {} is lost: its serde cannot read it: {}",
          packet.firstSequence + index,
          e.toString());
      LOG.debug("what its serde threw", e);
      packet.setBroken(index);
    }
  }

  private static int crc(ByteBuffer packet) {
    CRC32C crc = new CRC32C();
    int offset = packet.arrayOffset() + packet.position() + Integer.BYTES;
    crc.update(packet.array(), offset, packet.remaining() - Integer.BYTES);
    return (int) crc.getValue();
  }

  private static void check(boolean condition, PacketKey key, String what) {
    if (!condition) {
      throw new QueueException(Reason.CORRUPT, "packet " + key.firstSequence() + " " + what);
    }
  }
}
