package dev.weir.processor.car;

import dev.weir.processor.car.Car.Acceleration;
import dev.weir.processor.car.Car.Engine;
import dev.weir.processor.car.Car.FuelFigure;
import dev.weir.processor.car.Car.PerformanceFigure;
import org.agrona.DirectBuffer;

/**
 * A checksum over the fields of a car that does not depend on the order in which they are added.
 * Serial number and odometer are not part of it.
 */
public final class Digest {
  public static final int MODEL_YEAR = 1;
  public static final int OPTIONS = 2;
  public static final int CODE = 3;
  public static final int VEHICLE_CODE = 4;
  public static final int NUMBERS = 5;
  public static final int EXTRAS = 6;
  public static final int CAPACITY = 7;
  public static final int CYLINDERS = 8;
  public static final int MAX_RPM = 9;
  public static final int MANUFACTURER_CODE = 10;
  public static final int FUEL = 11;
  public static final int SPEED = 12;
  public static final int MPG = 13;
  public static final int USAGE = 14;
  public static final int OCTANE_RATING = 15;
  public static final int MPH = 16;
  public static final int SECONDS = 17;
  public static final int MANUFACTURER = 18;
  public static final int MODEL = 19;
  public static final int ACTIVATION_CODE = 20;

  /** The index of a nested figure is that of its outer figure times this, plus its own. */
  public static final int NESTED = 1 << 16;

  private static final int HASH_FACTOR = 31;
  private static final long FIELD_FACTOR = 0x9E3779B97F4A7C15L;
  private static final long VALUE_FACTOR = 0xBF58476D1CE4E5B9L;
  private static final int FIELD_SHIFT = 40;
  private static final int SHIFT = 32;

  private long value;

  public void reset() {
    value = 0;
  }

  public long value() {
    return value;
  }

  public void add(int field, long fieldValue) {
    add(field, 0, fieldValue);
  }

  /** Adds one value of a field that has several. */
  public void add(int field, int index, long fieldValue) {
    value += mixed(field, index, fieldValue);
  }

  public void add(int field, int index, float fieldValue) {
    add(field, index, Float.floatToRawIntBits(fieldValue));
  }

  public void add(int field, int index, String text) {
    add(field, index, text.hashCode());
  }

  /** Adds ASCII text, with the same result as the equal string. */
  public void add(int field, int index, DirectBuffer buffer, int offset, int length) {
    int hash = 0;
    for (int i = offset; i < offset + length; i++) {
      hash = HASH_FACTOR * hash + buffer.getByte(i);
    }
    add(field, index, hash);
  }

  private static long mixed(int field, int index, long fieldValue) {
    long mixed = (((long) field << FIELD_SHIFT) + index) * FIELD_FACTOR + fieldValue;
    mixed = (mixed ^ (mixed >>> SHIFT)) * VALUE_FACTOR;
    return mixed ^ (mixed >>> SHIFT);
  }

  /** The digest of all fields of a car. */
  public static long of(Car car) {
    Digest digest = new Digest();
    digest.add(MODEL_YEAR, car.modelYear);
    digest.add(OPTIONS, car.options);
    digest.add(CODE, car.code);
    digest.add(VEHICLE_CODE, 0, car.vehicleCode);
    for (int i = 0; i < car.numbers.length; i++) {
      digest.add(NUMBERS, i, car.numbers[i]);
    }
    digest.add(EXTRAS, car.extras);
    digest.add(car.engine);
    for (int i = 0; i < car.fuelFigures.size(); i++) {
      digest.add(i, car.fuelFigures.get(i));
    }
    for (int i = 0; i < car.performanceFigures.size(); i++) {
      digest.add(i, car.performanceFigures.get(i));
    }
    digest.add(MANUFACTURER, 0, car.manufacturer);
    digest.add(MODEL, 0, car.model);
    digest.add(ACTIVATION_CODE, 0, car.activationCode);
    return digest.value;
  }

  private void add(Engine engine) {
    add(CAPACITY, engine.capacity);
    add(CYLINDERS, engine.cylinders);
    add(MAX_RPM, engine.maxRpm);
    add(MANUFACTURER_CODE, 0, engine.manufacturerCode);
    add(FUEL, engine.fuel);
  }

  private void add(int index, FuelFigure figure) {
    add(SPEED, index, figure.speed);
    add(MPG, index, figure.mpg);
    add(USAGE, index, figure.usage);
  }

  private void add(int index, PerformanceFigure figure) {
    add(OCTANE_RATING, index, figure.octaneRating);
    int at = index * NESTED;
    for (Acceleration acceleration : figure.accelerations) {
      add(MPH, at, acceleration.mph);
      add(SECONDS, at, acceleration.seconds);
      at++;
    }
  }
}
