package dev.weir.processor.codec;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.weir.processor.car.Car;
import dev.weir.processor.car.Car.Acceleration;
import dev.weir.processor.car.Car.Engine;
import dev.weir.processor.car.Car.FuelFigure;
import dev.weir.processor.car.Car.PerformanceFigure;
import java.io.IOException;

/**
 * Writes a car as Protocol Buffers. Each nested message follows its size, which is computed first.
 */
final class ProtobufWriter {
  private ProtobufWriter() {}

  static void write(Car car, CodedOutputStream out) throws IOException {
    out.writeFixed64(1, car.serialNumber);
    out.writeFixed64(2, car.odometer);
    out.writeUInt32(3, car.modelYear);
    out.writeUInt32(4, car.options);
    out.writeUInt32(5, car.code);
    out.writeString(6, car.vehicleCode);
    write(car.numbers, out);
    out.writeUInt32(8, car.extras);
    begin(9, size(car.engine), out);
    write(car.engine, out);
    for (FuelFigure figure : car.fuelFigures) {
      begin(10, size(figure), out);
      write(figure, out);
    }
    for (PerformanceFigure figure : car.performanceFigures) {
      begin(11, size(figure), out);
      write(figure, out);
    }
    out.writeString(12, car.manufacturer);
    out.writeString(13, car.model);
    out.writeString(14, car.activationCode);
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
    return CodedOutputStream.computeUInt32Size(1, engine.capacity)
        + CodedOutputStream.computeUInt32Size(2, engine.cylinders)
        + CodedOutputStream.computeUInt32Size(3, engine.maxRpm)
        + CodedOutputStream.computeStringSize(4, engine.manufacturerCode)
        + CodedOutputStream.computeUInt32Size(5, engine.fuel);
  }

  private static void write(Engine engine, CodedOutputStream out) throws IOException {
    out.writeUInt32(1, engine.capacity);
    out.writeUInt32(2, engine.cylinders);
    out.writeUInt32(3, engine.maxRpm);
    out.writeString(4, engine.manufacturerCode);
    out.writeUInt32(5, engine.fuel);
  }

  private static int size(FuelFigure figure) {
    return CodedOutputStream.computeUInt32Size(1, figure.speed)
        + CodedOutputStream.computeFloatSize(2, figure.mpg)
        + CodedOutputStream.computeStringSize(3, figure.usage);
  }

  private static void write(FuelFigure figure, CodedOutputStream out) throws IOException {
    out.writeUInt32(1, figure.speed);
    out.writeFloat(2, figure.mpg);
    out.writeString(3, figure.usage);
  }

  private static int size(PerformanceFigure figure) {
    int bytes = CodedOutputStream.computeUInt32Size(1, figure.octaneRating);
    for (Acceleration acceleration : figure.accelerations) {
      int inner = size(acceleration);
      bytes +=
          CodedOutputStream.computeTagSize(2)
              + CodedOutputStream.computeUInt32SizeNoTag(inner)
              + inner;
    }
    return bytes;
  }

  private static void write(PerformanceFigure figure, CodedOutputStream out) throws IOException {
    out.writeUInt32(1, figure.octaneRating);
    for (Acceleration acceleration : figure.accelerations) {
      begin(2, size(acceleration), out);
      out.writeUInt32(1, acceleration.mph);
      out.writeFloat(2, acceleration.seconds);
    }
  }

  private static int size(Acceleration acceleration) {
    return CodedOutputStream.computeUInt32Size(1, acceleration.mph)
        + CodedOutputStream.computeFloatSize(2, acceleration.seconds);
  }
}
