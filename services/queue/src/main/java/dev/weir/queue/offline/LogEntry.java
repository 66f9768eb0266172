package dev.weir.queue.offline;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Adler32;

/**
 * The frame of an entry in a log file of JE (log versions 8 to 17), little-endian: checksum (int,
 * Adler-32 of all behind it), type (byte), flags (byte), offset of the entry before (int), size of
 * what follows (int), and with some flags eight bytes more.
 *
 * <p>It is read here and not by JE, because JE opens its environment for it, which ends the last
 * file before the first bad entry, and because it has no checksum for entries marked as erased and
 * ignores a flag of replication: neither is used here, so both are faults.
 */
public record LogEntry(long offset, int type, int flags, long previous, long size, long checksum) {
  public static final int HEADER_BYTES = 14;

  /** A log file begins with an entry of this type and size. */
  static final int FILE_HEADER = 25;

  static final int FILE_HEADER_BYTES = HEADER_BYTES + 24;

  private static final int CHECKSUM_BYTES = 4;
  private static final int FILE_NUMBER_OFFSET = HEADER_BYTES + 8;
  private static final int MAX_TYPE = 42;
  private static final int INVISIBLE = 0x10;
  private static final int VLSN = 0x20 | 0x08;
  private static final int VLSN_BYTES = 8;

  /** Null if there is no room for one. */
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

  /** What is wrong with it, wherever it is; or null. */
  String fault(ByteBuffer file) {
    if (type < 1 || type > MAX_TYPE || (flags & INVISIBLE) != 0) {
      return "an entry of an unknown kind";
    }
    if (!fits(file)) {
      return "an entry that is cut off";
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

  /** The number that the header of a file says it has. */
  static long fileNumber(ByteBuffer file) {
    return file.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(FILE_NUMBER_OFFSET) & 0xffffffffL;
  }

  ByteBuffer item(ByteBuffer file) {
    return file.slice((int) offset + headerBytes(), (int) size);
  }
}
