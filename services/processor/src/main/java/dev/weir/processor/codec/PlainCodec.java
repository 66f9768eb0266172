package dev.weir.processor.codec;

import dev.weir.processor.CarCodec;
import dev.weir.processor.car.Car;
import dev.weir.processor.car.Digest;
import dev.weir.processor.car.SampleCars;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The indirect encodings: decodes a request into a {@link Car}, copies it into a second one, and
 * encodes that as the reply.
 */
public final class PlainCodec implements CarCodec {
  private final CarFormat format;
  private Car reply;
  private long digest;
  private ByteBuffer room;
  private int roomOffset;

  public PlainCodec(CarFormat format) {
    this.format = format;
  }

  @Override
  public boolean read(
      ByteBuffer request, int offset, int length, ByteBuffer newRoom, int newRoomOffset) {
    room = newRoom;
    roomOffset = newRoomOffset;
    try {
      Car car = format.decode(request, offset, length);
      digest = Digest.of(car);
      reply = car.reply();
    } catch (IOException | RuntimeException e) {
      // Each encoding fails in its own way on bytes that are not a car.
      return false;
    }
    return SampleCars.isSample(reply.serialNumber, digest);
  }

  @Override
  public long serialNumber() {
    return reply.serialNumber;
  }

  @Override
  public long digest() {
    return digest;
  }

  @Override
  public int reply(long odometer) {
    reply.odometer = odometer;
    try {
      return format.encode(reply, room, roomOffset, MAX_BYTES);
    } catch (IOException e) {
      throw new IllegalStateException("a car has more than " + MAX_BYTES + " bytes", e);
    }
  }
}
