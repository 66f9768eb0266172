package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Batches whose content follows from where they are. */
public final class TestBatches {
  private TestBatches() {}

  public static ByteBuffer batch(long epoch, long position, int messages, int bodyBytes) {
    return put(
        ByteBuffer.allocate(
            Batch.HEADER_BYTES + messages * (Batch.MESSAGE_HEADER_BYTES + bodyBytes)),
        0,
        epoch,
        position,
        messages,
        bodyBytes);
  }

  /** Puts a batch into a buffer and limits the buffer to it. */
  public static ByteBuffer put(
      ByteBuffer buffer, int at, long epoch, long position, int messages, int bodyBytes) {
    return put(buffer, at, 1, epoch, position, messages, bodyBytes);
  }

  /** The same of another version of the application. */
  public static ByteBuffer put(
      ByteBuffer buffer,
      int at,
      int version,
      long epoch,
      long position,
      int messages,
      int bodyBytes) {
    Batch.begin(buffer, at, version, epoch, position, 1_000_000 + position);
    for (int i = 0; i < messages; i++) {
      int body = Batch.body(at + Batch.bytes(buffer, at));
      for (int b = 0; b < bodyBytes; b++) {
        buffer.put(body + b, (byte) (position * 31 + i * 7 + b));
      }
      Batch.add(buffer, at, 1, position + i + 1, bodyBytes);
    }
    Batch.seal(buffer, at, new CRC32C());
    return buffer.limit(at + Batch.bytes(buffer, at)).position(at);
  }

  /** Appends batches of two messages up to a position. */
  public static void append(TransactionLog log, long epoch, long toPosition) {
    while (log.end().position() < toPosition) {
      log.append(batch(epoch, log.end().position(), 2, 100));
    }
  }

  /** What a log returns from its start on. */
  public static List<ByteBuffer> read(TransactionLog log) {
    List<ByteBuffer> found = new ArrayList<>();
    if (log.start() < log.end().position()) {
      log.read(log.start(), batch -> found.add(copy(batch)));
    }
    return found;
  }

  public static ByteBuffer copy(ByteBuffer batch) {
    return ByteBuffer.allocate(batch.remaining()).put(batch.duplicate()).flip();
  }

  /** Checks that a log has batches of two messages of one epoch, from one position to another. */
  public static void assertHolds(TransactionLog log, long epoch, long from, long to) {
    assertThat(log.start()).isEqualTo(from);
    assertThat(log.end().position()).isEqualTo(to);
    List<ByteBuffer> found = read(log);
    assertThat(found).hasSize((int) (to - from) / 2);
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i)).isEqualTo(batch(epoch, from + 2L * i, 2, 100));
    }
  }
}
