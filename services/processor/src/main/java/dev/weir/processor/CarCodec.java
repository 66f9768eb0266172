package dev.weir.processor;

import java.nio.ByteBuffer;

/**
 * How a handler reads a car and makes its reply: a car as well, with all that was in the request,
 * the flag {@code available} turned over, and the odometer set.
 *
 * <p>Not thread-safe. Buffers are accessed absolutely; position and limit do not matter and stay as
 * they are.
 */
public interface CarCodec {
  /** {@value} bytes in an encoded car at most. */
  int MAX_BYTES = 512;

  /**
   * Reads every field of a request, and writes the reply but for its odometer.
   *
   * @param room has {@value #MAX_BYTES} bytes from {@code roomOffset} on
   * @return false if the bytes are no car, or not the car that belongs to its serial number; the
   *     room may be written to all the same
   */
  boolean read(ByteBuffer request, int offset, int length, ByteBuffer room, int roomOffset);

  /** Of the car read last. */
  long serialNumber();

  /** A checksum over all other fields of the car read last. */
  long digest();

  /**
   * Completes the reply to the car read last, in the room given then.
   *
   * @return bytes of the reply
   */
  int reply(long odometer);
}
