package dev.weir.cluster.log;

import java.io.ByteArrayInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Bytes in memory, in pieces of 1 MiB: more than an array can hold, and never copied to grow. */
public final class ChunkedBytes extends OutputStream implements Spool {
  private static final int CHUNK_BYTES = 1 << 20;

  private final List<byte[]> chunks = new ArrayList<>();

  /** Bytes used of the last chunk. */
  private int used = CHUNK_BYTES;

  @Override
  public void write(int b) {
    if (used == CHUNK_BYTES) {
      addChunk();
    }
    last()[used++] = (byte) b;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    int at = offset;
    int left = length;
    while (left > 0) {
      if (used == CHUNK_BYTES) {
        addChunk();
      }
      int part = Math.min(left, CHUNK_BYTES - used);
      System.arraycopy(source, at, last(), used, part);
      used += part;
      at += part;
      left -= part;
    }
  }

  private void addChunk() {
    chunks.add(new byte[CHUNK_BYTES]);
    used = 0;
  }

  private byte[] last() {
    return chunks.get(chunks.size() - 1);
  }

  @Override
  public long size() {
    return chunks.isEmpty() ? 0 : (chunks.size() - 1L) * CHUNK_BYTES + used;
  }

  @Override
  public void writeTo(DataOutput out) throws IOException {
    for (int i = 0; i < chunks.size(); i++) {
      out.write(chunks.get(i), 0, bytes(i));
    }
  }

  @Override
  public InputStream read() {
    List<InputStream> parts = new ArrayList<>();
    for (int i = 0; i < chunks.size(); i++) {
      parts.add(new ByteArrayInputStream(chunks.get(i), 0, bytes(i)));
    }
    return new SequenceInputStream(Collections.enumeration(parts));
  }

  @Override
  public void discard() {
    chunks.clear();
    used = CHUNK_BYTES;
  }

  private int bytes(int chunk) {
    return chunk == chunks.size() - 1 ? used : CHUNK_BYTES;
  }
}
