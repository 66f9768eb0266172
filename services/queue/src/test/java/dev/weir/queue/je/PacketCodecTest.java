package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QuietLog;
import dev.weir.queue.Serde;
import dev.weir.queue.line.DetachedMessage;
import dev.weir.queue.line.DetachedMessage.RawBody;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PacketCodecTest {
  static {
    QuietLog.set();
  }

  private static final int VERSION_OFFSET = 5;

  private final ByteBuffer out = ByteBuffer.allocate(4096);
  private PacketKey key;

  @Test
  void aPacketIsReadBackAsItWasWritten() {
    Packet<byte[]> packet = packet(0, 1, 100, 1000);
    packet.flags[1] = Packet.TRANSIENT;
    packet.count(2, 1);

    Packet<byte[]> read = PacketCodec.decode(key(packet), record(packet), Serde.BYTES);

    assertThat(read.count).isEqualTo(4);
    assertThat(read.bytes).isEqualTo(packet.bytes).isEqualTo(record(packet).remaining());
    assertThat(read.unsettled()).isEqualTo(4);
    assertThat(read.isTransient(1)).isTrue();
    assertThat(read.deliveries(2)).isEqualTo(1);
    for (int i = 0; i < 4; i++) {
      assertThat(read.message(i)).isEqualTo(packet.message(i));
    }
    assertThat(key).isEqualTo(new PacketKey(packet.firstSequence, 4, 4, 3, packet.bytes));
    assertThat(PacketKey.of(key.toBytes())).isEqualTo(key);
  }

  /** Whose codec has no heap to read a body, and says so as some say that a body is bad. */
  private record ExhaustedSerde() implements Serde<byte[]> {
    static final IllegalArgumentException FAILURE =
        new IllegalArgumentException(new OutOfMemoryError("for this test"));

    @Override
    public int sizeBytes(byte[] message) {
      return message.length;
    }

    @Override
    public void write(byte[] message, ByteBuffer out) {
      out.put(message);
    }

    @Override
    public byte[] read(ByteBuffer in) {
      throw FAILURE;
    }
  }

  @Test
  void aMessageThatTheHeapHasNoRoomToReadIsNotTakenForDamaged() {
    Packet<byte[]> packet = packet(7, 8);
    assertThatThrownBy(() -> PacketCodec.decode(key(packet), record(packet), new ExhaustedSerde()))
        .isSameAs(ExhaustedSerde.FAILURE);

    DetachedMessage<byte[]> retried =
        DetachedMessage.withBody(4711, new byte[] {1, 2, 3}, 3, null, false, null);
    assertThat(DetachedCodec.encode(retried, new ExhaustedSerde(), out)).isTrue();
    assertThatThrownBy(() -> DetachedCodec.decode(4711, out, new ExhaustedSerde()))
        .isSameAs(ExhaustedSerde.FAILURE);
  }

  @Test
  void aPacketAnywhereInABufferIsRead() {
    Packet<byte[]> packet = packet(7, 8);
    byte[] record = bytes(packet);
    byte[] around = new byte[record.length + 20];
    System.arraycopy(record, 0, around, 13, record.length);

    ByteBuffer in = ByteBuffer.wrap(around, 13, record.length).slice();

    assertThat(PacketCodec.decode(key, in, Serde.BYTES).message(1)).isEqualTo(packet.message(1));
  }

  @Test
  void everySingleBitFlipIsRefused() {
    byte[] record = bytes(packet(0, 3, 40));
    for (int bit = 0; bit < record.length * 8; bit++) {
      byte[] flipped = record.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      refused(flipped, Reason.CORRUPT);
    }
  }

  @Test
  void aPacketThatIsCutOffAnywhereIsRefused() {
    byte[] record = bytes(packet(0, 3, 40));
    for (int length = 0; length < record.length; length++) {
      refused(Arrays.copyOf(record, length), Reason.CORRUPT);
    }
    refused(Arrays.copyOf(record, record.length + 1), Reason.CORRUPT);
  }

  @Test
  void aPacketOfAnotherKeyIsRefused() {
    byte[] record = bytes(packet(3));
    key = new PacketKey(key.firstSequence() + 1, 1, 1, 1, key.bytes());
    refused(record, Reason.CORRUPT);
  }

  @Test
  void wrongLengthsAreRefusedEvenUnderARightChecksum() {
    byte[] record = bytes(packet(3, 4));
    for (int length : new int[] {-1, 0, 1, 100, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      byte[] wrong = record.clone();
      ByteBuffer.wrap(wrong).putInt(PacketCodec.HEADER_BYTES, length);
      refused(signed(wrong), Reason.CORRUPT);
    }
  }

  @Test
  void aNewerVersionIsRefusedByName() {
    byte[] record = bytes(packet(3));
    for (byte version : new byte[] {3, 127, -1}) {
      record[VERSION_OFFSET] = version;
      refused(signed(record), Reason.NEWER_FORMAT);
    }
  }

  @Test
  void unknownFlagsAreRefused() {
    byte[] record = bytes(packet(3));
    record[PacketCodec.HEADER_BYTES + Integer.BYTES] = 32;
    refused(signed(record), Reason.CORRUPT);
  }

  @Test
  void aSettledMessageHasNoBody() {
    Packet<byte[]> packet = packet(100, 100, 100);
    int whole = bytes(packet).length;
    packet.settle(1);

    byte[] record = bytes(packet);

    assertThat(record).hasSize(whole - 100);
    Packet<byte[]> read = PacketCodec.decode(key, ByteBuffer.wrap(record), Serde.BYTES);
    assertThat(read.isSettled(1)).isTrue();
    assertThat(read.unsettled()).isEqualTo(2);
    assertThat(read.message(2)).isEqualTo(packet.message(2));
    assertThat(key.alive()).isEqualTo(2);
  }

  @Test
  void aMessageThatCannotBeWrittenDoesNotHarmItsNeighbours() {
    Packet<byte[]> packet = packet(5, 6, 7);
    Serde<byte[]> failing =
        new BytesSerde() {
          @Override
          public void write(byte[] message, ByteBuffer out) {
            out.put(message);
            if (message.length == 6) {
              out.put(new byte[200]);
            }
          }
        };

    key = PacketCodec.encode(packet, failing, 0, out);

    assertThat(packet.isBroken(1)).isTrue();
    assertThat(key.alive()).isEqualTo(2);
    Packet<byte[]> read = PacketCodec.decode(key, out, Serde.BYTES);
    assertThat(read.isSettled(1)).isTrue();
    assertThat(read.message(2)).isEqualTo(packet.message(2));
  }

  @Test
  void aMessageThatCannotBeReadDoesNotHarmItsNeighbours() {
    Packet<byte[]> packet = packet(5, 6, 7);
    byte[] record = bytes(packet);
    Serde<byte[]> failing =
        new BytesSerde() {
          @Override
          public byte[] read(ByteBuffer in) {
            if (in.remaining() == 6) {
              in.clear();
              return null;
            }
            return Serde.BYTES.read(in);
          }
        };

    Packet<byte[]> read = PacketCodec.decode(key, ByteBuffer.wrap(record), failing);

    assertThat(read.broken).isNull();
    RawBody unread = (RawBody) read.messages[1];
    assertThat(unread.bytes()).isEqualTo(packet.message(1));
    assertThat(unread.failure()).startsWith("the serde cannot read it: ");
    assertThat(read.message(2)).isEqualTo(packet.message(2));
  }

  private static Packet<byte[]> packet(int... sizes) {
    Random random = new Random(1);
    Packet<byte[]> packet = new Packet<>(77);
    for (int size : sizes) {
      byte[] message = new byte[size];
      random.nextBytes(message);
      packet.add(message, size, null, (byte) 0, null);
    }
    return packet;
  }

  private PacketKey key(Packet<byte[]> packet) {
    record(packet);
    return key;
  }

  private ByteBuffer record(Packet<byte[]> packet) {
    key = PacketCodec.encode(packet, Serde.BYTES, 0, out);
    return out;
  }

  private byte[] bytes(Packet<byte[]> packet) {
    ByteBuffer record = record(packet);
    byte[] bytes = new byte[record.remaining()];
    record.get(bytes);
    return bytes;
  }

  private static byte[] signed(byte[] record) {
    CRC32C crc = new CRC32C();
    crc.update(record, Integer.BYTES, record.length - Integer.BYTES);
    ByteBuffer.wrap(record).putInt(0, (int) crc.getValue());
    return record;
  }

  private void refused(byte[] record, Reason reason) {
    assertThatThrownBy(() -> PacketCodec.decode(key, ByteBuffer.wrap(record), Serde.BYTES))
        .isInstanceOfSatisfying(
            QueueException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static class BytesSerde implements Serde<byte[]> {
    @Override
    public int sizeBytes(byte[] message) {
      return message.length;
    }

    @Override
    public void write(byte[] message, ByteBuffer out) {
      out.put(message);
    }

    @Override
    public byte[] read(ByteBuffer in) {
      return Serde.BYTES.read(in);
    }
  }
}
