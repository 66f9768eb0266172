package dev.weir.processor;

import org.agrona.DirectBuffer;

/**
 * A checksum over the fields of a car, the same in whichever order they are read. Serial number and
 * odometer are not part of it.
 */
final class Digest {
  static final int MODEL_YEAR = 1;
  static final int OPTIONS = 2;
  static final int CODE = 3;
  static final int VEHICLE_CODE = 4;
  static final int NUMBERS = 5;
  static final int EXTRAS = 6;
  static final int CAPACITY = 7;
  static final int CYLINDERS = 8;
  static final int MAX_RPM = 9;
  static final int MANUFACTURER_CODE = 10;
  static final int FUEL = 11;
  static final int SPEED = 12;
  static final int MPG = 13;
  static final int USAGE = 14;
  static final int OCTANE_RATING = 15;
  static final int MPH = 16;
  static final int SECONDS = 17;
  static final int MANUFACTURER = 18;
  static final int MODEL = 19;
  static final int ACTIVATION_CODE = 20;

  /** What is added to the index of a figure for each figure around it. */
  static final int NESTED = 1 << 16;

  private static final int HASH_FACTOR = 31;
  private static final long FIELD_FACTOR = 0x9E3779B97F4A7C15L;
  private static final long VALUE_FACTOR = 0xBF58476D1CE4E5B9L;
  private static final int FIELD_SHIFT = 40;
  private static final int SHIFT = 32;

  private long value;

  void reset() {
    value = 0;
  }

  long value() {
    return value;
  }

  void add(int field, long fieldValue) {
    add(field, 0, fieldValue);
  }

  /** Adds a value of a field that occurs more than once. */
  void add(int field, int index, long fieldValue) {
    value += mixed(field, index, fieldValue);
  }

  void add(int field, int index, float fieldValue) {
    add(field, index, Float.floatToRawIntBits(fieldValue));
  }

  void add(int field, int index, String text) {
    add(field, index, text.hashCode());
  }

  /** Adds ASCII text as if it were a string. */
  void add(int field, int index, DirectBuffer buffer, int offset, int length) {
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
  static long of(Car car) {
    Digest digest = new Digest();
    digest.add(MODEL_YEAR, car.getModelYear());
    digest.add(OPTIONS, car.getOptions());
    digest.add(CODE, car.getCode());
    digest.add(VEHICLE_CODE, 0, car.getVehicleCode());
    for (int i = 0; i < car.getNumbers().length; i++) {
      digest.add(NUMBERS, i, car.getNumbers()[i]);
    }
    digest.add(EXTRAS, car.getExtras());
    digest.add(car.getEngine());
    for (int i = 0; i < car.getFuelFigures().size(); i++) {
      digest.add(i, car.getFuelFigures().get(i));
    }
    for (int i = 0; i < car.getPerformanceFigures().size(); i++) {
      digest.add(i, car.getPerformanceFigures().get(i));
    }
    digest.add(MANUFACTURER, 0, car.getManufacturer());
    digest.add(MODEL, 0, car.getModel());
    digest.add(ACTIVATION_CODE, 0, car.getActivationCode());
    return digest.value;
  }

  private void add(Engine engine) {
    add(CAPACITY, engine.getCapacity());
    add(CYLINDERS, engine.getCylinders());
    add(MAX_RPM, engine.getMaxRpm());
    add(MANUFACTURER_CODE, 0, engine.getManufacturerCode());
    add(FUEL, engine.getFuel());
  }

  private void add(int index, FuelFigure figure) {
    add(SPEED, index, figure.getSpeed());
    add(MPG, index, figure.getMpg());
    add(USAGE, index, figure.getUsage());
  }

  private void add(int index, PerformanceFigure figure) {
    add(OCTANE_RATING, index, figure.getOctaneRating());
    int at = index * NESTED;
    for (Acceleration acceleration : figure.getAccelerations()) {
      add(MPH, at, acceleration.getMph());
      add(SECONDS, at, acceleration.getSeconds());
      at++;
    }
  }
}
