package dev.weir.cluster.log;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream. */
final class BoundedInput extends FilterInputStream {
  private long left;

  BoundedInput(InputStream in, long bytes) {
    super(in);
    this.left = bytes;
  }

  @Override
  public int read() throws IOException {
    if (left == 0) {
      return -1;
    }
    left--;
    return in.read();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0) {
      return -1;
    }
    int read = in.read(target, offset, (int) Math.min(left, length));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = in.skip(Math.min(left, bytes));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(left, in.available());
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
