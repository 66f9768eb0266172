package dev.weir.processor;

import dev.weir.processor.car.Car;
import dev.weir.processor.car.SampleCars;
import dev.weir.processor.codec.CarFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes requests and checks replies on the side of the sender. Each distinct content is encoded
 * once, so that no {@link Encoding} allocates per request. Not thread-safe.
 */
public final class CarRequests {
  private final boolean empty;
  private final CarFormat format;
  private final int serialNumberAt;
  private final int odometerAt;
  private final ByteBuffer[] requests = new ByteBuffer[SampleCars.VARIANTS];
  private final ByteBuffer[] replies = new ByteBuffer[SampleCars.VARIANTS];

  /**
   * Creates requests in this encoding.
   *
   * @param empty true for cars with only those fields that no encoding can omit
   */
  public CarRequests(Encoding encoding, boolean empty) {
    this.empty = empty;
    this.format = encoding.newFormat();
    this.serialNumberAt = format.serialNumberAt();
    this.odometerAt = format.odometerAt();
    for (int i = 0; i < SampleCars.VARIANTS; i++) {
      Car car = empty ? SampleCars.empty(i) : SampleCars.full(i);
      requests[i] = encoded(car);
      replies[i] = encoded(car.reply());
    }
  }

  private ByteBuffer encoded(Car car) {
    ByteBuffer room = ByteBuffer.allocate(CarCodec.MAX_BYTES);
    try {
      int bytes = format.encode(car, room, 0, CarCodec.MAX_BYTES);
      byte[] encoded = Arrays.copyOf(room.array(), bytes);
      return ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    } catch (IOException e) {
      throw new IllegalStateException("a car has more than " + CarCodec.MAX_BYTES + " bytes", e);
    }
  }

  /**
   * Writes the request with this number by absolute access; it has at most {@link
   * CarCodec#MAX_BYTES} bytes.
   *
   * @return the length of the request in bytes
   */
  public int encode(long serialNumber, ByteBuffer buffer, int offset) {
    ByteBuffer request = requests[SampleCars.variant(serialNumber)];
    buffer.put(offset, request, 0, request.capacity());
    putLong(buffer, offset + serialNumberAt, serialNumber);
    return request.capacity();
  }

  /** Whether these bytes are exactly the reply to the request with this number. */
  public boolean isReply(
      ByteBuffer buffer, int offset, int length, long serialNumber, long odometer) {
    ByteBuffer expected = replies[SampleCars.variant(serialNumber)];
    if (length != expected.capacity()) {
      return false;
    }
    expected.putLong(serialNumberAt, serialNumber).putLong(odometerAt, odometer);
    return matches(expected, buffer, offset);
  }

  /** The odometer of a complete reply. */
  public long odometer(ByteBuffer buffer, int offset) {
    return getLong(buffer, offset + odometerAt);
  }

  /** Size of the largest request in bytes. */
  public int maxRequestBytes() {
    return Arrays.stream(requests).mapToInt(ByteBuffer::capacity).max().orElseThrow();
  }

  private static boolean matches(ByteBuffer expected, ByteBuffer buffer, int offset) {
    int at = 0;
    for (; at <= expected.capacity() - Long.BYTES; at += Long.BYTES) {
      if (expected.getLong(at) != getLong(buffer, offset + at)) {
        return false;
      }
    }
    for (; at < expected.capacity(); at++) {
      if (expected.get(at) != buffer.get(offset + at)) {
        return false;
      }
    }
    return true;
  }

  private static long getLong(ByteBuffer buffer, int at) {
    long value = buffer.getLong(at);
    return buffer.order() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
  }

  private static void putLong(ByteBuffer buffer, int at, long value) {
    buffer.putLong(
        at, buffer.order() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value));
  }

  @Override
  public String toString() {
    return (empty ? "empty" : "full") + " cars of up to " + maxRequestBytes() + " bytes";
  }
}
