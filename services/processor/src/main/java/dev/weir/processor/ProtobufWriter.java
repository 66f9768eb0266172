package dev.weir.processor;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** Writes cars as Protocol Buffers; a nested message goes behind its size, computed first. */
final class ProtobufWriter {
  private ProtobufWriter() {}

  static void write(Car car, CodedOutputStream out) throws IOException {
    out.writeFixed64(1, car.getSerialNumber());
    out.writeFixed64(2, car.getOdometer());
    out.writeUInt32(3, car.getModelYear());
    out.writeUInt32(4, car.getOptions());
    out.writeUInt32(5, car.getCode());
    out.writeString(6, car.getVehicleCode());
    write(car.getNumbers(), out);
    out.writeUInt32(8, car.getExtras());
    begin(9, size(car.getEngine()), out);
    write(car.getEngine(), out);
    for (FuelFigure figure : car.getFuelFigures()) {
      begin(10, size(figure), out);
      write(figure, out);
    }
    for (PerformanceFigure figure : car.getPerformanceFigures()) {
      begin(11, size(figure), out);
      write(figure, out);
    }
    out.writeString(12, car.getManufacturer());
    out.writeString(13, car.getModel());
    out.writeString(14, car.getActivationCode());
  }

  private static void begin(int field, int bytes, CodedOutputStream out) throws IOException {
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(bytes);
  }

  private static void write(int[] numbers, CodedOutputStream out) throws IOException {
    int bytes = 0;
    for (int number : numbers) {
      bytes += CodedOutputStream.computeSInt32SizeNoTag(number);
    }
    begin(7, bytes, out);
    for (int number : numbers) {
      out.writeSInt32NoTag(number);
    }
  }

  private static int size(Engine engine) {
    return CodedOutputStream.computeUInt32Size(1, engine.getCapacity())
        + CodedOutputStream.computeUInt32Size(2, engine.getCylinders())
        + CodedOutputStream.computeUInt32Size(3, engine.getMaxRpm())
        + CodedOutputStream.computeStringSize(4, engine.getManufacturerCode())
        + CodedOutputStream.computeUInt32Size(5, engine.getFuel());
  }

  private static void write(Engine engine, CodedOutputStream out) throws IOException {
    out.writeUInt32(1, engine.getCapacity());
    out.writeUInt32(2, engine.getCylinders());
    out.writeUInt32(3, engine.getMaxRpm());
    out.writeString(4, engine.getManufacturerCode());
    out.writeUInt32(5, engine.getFuel());
  }

  private static int size(FuelFigure figure) {
    return CodedOutputStream.computeUInt32Size(1, figure.getSpeed())
        + CodedOutputStream.computeFloatSize(2, figure.getMpg())
        + CodedOutputStream.computeStringSize(3, figure.getUsage());
  }

  private static void write(FuelFigure figure, CodedOutputStream out) throws IOException {
    out.writeUInt32(1, figure.getSpeed());
    out.writeFloat(2, figure.getMpg());
    out.writeString(3, figure.getUsage());
  }

  private static int size(PerformanceFigure figure) {
    int bytes = CodedOutputStream.computeUInt32Size(1, figure.getOctaneRating());
    for (Acceleration acceleration : figure.getAccelerations()) {
      int inner = size(acceleration);
      bytes +=
          CodedOutputStream.computeTagSize(2)
              + CodedOutputStream.computeUInt32SizeNoTag(inner)
              + inner;
    }
    return bytes;
  }

  private static void write(PerformanceFigure figure, CodedOutputStream out) throws IOException {
    out.writeUInt32(1, figure.getOctaneRating());
    for (Acceleration acceleration : figure.getAccelerations()) {
      begin(2, size(acceleration), out);
      out.writeUInt32(1, acceleration.getMph());
      out.writeFloat(2, acceleration.getSeconds());
    }
  }

  private static int size(Acceleration acceleration) {
    return CodedOutputStream.computeUInt32Size(1, acceleration.getMph())
        + CodedOutputStream.computeFloatSize(2, acceleration.getSeconds());
  }
}
