package dev.weir.cluster.log;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Reads the stream that {@link SnapshotOutput} wrote, and checks each record before it is used. */
final class SnapshotInput extends InputStream {
  private final LogEnvironment environment;
  private final Cursor cursor;
  private final DatabaseEntry key = new DatabaseEntry();
  private final DatabaseEntry value = new DatabaseEntry();
  private ByteBuffer chunk = ByteBuffer.allocate(0);
  private int chunks;
  private long left;

  /**
   * @param bytes length of the whole stream
   */
  SnapshotInput(LogEnvironment environment, Database database, long bytes) {
    this.environment = environment;
    this.cursor = database.openCursor(null, null);
    this.left = bytes;
  }

  @Override
  public int read() {
    return isAtEnd() ? -1 : chunk.get() & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (isAtEnd()) {
      return -1;
    }
    int part = Math.min(length, chunk.remaining());
    chunk.get(target, offset, part);
    return part;
  }

  @Override
  public int available() {
    return chunk.remaining();
  }

  private boolean isAtEnd() {
    if (!chunk.hasRemaining() && left > 0) {
      readChunk();
    }
    return !chunk.hasRemaining();
  }

  private void readChunk() {
    boolean found =
        cursor.getNext(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
    int bytes = found ? value.getSize() - Integer.BYTES : 0;
    if (bytes <= 0
        || bytes > left
        || ByteBuffer.wrap(key.getData()).getInt() != chunks
        || !isIntact(bytes)) {
      throw environment.damaged("record " + chunks + " of its snapshot is not as it was written");
    }
    chunks++;
    left -= bytes;
    chunk = ByteBuffer.wrap(value.getData(), 0, bytes);
  }

  private boolean isIntact(int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(value.getData(), 0, bytes);
    return ByteBuffer.wrap(value.getData()).getInt(bytes) == (int) crc.getValue();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
