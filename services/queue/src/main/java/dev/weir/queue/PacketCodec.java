package dev.weir.queue;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

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
 */
final class PacketCodec {
  static final int HEADER_BYTES = 28;
  static final int MESSAGE_HEADER_BYTES = 6;
  static final byte FORMAT_VERSION = 1;
  private static final byte MAGIC = 'W';
  private static final int KNOWN_FLAGS = Packet.TRANSIENT;

  private PacketCodec() {}

  /** Writes the packet at the buffer's start; its limit is set to the end. */
  static <T> void encode(Packet<T> packet, Serde<T> serde, long nowMs, ByteBuffer out) {
    out.clear();
    out.putInt(0).put(MAGIC).put(FORMAT_VERSION).putShort((short) 0);
    out.putLong(packet.firstSequence).putLong(nowMs).putInt(packet.count);
    for (int i = 0; i < packet.count; i++) {
      int start = out.position();
      byte progress = packet.progress[i];
      out.putInt(0).put(packet.flags[i]).put(progress);
      if ((progress & Packet.SETTLED) == 0) {
        serde.write(packet.message(i), out);
      }
      out.putInt(start, out.position() - start - Integer.BYTES);
    }
    out.flip();
    out.putInt(0, crc(out));
  }

  /**
   * Reads a packet back.
   *
   * @throws QueueException {@code CORRUPT} if a single bit differs from what was written
   */
  static <T> Packet<T> decode(PacketKey key, ByteBuffer in, Serde<T> serde) {
    check(in.remaining() >= HEADER_BYTES, key, "is cut off");
    check(in.getInt(in.position()) == crc(in), key, "fails its checksum");
    in.getInt();
    check(in.get() == MAGIC, key, "has no packet mark");
    byte version = in.get();
    if (version > FORMAT_VERSION) {
      throw new QueueException(
          QueueException.Reason.NEWER_FORMAT,
          "packet " + key.firstSequence() + " has format " + version + ", known is 1");
    }
    in.getShort();
    check(in.getLong() == key.firstSequence(), key, "has another sequence than its key");
    in.getLong();
    int count = in.getInt();
    check(count == key.count(), key, "has another count than its key");
    return messages(key, in, serde);
  }

  private static <T> Packet<T> messages(PacketKey key, ByteBuffer in, Serde<T> serde) {
    int count = key.count();
    Object[] messages = new Object[count];
    byte[] flags = new byte[count];
    byte[] progress = new byte[count];
    int end = in.limit();
    int settled = 0;
    for (int i = 0; i < count; i++) {
      int length = in.getInt();
      in.limit(in.position() + length);
      flags[i] = in.get();
      check((flags[i] & ~KNOWN_FLAGS) == 0, key, "has unknown flags");
      progress[i] = in.get();
      if ((progress[i] & Packet.SETTLED) == 0) {
        messages[i] = serde.read(in);
      } else {
        settled++;
      }
      in.position(in.limit());
      in.limit(end);
    }
    Packet<T> packet = new Packet<>(key, messages, flags, progress);
    packet.settled = settled;
    return packet;
  }

  private static int crc(ByteBuffer packet) {
    CRC32C crc = new CRC32C();
    int offset = packet.arrayOffset() + packet.position() + Integer.BYTES;
    crc.update(packet.array(), offset, packet.remaining() - Integer.BYTES);
    return (int) crc.getValue();
  }

  private static void check(boolean condition, PacketKey key, String what) {
    if (!condition) {
      throw new QueueException(
          QueueException.Reason.CORRUPT, "packet " + key.firstSequence() + " " + what);
    }
  }
}
