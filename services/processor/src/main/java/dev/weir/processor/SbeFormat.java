package dev.weir.processor;

import dev.weir.processor.sbe.CarDecoder;
import dev.weir.processor.sbe.CarEncoder;
import dev.weir.processor.sbe.Code;
import dev.weir.processor.sbe.EngineDecoder;
import dev.weir.processor.sbe.Fuel;
import dev.weir.processor.sbe.MessageHeaderDecoder;
import dev.weir.processor.sbe.MessageHeaderEncoder;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Plain objects to Simple Binary Encoding and back. */
final class SbeFormat implements CarFormat {
  private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
  private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
  private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
  private final CarDecoder decoder = new CarDecoder();
  private final CarEncoder encoder = new CarEncoder();

  @Override
  public Car decode(ByteBuffer buffer, int offset, int length) {
    bytes.wrap(buffer, offset, length);
    Sbe.wrap(decoder, headerDecoder, bytes);
    Car car = new Car();
    decodeBlock(car);
    for (CarDecoder.FuelFiguresDecoder figure : decoder.fuelFigures()) {
      car.getFuelFigures().add(decode(figure));
    }
    for (CarDecoder.PerformanceFiguresDecoder figure : decoder.performanceFigures()) {
      car.getPerformanceFigures().add(decode(figure));
    }
    car.setManufacturer(decoder.manufacturer());
    car.setModel(decoder.model());
    car.setActivationCode(decoder.activationCode());
    return car;
  }

  private void decodeBlock(Car car) {
    car.setSerialNumber(decoder.serialNumber());
    car.setOdometer(decoder.odometer());
    car.setModelYear(decoder.modelYear());
    car.setOptions(decoder.options().getRaw());
    car.setCode((char) decoder.codeRaw());
    car.setVehicleCode(decoder.vehicleCode());
    int[] numbers = new int[CarDecoder.numbersLength()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = decoder.numbers(i);
    }
    car.setNumbers(numbers);
    car.setExtras(decoder.extras().getRaw());
    EngineDecoder from = decoder.engine();
    Engine engine = car.getEngine();
    engine.setCapacity(from.capacity());
    engine.setCylinders(from.cylinders());
    engine.setMaxRpm(from.maxRpm());
    engine.setManufacturerCode(from.manufacturerCode());
    engine.setFuel(from.fuelRaw());
  }

  private static FuelFigure decode(CarDecoder.FuelFiguresDecoder from) {
    FuelFigure figure = new FuelFigure();
    figure.setSpeed(from.speed());
    figure.setMpg(from.mpg());
    figure.setUsage(from.usage());
    return figure;
  }

  private static PerformanceFigure decode(CarDecoder.PerformanceFiguresDecoder from) {
    PerformanceFigure figure = new PerformanceFigure();
    figure.setOctaneRating(from.octaneRating());
    for (CarDecoder.PerformanceFiguresDecoder.AccelerationDecoder next : from.acceleration()) {
      Acceleration acceleration = new Acceleration();
      acceleration.setMph(next.mph());
      acceleration.setSeconds(next.seconds());
      figure.getAccelerations().add(acceleration);
    }
    return figure;
  }

  @Override
  public int encode(Car car, ByteBuffer buffer, int offset, int room) {
    bytes.wrap(buffer, offset, room);
    encoder.wrapAndApplyHeader(bytes, 0, headerEncoder);
    encodeBlock(car);
    CarEncoder.FuelFiguresEncoder fuel = encoder.fuelFiguresCount(car.getFuelFigures().size());
    for (FuelFigure figure : car.getFuelFigures()) {
      fuel.next().speed(figure.getSpeed()).mpg(figure.getMpg()).usage(figure.getUsage());
    }
    CarEncoder.PerformanceFiguresEncoder performance =
        encoder.performanceFiguresCount(car.getPerformanceFigures().size());
    for (PerformanceFigure figure : car.getPerformanceFigures()) {
      encode(figure, performance.next());
    }
    encoder.manufacturer(car.getManufacturer());
    encoder.model(car.getModel());
    encoder.activationCode(car.getActivationCode());
    return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
  }

  private void encodeBlock(Car car) {
    encoder
        .serialNumber(car.getSerialNumber())
        .odometer(car.getOdometer())
        .modelYear(car.getModelYear())
        .code(Code.get((byte) car.getCode()))
        .vehicleCode(car.getVehicleCode());
    Sbe.putOptions(encoder, car.getOptions());
    Sbe.putExtras(encoder, car.getExtras());
    for (int i = 0; i < CarEncoder.numbersLength(); i++) {
      encoder.numbers(i, car.getNumbers()[i]);
    }
    Engine engine = car.getEngine();
    encoder
        .engine()
        .capacity(engine.getCapacity())
        .cylinders((short) engine.getCylinders())
        .maxRpm(engine.getMaxRpm())
        .manufacturerCode(engine.getManufacturerCode())
        .fuel(Fuel.get((short) engine.getFuel()));
  }

  private static void encode(PerformanceFigure figure, CarEncoder.PerformanceFiguresEncoder to) {
    to.octaneRating((short) figure.getOctaneRating());
    CarEncoder.PerformanceFiguresEncoder.AccelerationEncoder accelerations =
        to.accelerationCount(figure.getAccelerations().size());
    for (Acceleration acceleration : figure.getAccelerations()) {
      accelerations.next().mph(acceleration.getMph()).seconds(acceleration.getSeconds());
    }
  }

  @Override
  public int serialNumberAt() {
    return MessageHeaderEncoder.ENCODED_LENGTH + CarEncoder.serialNumberEncodingOffset();
  }

  @Override
  public int odometerAt() {
    return MessageHeaderEncoder.ENCODED_LENGTH + CarEncoder.odometerEncodingOffset();
  }
}
