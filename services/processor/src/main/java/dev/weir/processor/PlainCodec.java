package dev.weir.processor;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Decodes into plain objects, works on those by getters and setters, and encodes the reply. */
final class PlainCodec implements CarCodec {
  private final CarFormat format;
  private Car reply;
  private long digest;
  private ByteBuffer room;
  private int roomOffset;

  PlainCodec(CarFormat format) {
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
      reply = replyTo(car);
    } catch (IOException | RuntimeException e) {
      // What is no car shows in different ways, depending on the encoding.
      return false;
    }
    return Samples.isSample(reply.getSerialNumber(), digest);
  }

  static Car replyTo(Car car) {
    Car reply = new Car();
    reply.setSerialNumber(car.getSerialNumber());
    reply.setModelYear(car.getModelYear());
    reply.setOptions(car.getOptions() ^ Samples.AVAILABLE);
    reply.setCode(car.getCode());
    reply.setVehicleCode(car.getVehicleCode());
    reply.setNumbers(car.getNumbers().clone());
    reply.setExtras(car.getExtras());
    copy(car.getEngine(), reply.getEngine());
    for (FuelFigure figure : car.getFuelFigures()) {
      reply.getFuelFigures().add(copyOf(figure));
    }
    for (PerformanceFigure figure : car.getPerformanceFigures()) {
      reply.getPerformanceFigures().add(copyOf(figure));
    }
    reply.setManufacturer(car.getManufacturer());
    reply.setModel(car.getModel());
    reply.setActivationCode(car.getActivationCode());
    return reply;
  }

  private static void copy(Engine from, Engine to) {
    to.setCapacity(from.getCapacity());
    to.setCylinders(from.getCylinders());
    to.setMaxRpm(from.getMaxRpm());
    to.setManufacturerCode(from.getManufacturerCode());
    to.setFuel(from.getFuel());
  }

  private static FuelFigure copyOf(FuelFigure from) {
    FuelFigure figure = new FuelFigure();
    figure.setSpeed(from.getSpeed());
    figure.setMpg(from.getMpg());
    figure.setUsage(from.getUsage());
    return figure;
  }

  private static PerformanceFigure copyOf(PerformanceFigure from) {
    PerformanceFigure figure = new PerformanceFigure();
    figure.setOctaneRating(from.getOctaneRating());
    for (Acceleration next : from.getAccelerations()) {
      Acceleration acceleration = new Acceleration();
      acceleration.setMph(next.getMph());
      acceleration.setSeconds(next.getSeconds());
      figure.getAccelerations().add(acceleration);
    }
    return figure;
  }

  @Override
  public long serialNumber() {
    return reply.getSerialNumber();
  }

  @Override
  public long digest() {
    return digest;
  }

  @Override
  public int reply(long odometer) {
    reply.setOdometer(odometer);
    try {
      return format.encode(reply, room, roomOffset, MAX_BYTES);
    } catch (IOException e) {
      throw new IllegalStateException("a car has more than " + MAX_BYTES + " bytes", e);
    }
  }
}
