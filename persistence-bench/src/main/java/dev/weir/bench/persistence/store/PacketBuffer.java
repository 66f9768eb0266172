package dev.weir.bench.persistence.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Many messages as one record: CRC32C of what follows (4 bytes), first number (8), how many (4),
 * then each with its length (4) and, if asked for, the time it was written in ms (8). Big-endian.
 */
public final class PacketBuffer {
  private static final int CRC_BYTES = 4;
  private static final int HEADER_BYTES = CRC_BYTES + 8 + 4;
  private static final int LENGTH_BYTES = 4;
  private static final int TIME_BYTES = 8;

  private final CRC32C crc = new CRC32C();
  private final boolean stampTimes;
  private final byte[] bytes;
  private final ByteBuffer buffer;
  private long first;
  private int count;

  public PacketBuffer(LogSpec spec) {
    stampTimes = spec.stampTimes();
    int overhead = LENGTH_BYTES + (stampTimes ? TIME_BYTES : 0);
    bytes =
        new byte
            [Math.addExact(
                HEADER_BYTES,
                Math.multiplyExact(spec.perCommit(), overhead + spec.messageBytes()))];
    buffer = ByteBuffer.wrap(bytes);
    clear();
  }

  public void add(long number, byte[] message) {
    if (count == 0) {
      first = number;
    }
    buffer.putInt(message.length);
    if (stampTimes) {
      buffer.putLong(System.currentTimeMillis());
    }
    buffer.put(message);
    count++;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  public long first() {
    return first;
  }

  /** Fills in the header; afterwards the record is the first {@link #length} bytes. */
  public byte[] finish() {
    buffer.putLong(CRC_BYTES, first).putInt(CRC_BYTES + 8, count);
    crc.reset();
    crc.update(bytes, CRC_BYTES, buffer.position() - CRC_BYTES);
    buffer.putInt(0, (int) crc.getValue());
    return bytes;
  }

  public int length() {
    return buffer.position();
  }

  public void clear() {
    buffer.clear().position(HEADER_BYTES);
    count = 0;
  }

  /** Takes the messages out of records, one after another. */
  public static final class Reader {
    private final CRC32C crc = new CRC32C();
    private final boolean stampTimes;
    private ByteBuffer record = ByteBuffer.allocate(0);
    private byte[] message;

    public Reader(LogSpec spec) {
      stampTimes = spec.stampTimes();
      message = new byte[spec.messageBytes()];
    }

    /**
     * Starts with the record.
     *
     * @param newRecord what stands between position and limit; not copied
     * @throws IOException if its checksum is not that of what it holds
     */
    public void start(ByteBuffer newRecord) throws IOException {
      if (newRecord.remaining() < HEADER_BYTES) {
        throw new IOException("a packet of " + newRecord.remaining() + " bytes is too short");
      }
      int written = newRecord.getInt();
      crc.reset();
      crc.update(newRecord.duplicate());
      if (written != (int) crc.getValue()) {
        throw new IOException("a packet is damaged: its CRC32C does not match its content");
      }
      record = newRecord.position(newRecord.position() + HEADER_BYTES - CRC_BYTES);
    }

    /** The next message of the record, or null at its end. */
    public byte[] next() {
      if (!record.hasRemaining()) {
        return null;
      }
      int length = record.getInt();
      if (stampTimes) {
        record.getLong();
      }
      if (length != message.length) {
        message = new byte[length];
      }
      record.get(message);
      return message;
    }
  }
}
