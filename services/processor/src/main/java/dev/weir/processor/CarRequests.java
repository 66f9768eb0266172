package dev.weir.processor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The sender's side: makes the requests and checks the replies, in any {@link Encoding} without
 * allocation, since all cars with the same content are encoded once. Not thread-safe.
 */
public final class CarRequests {
  private final boolean empty;
  private final CarFormat format;
  private final int serialNumberAt;
  private final int odometerAt;
  private final ByteBuffer[] requests = new ByteBuffer[Samples.VARIANTS];
  private final ByteBuffer[] replies = new ByteBuffer[Samples.VARIANTS];

  /**
   * Requests in this encoding.
   *
   * @param empty whether all but what no encoding can leave out is left out
   */
  public CarRequests(Encoding encoding, boolean empty) {
    this.empty = empty;
    this.format = encoding.newFormat();
    this.serialNumberAt = format.serialNumberAt();
    this.odometerAt = format.odometerAt();
    for (int i = 0; i < Samples.VARIANTS; i++) {
      Car car = empty ? Samples.empty(i) : Samples.full(i);
      requests[i] = encoded(car);
      replies[i] = encoded(PlainCodec.replyTo(car));
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
   * Writes the request with this number by absolute access; {@link CarCodec#MAX_BYTES} bytes are
   * always enough.
   *
   * @return bytes of the request
   */
  public int encode(long serialNumber, ByteBuffer buffer, int offset) {
    ByteBuffer request = requests[Samples.variant(serialNumber)];
    buffer.put(offset, request, 0, request.capacity());
    putLong(buffer, offset + serialNumberAt, serialNumber);
    return request.capacity();
  }

  /** Whether this is the reply to the request with this number, every byte of it. */
  public boolean isReply(
      ByteBuffer buffer, int offset, int length, long serialNumber, long odometer) {
    ByteBuffer expected = replies[Samples.variant(serialNumber)];
    if (length != expected.capacity()) {
      return false;
    }
    expected.putLong(serialNumberAt, serialNumber).putLong(odometerAt, odometer);
    return matches(expected, buffer, offset);
  }

  /** The odometer of a reply that is whole. */
  public long odometer(ByteBuffer buffer, int offset) {
    return getLong(buffer, offset + odometerAt);
  }

  /** Bytes of the largest request. */
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
