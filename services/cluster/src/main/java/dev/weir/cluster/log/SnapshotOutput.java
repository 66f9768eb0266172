package dev.weir.cluster.log;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes a stream into a table as records of bounded size. The key of a record is its number; a
 * CRC32C follows its content. The last record is written by {@link #finish}, not when the stream is
 * closed.
 */
final class SnapshotOutput extends OutputStream {
  /**
   * Bytes of content in a record. A record fits into a log buffer of JE, and does not delay the
   * append of a batch for long.
   */
  static final int CHUNK_BYTES = 256 << 10;

  private final LogEnvironment environment;
  private final Database database;
  private final ByteBuffer key = ByteBuffer.allocate(Integer.BYTES);
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES + Integer.BYTES);
  private final CRC32C crc = new CRC32C();
  private int chunks;
  private long bytes;

  SnapshotOutput(LogEnvironment environment, Database database) {
    this.environment = environment;
    this.database = database;
    chunk.limit(CHUNK_BYTES);
  }

  @Override
  public void write(int b) {
    writeFull();
    chunk.put((byte) b);
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    int at = offset;
    int left = length;
    while (left > 0) {
      writeFull();
      int part = Math.min(left, chunk.remaining());
      chunk.put(source, at, part);
      at += part;
      left -= part;
    }
  }

  private void writeFull() {
    if (!chunk.hasRemaining()) {
      writeChunk();
    }
  }

  private void writeChunk() {
    int length = chunk.position();
    crc.reset();
    crc.update(chunk.array(), 0, length);
    chunk.limit(length + Integer.BYTES).putInt((int) crc.getValue());
    key.putInt(0, chunks++);
    database.put(
        null, new DatabaseEntry(key.array()), new DatabaseEntry(chunk.array(), 0, chunk.limit()));
    environment.count(length);
    bytes += length;
    chunk.clear().limit(CHUNK_BYTES);
  }

  /** Writes the last record and returns the length of the whole stream. */
  long finish() {
    if (chunk.position() > 0) {
      writeChunk();
    }
    return bytes;
  }
}
