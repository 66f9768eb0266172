package dev.weir.processor.codec;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.weir.processor.car.Car;
import dev.weir.processor.car.Car.Acceleration;
import dev.weir.processor.car.Car.Engine;
import dev.weir.processor.car.Car.FuelFigure;
import dev.weir.processor.car.Car.PerformanceFigure;
import dev.weir.processor.car.SampleCars;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Converts between {@link Car} and Protocol Buffers, field by field in the order of the bytes, and
 * without generated messages. Field numbers are those of {@code car.proto}.
 */
public final class ProtobufFormat implements CarFormat {
  private static final int VARINT = WireFormat.WIRETYPE_VARINT;
  private static final int FIXED32 = WireFormat.WIRETYPE_FIXED32;
  private static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
  private static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;

  @Override
  public Car decode(ByteBuffer buffer, int offset, int length) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(buffer.slice(offset, length));
    Car car = new Car();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | FIXED64 -> car.serialNumber = in.readFixed64();
        case 2 << 3 | FIXED64 -> car.odometer = in.readFixed64();
        case 3 << 3 | VARINT -> car.modelYear = in.readUInt32();
        case 4 << 3 | VARINT -> car.options = in.readUInt32();
        case 5 << 3 | VARINT -> car.code = (char) in.readUInt32();
        case 6 << 3 | BYTES -> car.vehicleCode = in.readString();
        case 7 << 3 | BYTES -> car.numbers = numbers(in);
        case 8 << 3 | VARINT -> car.extras = in.readUInt32();
        case 9 << 3 | BYTES -> decode(in, car.engine);
        case 10 << 3 | BYTES -> car.fuelFigures.add(fuelFigure(in));
        case 11 << 3 | BYTES -> car.performanceFigures.add(performanceFigure(in));
        case 12 << 3 | BYTES -> car.manufacturer = in.readString();
        case 13 << 3 | BYTES -> car.model = in.readString();
        case 14 << 3 | BYTES -> car.activationCode = in.readString();
        default -> throw unknown(tag);
      }
    }
    return car;
  }

  /** Reads the packed numbers. */
  private static int[] numbers(CodedInputStream in) throws IOException {
    int[] numbers = new int[SampleCars.NUMBERS];
    int outer = in.pushLimit(in.readRawVarint32());
    int count = 0;
    while (!in.isAtEnd()) {
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * count);
      }
      numbers[count++] = in.readSInt32();
    }
    in.popLimit(outer);
    return Arrays.copyOf(numbers, count);
  }

  private static IOException unknown(int tag) {
    return new IOException("a car has no field with tag " + tag);
  }

  private static void decode(CodedInputStream in, Engine engine) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | VARINT -> engine.capacity = in.readUInt32();
        case 2 << 3 | VARINT -> engine.cylinders = in.readUInt32();
        case 3 << 3 | VARINT -> engine.maxRpm = in.readUInt32();
        case 4 << 3 | BYTES -> engine.manufacturerCode = in.readString();
        case 5 << 3 | VARINT -> engine.fuel = in.readUInt32();
        default -> throw unknown(tag);
      }
    }
    in.popLimit(outer);
  }

  private static FuelFigure fuelFigure(CodedInputStream in) throws IOException {
    FuelFigure figure = new FuelFigure();
    int outer = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | VARINT -> figure.speed = in.readUInt32();
        case 2 << 3 | FIXED32 -> figure.mpg = in.readFloat();
        case 3 << 3 | BYTES -> figure.usage = in.readString();
        default -> throw unknown(tag);
      }
    }
    in.popLimit(outer);
    return figure;
  }

  private static PerformanceFigure performanceFigure(CodedInputStream in) throws IOException {
    PerformanceFigure figure = new PerformanceFigure();
    int outer = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | VARINT -> figure.octaneRating = in.readUInt32();
        case 2 << 3 | BYTES -> figure.accelerations.add(acceleration(in));
        default -> throw unknown(tag);
      }
    }
    in.popLimit(outer);
    return figure;
  }

  private static Acceleration acceleration(CodedInputStream in) throws IOException {
    Acceleration acceleration = new Acceleration();
    int outer = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | VARINT -> acceleration.mph = in.readUInt32();
        case 2 << 3 | FIXED32 -> acceleration.seconds = in.readFloat();
        default -> throw unknown(tag);
      }
    }
    in.popLimit(outer);
    return acceleration;
  }

  @Override
  public int encode(Car car, ByteBuffer buffer, int offset, int room) throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(buffer.slice(offset, room));
    ProtobufWriter.write(car, out);
    out.flush();
    return out.getTotalBytesWritten();
  }

  /** After the tag of the first field, which every car has. */
  @Override
  public int serialNumberAt() {
    return 1;
  }

  /** After the first field and the tag of the second; every car has both. */
  @Override
  public int odometerAt() {
    return serialNumberAt() + Long.BYTES + 1;
  }
}
