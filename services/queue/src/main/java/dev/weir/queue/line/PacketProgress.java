package dev.weir.queue.line;

import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.PacketCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The progress of a packet that was consumed in part: what became of its messages since the packet
 * was written. A record of its own on disk.
 *
 * @param keep number of unsettled messages that are of use after a restart
 * @param transients number of unsettled messages that are of no use after a restart
 * @param bytes one progress byte per message, see {@link PacketCodec}
 */
public record PacketProgress(int keep, int transients, byte[] bytes) {
  private static final BitSet NOTHING = new BitSet();

  public static PacketProgress of(Packet<?> packet) {
    return without(packet, NOTHING);
  }

  /** The progress of a packet as it is when these messages have left it too. */
  static PacketProgress without(Packet<?> packet, BitSet leaving) {
    byte[] bytes = Arrays.copyOf(packet.progress, packet.count);
    int keep = 0;
    int transients = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (packet.isBroken(i) || leaving.get(i)) {
        bytes[i] |= (byte) Packet.SETTLED;
      }
      if ((bytes[i] & Packet.SETTLED) == 0) {
        keep += packet.isTransient(i) ? 0 : 1;
        transients += packet.isTransient(i) ? 1 : 0;
      }
    }
    return new PacketProgress(keep, transients, bytes);
  }

  /**
   * Brings a packet as it was written up to date.
   *
   * @throws QueueException {@code CORRUPT} if this is the progress of another packet
   */
  public void applyTo(Packet<?> packet) {
    if (bytes.length != packet.count) {
      throw new QueueException(
          Reason.CORRUPT,
          "packet "
              + packet.firstSequence
              + " has "
              + packet.count
              + " messages, its progress is of "
              + bytes.length);
    }
    for (int i = 0; i < bytes.length; i++) {
      if ((bytes[i] & Packet.SETTLED) != 0) {
        packet.settle(i);
      }
      int settled = packet.progress[i] & Packet.SETTLED;
      packet.progress[i] = (byte) (settled | bytes[i] & Packet.MAX_DELIVERIES);
    }
  }

  public byte[] toBytes() {
    return ByteBuffer.allocate(2 * Integer.BYTES + bytes.length)
        .putInt(keep)
        .putInt(transients)
        .put(bytes)
        .array();
  }

  public static PacketProgress of(byte[] record) {
    ByteBuffer in = ByteBuffer.wrap(record);
    int keep = in.getInt();
    int transients = in.getInt();
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return new PacketProgress(keep, transients, bytes);
  }
}
