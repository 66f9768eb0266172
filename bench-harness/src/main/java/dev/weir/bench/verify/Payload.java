package dev.weir.bench.verify;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Bodies with a number and a check, which cost little to make and to verify. The first 8 bytes are
 * the operation number, the last 8 a mix of it with the seed, both big-endian; what lies between is
 * pseudo-random, the same for all operations of one seed and size.
 *
 * <p>Every body is checked by its length and both ends; the CRC32C of the middle on a sample of the
 * operations, sparse enough that half a kilobyte is read per operation on average. Immutable apart
 * from arrays handed out; safe for many threads.
 */
public final class Payload {
  /** The smallest body: its two ends only. */
  public static final int MIN_SIZE_BYTES = 16;

  private static final int CHECKED_BYTES_PER_OPERATION = 512;
  private static final int END_BYTES = 8;

  private final long seed;
  private final byte[] template;
  private final int middleCrc;
  private final long sampleMask;

  /** Bodies of this seed and size, at least {@value #MIN_SIZE_BYTES} bytes. */
  public Payload(long seed, int sizeBytes) {
    this(seed, sizeBytes, defaultSampleEvery(sizeBytes));
  }

  /**
   * Bodies with another share of full checks.
   *
   * @param sampleEvery the full check is made on each operation divisible by this power of two
   */
  public Payload(long seed, int sizeBytes, long sampleEvery) {
    if (sizeBytes < MIN_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "sizeBytes must be at least " + MIN_SIZE_BYTES + ": " + sizeBytes);
    }
    if (Long.bitCount(sampleEvery) != 1 || sampleEvery < 1) {
      throw new IllegalArgumentException("sampleEvery must be a power of two: " + sampleEvery);
    }
    this.seed = seed;
    this.template = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(template);
    this.middleCrc = crcOfMiddle(template);
    this.sampleMask = sampleEvery - 1;
  }

  private static long defaultSampleEvery(int sizeBytes) {
    long blocks = Math.max(1, sizeBytes / CHECKED_BYTES_PER_OPERATION);
    return Long.highestOneBit(2 * blocks - 1);
  }

  /** Size of each body. */
  public int sizeBytes() {
    return template.length;
  }

  /** A new body for the operation. */
  public byte[] create(long operation) {
    byte[] body = template.clone();
    stamp(body, operation);
    return body;
  }

  /** Makes a body of this payload the body of another operation by writing both ends. */
  public void stamp(byte[] body, long operation) {
    ByteBuffer buffer = ByteBuffer.wrap(body);
    buffer.putLong(0, operation);
    buffer.putLong(body.length - END_BYTES, tail(operation));
  }

  /** What the last 8 bytes of the operation's body hold. */
  public long tail(long operation) {
    long mixed = (operation ^ seed) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 32);
  }

  /** Whether the full check is due for the operation. */
  public boolean isSampled(long operation) {
    return (operation & sampleMask) == 0;
  }

  /** The check made on every body: length and both ends, as read by the caller. */
  public boolean endsMatch(long operation, int lengthBytes, long first8, long last8) {
    return lengthBytes == template.length && first8 == operation && last8 == tail(operation);
  }

  /** The full check, sampled or not: length, both ends and the CRC32C of the middle. */
  public boolean contentMatches(long operation, byte[] body) {
    return endsMatch(operation, body) && crcOfMiddle(body) == middleCrc;
  }

  /** The check that is due for the operation: both ends, and the full one if sampled. */
  public boolean matches(long operation, byte[] body) {
    return isSampled(operation) ? contentMatches(operation, body) : endsMatch(operation, body);
  }

  private boolean endsMatch(long operation, byte[] body) {
    if (body.length != template.length) {
      return false;
    }
    ByteBuffer buffer = ByteBuffer.wrap(body);
    long last8 = buffer.getLong(body.length - END_BYTES);
    return endsMatch(operation, body.length, buffer.getLong(0), last8);
  }

  /** What is checked, in words, for the {@code extra} of a row. */
  public String describeCheck() {
    String sample = sampleMask == 0 ? "every body" : "one body in " + (sampleMask + 1);
    return "length, first and last 8 bytes of every body; CRC32C of " + sample;
  }

  private static int crcOfMiddle(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body, END_BYTES, body.length - 2 * END_BYTES);
    return (int) crc.getValue();
  }
}
