package dev.weir.cluster.log;

import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStream;

/**
 * Bytes that come in pieces, and are read when all are there. One thread at a time. Failures of a
 * disk are thrown as {@link LogException}.
 */
public interface Spool {
  /** Adds bytes. */
  void write(byte[] source, int offset, int length);

  /** Bytes added so far. */
  long size();

  /** Reads all bytes; nothing must be added afterwards. */
  InputStream read();

  /** Writes all bytes to a stream; nothing must be added afterwards. */
  default void writeTo(DataOutput out) throws IOException {
    byte[] piece = new byte[1 << 16];
    InputStream in = read();
    for (int bytes = in.read(piece); bytes >= 0; bytes = in.read(piece)) {
      out.write(piece, 0, bytes);
    }
  }

  /** Forgets the bytes. */
  void discard();
}
