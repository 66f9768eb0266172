package dev.weir.processor;

import java.nio.ByteBuffer;

/**
 * Reads requests and writes replies for a handler. A request is a car. Its reply is the same car
 * with the flag {@code available} inverted and the odometer set.
 *
 * <p>Not thread-safe. Buffers are accessed absolutely: position and limit are neither used nor
 * changed.
 */
public interface CarCodec {
  /** The largest encoded car has {@value} bytes. */
  int MAX_BYTES = 512;

  /**
   * Reads every field of a request, and writes the reply except for its odometer.
   *
   * @param room has at least {@value #MAX_BYTES} bytes from {@code roomOffset} on
   * @return false if the bytes are not a car, or not the car that belongs to its serial number; the
   *     room may have been written to
   */
  boolean read(ByteBuffer request, int offset, int length, ByteBuffer room, int roomOffset);

  /** The serial number of the car that was read last. */
  long serialNumber();

  /** A checksum over all other fields of the car that was read last. */
  long digest();

  /**
   * Completes the reply to the car that was read last, in the room given to {@link #read}.
   *
   * @return the length of the reply in bytes
   */
  int reply(long odometer);
}
