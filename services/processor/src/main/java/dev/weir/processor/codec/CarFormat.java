package dev.weir.processor.codec;

import dev.weir.processor.car.Car;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Converts cars to bytes and back. Not thread-safe. */
public interface CarFormat {
  /**
   * Decodes a car.
   *
   * @throws IOException if the bytes are not a car
   * @throws RuntimeException if the bytes are not a car
   */
  Car decode(ByteBuffer buffer, int offset, int length) throws IOException;

  /**
   * Encodes a car by absolute access.
   *
   * @return the number of bytes written
   * @throws IOException if the car needs more than {@code room} bytes
   * @throws RuntimeException if the car needs more than {@code room} bytes
   */
  int encode(Car car, ByteBuffer buffer, int offset, int room) throws IOException;

  /** Offset of the serial number in every encoded car: 8 bytes, little-endian. */
  int serialNumberAt();

  /** Offset of the odometer in every encoded car: 8 bytes, little-endian. */
  int odometerAt();
}
