package dev.weir.processor.codec;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.processor.CarCodec;
import dev.weir.processor.car.Car;
import dev.weir.processor.car.Digest;
import dev.weir.processor.car.SampleCars;
import dev.weir.processor.proto.CarProto;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The encoding {@code protobuf.random}: parses a request into a generated Protocol Buffers message
 * and reads its getters in another order than that of the bytes.
 */
public final class ProtobufMessageCodec implements CarCodec {
  private final Digest digest = new Digest();
  private CarProto.Car.Builder reply;
  private ByteBuffer room;
  private int roomOffset;

  @Override
  public boolean read(
      ByteBuffer request, int offset, int length, ByteBuffer newRoom, int newRoomOffset) {
    room = newRoom;
    roomOffset = newRoomOffset;
    try {
      CarProto.Car car = CarProto.Car.parseFrom(request.slice(offset, length));
      digest.reset();
      reply = CarProto.Car.newBuilder();
      readTexts(car);
      readPerformanceFigures(car);
      readFuelFigures(car);
      readEngine(car.getEngine());
      readNumbers(car);
    } catch (InvalidProtocolBufferException | RuntimeException e) {
      return false;
    }
    return SampleCars.isSample(reply.getSerialNumber(), digest.value());
  }

  private void readTexts(CarProto.Car car) {
    digest.add(Digest.ACTIVATION_CODE, 0, car.getActivationCode());
    digest.add(Digest.MODEL, 0, car.getModel());
    digest.add(Digest.MANUFACTURER, 0, car.getManufacturer());
    digest.add(Digest.VEHICLE_CODE, 0, car.getVehicleCode());
    reply
        .setActivationCode(car.getActivationCode())
        .setModel(car.getModel())
        .setManufacturer(car.getManufacturer())
        .setVehicleCode(car.getVehicleCode());
  }

  private void readPerformanceFigures(CarProto.Car car) {
    for (int i = 0; i < car.getPerformanceFiguresCount(); i++) {
      CarProto.PerformanceFigure from = car.getPerformanceFigures(i);
      CarProto.PerformanceFigure.Builder to = CarProto.PerformanceFigure.newBuilder();
      for (int j = 0; j < from.getAccelerationCount(); j++) {
        CarProto.Acceleration acceleration = from.getAcceleration(j);
        digest.add(Digest.SECONDS, i * Digest.NESTED + j, acceleration.getSeconds());
        digest.add(Digest.MPH, i * Digest.NESTED + j, acceleration.getMph());
        to.addAcceleration(
            CarProto.Acceleration.newBuilder()
                .setSeconds(acceleration.getSeconds())
                .setMph(acceleration.getMph())
                .build());
      }
      digest.add(Digest.OCTANE_RATING, i, from.getOctaneRating());
      reply.addPerformanceFigures(to.setOctaneRating(from.getOctaneRating()).build());
    }
  }

  private void readFuelFigures(CarProto.Car car) {
    for (int i = 0; i < car.getFuelFiguresCount(); i++) {
      CarProto.FuelFigure from = car.getFuelFigures(i);
      digest.add(Digest.USAGE, i, from.getUsage());
      digest.add(Digest.MPG, i, from.getMpg());
      digest.add(Digest.SPEED, i, from.getSpeed());
      reply.addFuelFigures(
          CarProto.FuelFigure.newBuilder()
              .setUsage(from.getUsage())
              .setMpg(from.getMpg())
              .setSpeed(from.getSpeed())
              .build());
    }
  }

  private void readEngine(CarProto.Engine engine) {
    digest.add(Digest.FUEL, engine.getFuel());
    digest.add(Digest.MANUFACTURER_CODE, 0, engine.getManufacturerCode());
    digest.add(Digest.MAX_RPM, engine.getMaxRpm());
    digest.add(Digest.CYLINDERS, engine.getCylinders());
    digest.add(Digest.CAPACITY, engine.getCapacity());
    reply.setEngine(
        CarProto.Engine.newBuilder()
            .setFuel(engine.getFuel())
            .setManufacturerCode(engine.getManufacturerCode())
            .setMaxRpm(engine.getMaxRpm())
            .setCylinders(engine.getCylinders())
            .setCapacity(engine.getCapacity())
            .build());
  }

  private void readNumbers(CarProto.Car car) {
    for (int i = 0; i < car.getNumbersCount(); i++) {
      digest.add(Digest.NUMBERS, i, car.getNumbers(i));
      reply.addNumbers(car.getNumbers(i));
    }
    digest.add(Digest.EXTRAS, car.getExtras());
    digest.add(Digest.CODE, car.getCode());
    digest.add(Digest.OPTIONS, car.getOptions());
    digest.add(Digest.MODEL_YEAR, car.getModelYear());
    reply
        .setExtras(car.getExtras())
        .setCode(car.getCode())
        .setOptions(car.getOptions() ^ Car.AVAILABLE)
        .setModelYear(car.getModelYear())
        .setSerialNumber(car.getSerialNumber());
  }

  @Override
  public long serialNumber() {
    return reply.getSerialNumber();
  }

  @Override
  public long digest() {
    return digest.value();
  }

  @Override
  public int reply(long odometer) {
    CarProto.Car car = reply.setOdometer(odometer).build();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(room.slice(roomOffset, MAX_BYTES));
      car.writeTo(out);
      out.flush();
      return out.getTotalBytesWritten();
    } catch (IOException e) {
      throw new IllegalStateException("a car has more than " + MAX_BYTES + " bytes", e);
    }
  }
}
