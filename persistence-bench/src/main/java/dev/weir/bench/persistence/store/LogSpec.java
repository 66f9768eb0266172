package dev.weir.bench.persistence.store;

import java.nio.ByteBuffer;

/**
 * The options of a {@link MessageLog}.
 *
 * @param shape how messages become records
 * @param flush what a commit waits for
 * @param messageBytes size of each message
 * @param perCommit messages of a commit at most
 * @param objects how many objects there are in {@link Shape#STORE}: change n is to object n modulo
 *     this
 * @param writeBufferBytes buffer between the writer and the operating system
 * @param readBufferBytes how much is read at once
 * @param deviceWrites whether every write to a file waits for the device, whatever the flush
 * @param stampTimes whether each message of a packet carries the time it was written
 */
public record LogSpec(
    Shape shape,
    Flush flush,
    int messageBytes,
    int perCommit,
    long objects,
    int writeBufferBytes,
    int readBufferBytes,
    boolean deviceWrites,
    boolean stampTimes) {
  static final int DEFAULT_WRITE_BUFFER_BYTES = 1 << 20;
  static final int DEFAULT_READ_BUFFER_BYTES = 64 << 10;

  /** A log with buffers of the default sizes. */
  public static LogSpec of(
      Shape shape, Flush flush, int messageBytes, int perCommit, long objects) {
    return new LogSpec(
        shape,
        flush,
        messageBytes,
        perCommit,
        objects,
        DEFAULT_WRITE_BUFFER_BYTES,
        DEFAULT_READ_BUFFER_BYTES,
        false,
        false);
  }

  /** A write buffer of the size asked for, or larger if a commit needs it to be one write. */
  public int commitBufferBytes() {
    long commitBytes = 1024L + (long) perCommit * (messageBytes + 64L);
    return Math.toIntExact(Math.max(writeBufferBytes, commitBytes));
  }

  /** The key of a message: its number, or its object's. */
  public long key(long number) {
    return shape == Shape.STORE ? number % objects : number;
  }

  /** Writes a key big-endian into 8 bytes, so that stores sort records by their numbers. */
  public static void putKey(byte[] key, long number) {
    ByteBuffer.wrap(key).putLong(0, number);
  }
}
