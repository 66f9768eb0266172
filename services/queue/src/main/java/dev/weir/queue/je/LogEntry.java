package dev.weir.queue.je;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of an entry in a log file of JE (log versions 8 to 17). Little-endian: checksum (int,
 * Adler-32 of everything after it), type (byte), flags (byte), offset of the previous entry (int),
 * size of the content (int), and with some flags eight more bytes.
 *
 * <p>This class reads the log without JE, for two reasons. JE needs an open environment, and
 * opening ends the last file before its first bad entry. JE also skips the checksum of entries
 * marked as erased and ignores a flag of replication; neither is used here, so both are faults.
 */
public record LogEntry(long offset, int type, int flags, long previous, long size, long checksum) {
  public static final int HEADER_BYTES = 14;

  /** A log file begins with an entry of this type and size. */
  static final int FILE_HEADER = 25;

  static final int FILE_HEADER_BYTES = HEADER_BYTES + 24;

  /** The fault of an entry that is longer than the file. */
  static final String CUT_OFF = "an entry that is cut off";

  private static final int CHECKSUM_BYTES = 4;
  private static final int TYPE_AT = 4;
  private static final int FLAGS_AT = 5;
  private static final int PREVIOUS_AT = 6;
  private static final int SIZE_AT = 10;
  private static final int FILE_NUMBER_OFFSET = HEADER_BYTES + 8;
  private static final int MAX_TYPE = 42;
  private static final int INVISIBLE = 0x10;
  private static final int VLSN = 0x20 | 0x08;
  private static final int VLSN_BYTES = 8;

  /**
   * The entry that begins at a position of a buffer.
   *
   * @param in little-endian
   * @param offset of the entry in its file
   */
  public static LogEntry of(ByteBuffer in, int position, long offset) {
    long checksum = in.getInt(position) & 0xffffffffL;
    int type = in.get(position + TYPE_AT);
    int flags = in.get(position + FLAGS_AT);
    long previous = in.getInt(position + PREVIOUS_AT) & 0xffffffffL;
    long size = in.getInt(position + SIZE_AT);
    return new LogEntry(offset, type, flags, previous, size, checksum);
  }

  int headerBytes() {
    return HEADER_BYTES + ((flags & VLSN) != 0 ? VLSN_BYTES : 0);
  }

  public long end() {
    return offset + headerBytes() + size;
  }

  boolean fits(LogScan.Bytes file) {
    return size >= 0 && end() <= file.size();
  }

  /** What is wrong with the entry, or null; its place in the file is not checked. */
  String fault(LogScan.Bytes file) throws IOException {
    if (type < 1 || type > MAX_TYPE || (flags & INVISIBLE) != 0) {
      return "an entry of an unknown kind";
    }
    if (!fits(file)) {
      return CUT_OFF;
    }
    if ((type == FILE_HEADER) != (offset == 0)) {
      return "a file without its header";
    }
    boolean isIntact = file.sum(offset + CHECKSUM_BYTES, end()) == checksum;
    return isIntact ? null : "an entry that fails its checksum";
  }

  /** The bytes of the header, without those of flags that are not used here. */
  byte[] header() {
    return ByteBuffer.allocate(HEADER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) checksum)
        .put((byte) type)
        .put((byte) flags)
        .putInt((int) previous)
        .putInt((int) size)
        .array();
  }

  /** The number of the file, as its header says. */
  static long fileNumber(LogScan.Bytes file) throws IOException {
    return file.getInt(FILE_NUMBER_OFFSET) & 0xffffffffL;
  }

  /** What the entry holds; until another part of the file is read. */
  ByteBuffer content(LogScan.Bytes file) throws IOException {
    return file.slice(offset + headerBytes(), end());
  }
}
