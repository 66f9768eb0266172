package dev.weir.queue.je;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.Adler32;

/**
 * The bytes of one log file after the other, read part by part into a buffer outside of the heap,
 * which grows to the largest entry that is asked for as a whole. The files are not mapped: the JVM
 * ends when a mapped file becomes shorter, or cannot be read from its disk. One thread.
 */
final class LogBytes implements Closeable {
  private static final int WINDOW_BYTES = 256 << 10;

  private ByteBuffer window = window(WINDOW_BYTES);

  /** Where the window is in the file. */
  private long start;

  private FileChannel channel;
  private Path file;
  private long size;

  private static ByteBuffer window(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Goes on with another file. */
  void open(Path path) throws IOException {
    close();
    channel = FileChannel.open(path, StandardOpenOption.READ);
    file = path;
    size = channel.size();
    start = 0;
    window.clear().limit(0);
  }

  Path file() {
    return file;
  }

  /** Bytes of the file when it was opened. */
  long size() {
    return size;
  }

  /** The entry at an offset; null if the file is too short for one. */
  LogEntry entry(long offset) throws IOException {
    if (offset + LogEntry.HEADER_BYTES > size) {
      return null;
    }
    return LogEntry.of(window, at(offset, LogEntry.HEADER_BYTES), offset);
  }

  int getInt(long offset) throws IOException {
    return window.getInt(at(offset, Integer.BYTES));
  }

  /** What is between two offsets; until the next call. */
  ByteBuffer slice(long from, long to) throws IOException {
    int length = Math.toIntExact(to - from);
    return window.slice(at(from, length), length);
  }

  /** The checksum of what is between two offsets; for this the window does not grow. */
  long sum(long from, long to) throws IOException {
    Adler32 sum = new Adler32();
    for (long at = from; at < to; ) {
      int length = (int) Math.min(to - at, window.capacity());
      sum.update(slice(at, at + length));
      at += length;
    }
    return sum.getValue();
  }

  /** Where in the window an offset is, with so many bytes from there on. */
  private int at(long offset, int length) throws IOException {
    if (offset < start || offset + length > start + window.limit()) {
      if (length > window.capacity()) {
        // The old one can be collected while there is no room for both.
        window = null;
        window = window(length);
      }
      start = offset;
      window.clear().limit((int) Math.min(window.capacity(), size - offset));
      fill();
    }
    return (int) (offset - start);
  }

  private void fill() throws IOException {
    try {
      while (window.hasRemaining()) {
        if (channel.read(window, start + window.position()) < 0) {
          throw new IOException("it became shorter while it was read");
        }
      }
      window.flip();
    } catch (IOException e) {
      window.limit(0);
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
