package dev.weir.processor.codec;

import dev.weir.processor.CarCodec;
import dev.weir.processor.car.Car;
import dev.weir.processor.car.Digest;
import dev.weir.processor.car.SampleCars;
import dev.weir.processor.sbe.CarDecoder;
import dev.weir.processor.sbe.CarDecoder.FuelFiguresDecoder;
import dev.weir.processor.sbe.CarDecoder.PerformanceFiguresDecoder;
import dev.weir.processor.sbe.CarEncoder;
import dev.weir.processor.sbe.CarEncoder.FuelFiguresEncoder;
import dev.weir.processor.sbe.CarEncoder.PerformanceFiguresEncoder;
import dev.weir.processor.sbe.EngineDecoder;
import dev.weir.processor.sbe.EngineEncoder;
import dev.weir.processor.sbe.MessageHeaderDecoder;
import dev.weir.processor.sbe.MessageHeaderEncoder;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The encoding {@code sbe.direct}: copies each field from the request to the reply by flyweights
 * over both buffers. It allocates nothing per message.
 */
public final class SbeDirectCodec implements CarCodec {
  private final UnsafeBuffer in = new UnsafeBuffer(0, 0);
  private final UnsafeBuffer out = new UnsafeBuffer(0, 0);
  private final UnsafeBuffer text = new UnsafeBuffer(0, 0);
  private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
  private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
  private final CarDecoder decoder = new CarDecoder();
  private final CarEncoder encoder = new CarEncoder();
  private final Digest digest = new Digest();

  @Override
  public boolean read(ByteBuffer request, int offset, int length, ByteBuffer room, int roomOffset) {
    try {
      in.wrap(request, offset, length);
      out.wrap(room, roomOffset, MAX_BYTES);
      Sbe.wrap(decoder, headerDecoder, in);
      encoder.wrapAndApplyHeader(out, 0, headerEncoder);
      digest.reset();
      readBlock();
      readEngine();
      readFuelFigures();
      readPerformanceFigures();
      readTexts();
    } catch (RuntimeException e) {
      // Bytes that are not a car fail in several ways: past the end, unknown constant or template.
      return false;
    }
    return SampleCars.isSample(decoder.serialNumber(), digest.value());
  }

  private void readBlock() {
    int year = decoder.modelYear();
    int options = decoder.options().getRaw();
    int extras = decoder.extras().getRaw();
    digest.add(Digest.MODEL_YEAR, year);
    digest.add(Digest.OPTIONS, options);
    digest.add(Digest.CODE, decoder.codeRaw());
    digest.add(Digest.EXTRAS, extras);
    encoder.serialNumber(decoder.serialNumber()).modelYear(year).code(decoder.code());
    Sbe.putOptions(encoder, options ^ Car.AVAILABLE);
    Sbe.putExtras(encoder, extras);
    int code = decoder.offset() + CarDecoder.vehicleCodeEncodingOffset();
    digest.add(Digest.VEHICLE_CODE, 0, in, code, CarDecoder.vehicleCodeLength());
    for (int i = 0; i < CarDecoder.vehicleCodeLength(); i++) {
      encoder.vehicleCode(i, decoder.vehicleCode(i));
    }
    for (int i = 0; i < CarDecoder.numbersLength(); i++) {
      int number = decoder.numbers(i);
      digest.add(Digest.NUMBERS, i, number);
      encoder.numbers(i, number);
    }
  }

  private void readEngine() {
    EngineDecoder from = decoder.engine();
    EngineEncoder to = encoder.engine();
    int capacity = from.capacity();
    short cylinders = from.cylinders();
    int maxRpm = from.maxRpm();
    digest.add(Digest.CAPACITY, capacity);
    digest.add(Digest.CYLINDERS, cylinders);
    digest.add(Digest.MAX_RPM, maxRpm);
    digest.add(Digest.FUEL, from.fuelRaw());
    to.capacity(capacity).cylinders(cylinders).maxRpm(maxRpm).fuel(from.fuel());
    int code = from.offset() + EngineDecoder.manufacturerCodeEncodingOffset();
    digest.add(Digest.MANUFACTURER_CODE, 0, in, code, EngineDecoder.manufacturerCodeLength());
    for (int i = 0; i < EngineDecoder.manufacturerCodeLength(); i++) {
      to.manufacturerCode(i, from.manufacturerCode(i));
    }
  }

  private void readFuelFigures() {
    FuelFiguresDecoder from = decoder.fuelFigures();
    FuelFiguresEncoder to = encoder.fuelFiguresCount(from.count());
    for (int i = 0; from.hasNext(); i++) {
      from.next();
      to.next();
      int speed = from.speed();
      float mpg = from.mpg();
      digest.add(Digest.SPEED, i, speed);
      digest.add(Digest.MPG, i, mpg);
      to.speed(speed).mpg(mpg);
      from.wrapUsage(text);
      addText(Digest.USAGE, i);
      to.putUsage(text, 0, text.capacity());
    }
  }

  private void readPerformanceFigures() {
    PerformanceFiguresDecoder from = decoder.performanceFigures();
    PerformanceFiguresEncoder to = encoder.performanceFiguresCount(from.count());
    for (int i = 0; from.hasNext(); i++) {
      short octaneRating = from.next().octaneRating();
      digest.add(Digest.OCTANE_RATING, i, octaneRating);
      to.next().octaneRating(octaneRating);
      readAccelerations(i, from.acceleration(), to);
    }
  }

  private void readAccelerations(
      int figure,
      PerformanceFiguresDecoder.AccelerationDecoder from,
      PerformanceFiguresEncoder performance) {
    PerformanceFiguresEncoder.AccelerationEncoder to = performance.accelerationCount(from.count());
    for (int at = figure * Digest.NESTED; from.hasNext(); at++) {
      int mph = from.next().mph();
      float seconds = from.seconds();
      digest.add(Digest.MPH, at, mph);
      digest.add(Digest.SECONDS, at, seconds);
      to.next().mph(mph).seconds(seconds);
    }
  }

  private void readTexts() {
    decoder.wrapManufacturer(text);
    addText(Digest.MANUFACTURER, 0);
    encoder.putManufacturer(text, 0, text.capacity());
    decoder.wrapModel(text);
    addText(Digest.MODEL, 0);
    encoder.putModel(text, 0, text.capacity());
    decoder.wrapActivationCode(text);
    addText(Digest.ACTIVATION_CODE, 0);
    encoder.putActivationCode(text, 0, text.capacity());
  }

  private void addText(int field, int index) {
    digest.add(field, index, text, 0, text.capacity());
  }

  @Override
  public long serialNumber() {
    return decoder.serialNumber();
  }

  @Override
  public long digest() {
    return digest.value();
  }

  @Override
  public int reply(long odometer) {
    encoder.odometer(odometer);
    return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
  }
}
