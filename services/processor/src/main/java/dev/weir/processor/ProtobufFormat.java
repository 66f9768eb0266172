package dev.weir.processor;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Plain objects to Protocol Buffers and back, field by field in the order of the bytes, without
 * generated messages in between. Field numbers are those of {@code car.proto}.
 */
final class ProtobufFormat implements CarFormat {
  private static final int VARINT = WireFormat.WIRETYPE_VARINT;
  private static final int FIXED32 = WireFormat.WIRETYPE_FIXED32;
  private static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
  private static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;

  @Override
  public Car decode(ByteBuffer buffer, int offset, int length) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(buffer.slice(offset, length));
    Car car = new Car();
    ProtobufNumbers numbers = new ProtobufNumbers();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | FIXED64 -> car.setSerialNumber(in.readFixed64());
        case 2 << 3 | FIXED64 -> car.setOdometer(in.readFixed64());
        case 3 << 3 | VARINT -> car.setModelYear(in.readUInt32());
        case 4 << 3 | VARINT -> car.setOptions(in.readUInt32());
        case 5 << 3 | VARINT -> car.setCode((char) in.readUInt32());
        case 6 << 3 | BYTES -> car.setVehicleCode(in.readString());
        case 7 << 3 | BYTES -> car.setNumbers(numbers.decode(in));
        case 8 << 3 | VARINT -> car.setExtras(in.readUInt32());
        case 9 << 3 | BYTES -> decode(in, car.getEngine());
        case 10 << 3 | BYTES -> car.getFuelFigures().add(fuelFigure(in));
        case 11 << 3 | BYTES -> car.getPerformanceFigures().add(performanceFigure(in));
        case 12 << 3 | BYTES -> car.setManufacturer(in.readString());
        case 13 << 3 | BYTES -> car.setModel(in.readString());
        case 14 << 3 | BYTES -> car.setActivationCode(in.readString());
        default -> throw unknown(tag);
      }
    }
    return car;
  }

  private static IOException unknown(int tag) {
    return new IOException("a car has no field with tag " + tag);
  }

  private static void decode(CodedInputStream in, Engine engine) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | VARINT -> engine.setCapacity(in.readUInt32());
        case 2 << 3 | VARINT -> engine.setCylinders(in.readUInt32());
        case 3 << 3 | VARINT -> engine.setMaxRpm(in.readUInt32());
        case 4 << 3 | BYTES -> engine.setManufacturerCode(in.readString());
        case 5 << 3 | VARINT -> engine.setFuel(in.readUInt32());
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
        case 1 << 3 | VARINT -> figure.setSpeed(in.readUInt32());
        case 2 << 3 | FIXED32 -> figure.setMpg(in.readFloat());
        case 3 << 3 | BYTES -> figure.setUsage(in.readString());
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
        case 1 << 3 | VARINT -> figure.setOctaneRating(in.readUInt32());
        case 2 << 3 | BYTES -> figure.getAccelerations().add(acceleration(in));
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
        case 1 << 3 | VARINT -> acceleration.setMph(in.readUInt32());
        case 2 << 3 | FIXED32 -> acceleration.setSeconds(in.readFloat());
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

  /** Behind the tag of the first field, which is always there. */
  @Override
  public int serialNumberAt() {
    return 1;
  }

  /** Behind the first field and the tag of the second, which are always there. */
  @Override
  public int odometerAt() {
    return serialNumberAt() + Long.BYTES + 1;
  }
}
