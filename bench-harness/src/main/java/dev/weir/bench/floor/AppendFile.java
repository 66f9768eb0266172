package dev.weir.bench.floor;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that records are appended to, with a buffer in the process before it. The caller says when
 * the buffer is written and when the file is forced to the device. For one thread.
 */
public final class AppendFile implements Closeable {
  private final FileChannel channel;
  private final ByteBuffer buffer;

  /**
   * Opens the file, and creates it if it is absent.
   *
   * @param bufferBytes size of the buffer, at least that of the largest record
   */
  public AppendFile(Path file, int bufferBytes) throws IOException {
    buffer = ByteBuffer.allocateDirect(bufferBytes);
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Copies the record to the buffer, which is written before if it has no room. */
  public void append(byte[] record) throws IOException {
    makeRoom(record.length);
    buffer.put(record);
  }

  /** Copies the first bytes of the array to the buffer, with their number (4 bytes) before them. */
  public void appendWithLength(byte[] record, int length) throws IOException {
    makeRoom(Integer.BYTES + length);
    buffer.putInt(length).put(record, 0, length);
  }

  private void makeRoom(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      write();
    }
  }

  /** Hands what is in the buffer to the operating system: it survives a killed process then. */
  public void write() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    buffer.clear();
  }

  /** Forces what was written to the device: it survives a power loss then. */
  public void force() throws IOException {
    channel.force(false);
  }

  /** Writes what is in the buffer and closes the file. */
  @Override
  public void close() throws IOException {
    try (channel) {
      write();
    }
  }
}
