package dev.weir.queue.je;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Adler32;

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
  private static final int FILE_NUMBER_OFFSET = HEADER_BYTES + 8;
  private static final int MAX_TYPE = 42;
  private static final int INVISIBLE = 0x10;
  private static final int VLSN = 0x20 | 0x08;
  private static final int VLSN_BYTES = 8;

  /** The entry at an offset; null if the file is too short for one. */
  public static LogEntry at(ByteBuffer file, int offset) {
    if (offset + HEADER_BYTES > file.limit()) {
      return null;
    }
    ByteBuffer in = file.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(offset);
    long checksum = in.getInt() & 0xffffffffL;
    int type = in.get();
    int flags = in.get();
    long previous = in.getInt() & 0xffffffffL;
    long size = in.getInt();
    return new LogEntry(offset, type, flags, previous, size, checksum);
  }

  int headerBytes() {
    return HEADER_BYTES + ((flags & VLSN) != 0 ? VLSN_BYTES : 0);
  }

  public long end() {
    return offset + headerBytes() + size;
  }

  boolean fits(ByteBuffer file) {
    return size >= 0 && end() <= file.limit();
  }

  /** What is wrong with the entry, or null; its place in the file is not checked. */
  String fault(ByteBuffer file) {
    if (type < 1 || type > MAX_TYPE || (flags & INVISIBLE) != 0) {
      return "an entry of an unknown kind";
    }
    if (!fits(file)) {
      return CUT_OFF;
    }
    if ((type == FILE_HEADER) != (offset == 0)) {
      return "a file without its header";
    }
    return sum(file) == checksum ? null : "an entry that fails its checksum";
  }

  private long sum(ByteBuffer file) {
    Adler32 sum = new Adler32();
    int start = (int) offset + CHECKSUM_BYTES;
    sum.update(file.duplicate().limit((int) end()).position(start));
    return sum.getValue();
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
  static long fileNumber(ByteBuffer file) {
    return file.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(FILE_NUMBER_OFFSET) & 0xffffffffL;
  }

  ByteBuffer content(ByteBuffer file) {
    return file.slice((int) offset + headerBytes(), (int) size);
  }
}
