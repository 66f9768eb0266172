package dev.weir.processor;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Cars as bytes. Not thread-safe. */
interface CarFormat {
  /**
   * Reads a car.
   *
   * @throws IOException if the bytes are none
   * @throws RuntimeException if the bytes are none
   */
  Car decode(ByteBuffer buffer, int offset, int length) throws IOException;

  /**
   * Writes a car by absolute access.
   *
   * @return its bytes
   * @throws IOException if it needs more than {@code room}
   * @throws RuntimeException if it needs more than {@code room}
   */
  int encode(Car car, ByteBuffer buffer, int offset, int room) throws IOException;

  /** Where in every encoded car the 8 little-endian bytes of its serial number are. */
  int serialNumberAt();

  /** Where in every encoded car the 8 little-endian bytes of its odometer are. */
  int odometerAt();
}
