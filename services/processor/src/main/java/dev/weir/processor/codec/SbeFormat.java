package dev.weir.processor.codec;

import dev.weir.processor.car.Car;
import dev.weir.processor.car.Car.Acceleration;
import dev.weir.processor.car.Car.Engine;
import dev.weir.processor.car.Car.FuelFigure;
import dev.weir.processor.car.Car.PerformanceFigure;
import dev.weir.processor.sbe.CarDecoder;
import dev.weir.processor.sbe.CarEncoder;
import dev.weir.processor.sbe.Code;
import dev.weir.processor.sbe.EngineDecoder;
import dev.weir.processor.sbe.Fuel;
import dev.weir.processor.sbe.MessageHeaderDecoder;
import dev.weir.processor.sbe.MessageHeaderEncoder;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Converts between {@link Car} and Simple Binary Encoding. */
public final class SbeFormat implements CarFormat {
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
      car.fuelFigures.add(decode(figure));
    }
    for (CarDecoder.PerformanceFiguresDecoder figure : decoder.performanceFigures()) {
      car.performanceFigures.add(decode(figure));
    }
    car.manufacturer = decoder.manufacturer();
    car.model = decoder.model();
    car.activationCode = decoder.activationCode();
    return car;
  }

  private void decodeBlock(Car car) {
    car.serialNumber = decoder.serialNumber();
    car.odometer = decoder.odometer();
    car.modelYear = decoder.modelYear();
    car.options = decoder.options().getRaw();
    car.code = (char) decoder.codeRaw();
    car.vehicleCode = decoder.vehicleCode();
    int[] numbers = new int[CarDecoder.numbersLength()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = decoder.numbers(i);
    }
    car.numbers = numbers;
    car.extras = decoder.extras().getRaw();
    EngineDecoder from = decoder.engine();
    Engine engine = car.engine;
    engine.capacity = from.capacity();
    engine.cylinders = from.cylinders();
    engine.maxRpm = from.maxRpm();
    engine.manufacturerCode = from.manufacturerCode();
    engine.fuel = from.fuelRaw();
  }

  private static FuelFigure decode(CarDecoder.FuelFiguresDecoder from) {
    FuelFigure figure = new FuelFigure();
    figure.speed = from.speed();
    figure.mpg = from.mpg();
    figure.usage = from.usage();
    return figure;
  }

  private static PerformanceFigure decode(CarDecoder.PerformanceFiguresDecoder from) {
    PerformanceFigure figure = new PerformanceFigure();
    figure.octaneRating = from.octaneRating();
    for (CarDecoder.PerformanceFiguresDecoder.AccelerationDecoder next : from.acceleration()) {
      Acceleration acceleration = new Acceleration();
      acceleration.mph = next.mph();
      acceleration.seconds = next.seconds();
      figure.accelerations.add(acceleration);
    }
    return figure;
  }

  @Override
  public int encode(Car car, ByteBuffer buffer, int offset, int room) {
    bytes.wrap(buffer, offset, room);
    encoder.wrapAndApplyHeader(bytes, 0, headerEncoder);
    encodeBlock(car);
    CarEncoder.FuelFiguresEncoder fuel = encoder.fuelFiguresCount(car.fuelFigures.size());
    for (FuelFigure figure : car.fuelFigures) {
      fuel.next().speed(figure.speed).mpg(figure.mpg).usage(figure.usage);
    }
    CarEncoder.PerformanceFiguresEncoder performance =
        encoder.performanceFiguresCount(car.performanceFigures.size());
    for (PerformanceFigure figure : car.performanceFigures) {
      encode(figure, performance.next());
    }
    encoder.manufacturer(car.manufacturer);
    encoder.model(car.model);
    encoder.activationCode(car.activationCode);
    return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
  }

  private void encodeBlock(Car car) {
    encoder
        .serialNumber(car.serialNumber)
        .odometer(car.odometer)
        .modelYear(car.modelYear)
        .code(Code.get((byte) car.code))
        .vehicleCode(car.vehicleCode);
    Sbe.putOptions(encoder, car.options);
    Sbe.putExtras(encoder, car.extras);
    for (int i = 0; i < CarEncoder.numbersLength(); i++) {
      encoder.numbers(i, car.numbers[i]);
    }
    Engine engine = car.engine;
    encoder
        .engine()
        .capacity(engine.capacity)
        .cylinders((short) engine.cylinders)
        .maxRpm(engine.maxRpm)
        .manufacturerCode(engine.manufacturerCode)
        .fuel(Fuel.get((short) engine.fuel));
  }

  private static void encode(PerformanceFigure figure, CarEncoder.PerformanceFiguresEncoder to) {
    to.octaneRating((short) figure.octaneRating);
    CarEncoder.PerformanceFiguresEncoder.AccelerationEncoder accelerations =
        to.accelerationCount(figure.accelerations.size());
    for (Acceleration acceleration : figure.accelerations) {
      accelerations.next().mph(acceleration.mph).seconds(acceleration.seconds);
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
