package dev.weir.testing.faults;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The changes one process made to the files of a directory, in the order of their effects. */
public final class DiskJournal {

  /** One change. */
  public sealed interface Entry {}

  /** A file was opened; {@code created} if it was not there before. */
  public record Open(long inode, String path, boolean created) implements Entry {}

  /** Bytes were handed to the operating system. */
  public record Write(long inode, long offset, byte[] data) implements Entry {}

  /** All that was written to a file before is on the device. */
  public record Sync(long inode) implements Entry {}

  /**
   * A sync failed: the operating system takes what was written to the file before for clean, and a
   * later sync does not write it.
   */
  public record SyncFailed(long inode) implements Entry {}

  /** A write failed; a part of its bytes may be in a {@link Write} before. */
  public record WriteFailed(long inode) implements Entry {}

  /** A file got this length. */
  public record Truncate(long inode, long length) implements Entry {}

  /** A file got another name. */
  public record Rename(String from, String to) implements Entry {}

  /** A name was removed. */
  public record Unlink(String path) implements Entry {}

  /** What the process said at this moment. */
  public record Mark(String text) implements Entry {}

  private static final int HEADER_BYTES = 32;

  private final Path file;

  DiskJournal(Path file) {
    this.file = file;
  }

  /** All entries; the last one is left out if the process was killed while it wrote it. */
  public List<Entry> read() throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      while (true) {
        byte[] header = in.readNBytes(HEADER_BYTES);
        if (header.length < HEADER_BYTES) {
          return entries;
        }
        entries.add(entry(ByteBuffer.wrap(header).order(ByteOrder.nativeOrder()), in));
      }
    } catch (EOFException e) {
      return entries;
    }
  }

  private static Entry entry(ByteBuffer header, DataInputStream in) throws IOException {
    int type = header.getInt();
    byte[] data = new byte[header.getInt()];
    byte[] data2 = new byte[header.getInt()];
    header.getInt();
    long inode = header.getLong();
    long offset = header.getLong();
    in.readFully(data);
    in.readFully(data2);
    return switch (type) {
      case 1 -> new Open(inode, text(data), offset == 1);
      case 2 -> new Write(inode, offset, data);
      case 3 -> new Sync(inode);
      case 4 -> new Truncate(inode, offset);
      case 5 -> new Rename(text(data), text(data2));
      case 6 -> new Unlink(text(data));
      case 7 -> new Mark(text(data));
      case 8 -> new SyncFailed(inode);
      case 9 -> new WriteFailed(inode);
      default -> throw new IOException("journal entry of type " + type);
    };
  }

  private static String text(byte[] data) {
    return new String(data, StandardCharsets.UTF_8);
  }
}
