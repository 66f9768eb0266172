package dev.weir.processor.car;

import java.util.ArrayList;
import java.util.List;

/**
 * The benchmark's message as a plain mutable object. The indirect encodings fill one such object
 * from a request and a second one for the reply.
 */
public final class Car {
  /** The bit of {@link #options} that says whether the car is available. */
  public static final int AVAILABLE = 1;

  public long serialNumber;
  public long odometer;
  public int modelYear;

  /** A set of bits; {@link #AVAILABLE} is one of them. */
  public int options;

  public char code;
  public String vehicleCode = "";
  public int[] numbers = new int[0];

  /** A set of bits. */
  public int extras;

  public final Engine engine = new Engine();
  public final List<FuelFigure> fuelFigures = new ArrayList<>();
  public final List<PerformanceFigure> performanceFigures = new ArrayList<>();
  public String manufacturer = "";
  public String model = "";
  public String activationCode = "";

  /** The engine of a car. */
  public static final class Engine {
    public int capacity;
    public int cylinders;
    public int maxRpm;
    public String manufacturerCode = "";
    public int fuel;
  }

  /** Fuel consumption at one speed. */
  public static final class FuelFigure {
    public int speed;
    public float mpg;
    public String usage = "";
  }

  /** The accelerations on fuel of one octane rating. */
  public static final class PerformanceFigure {
    public int octaneRating;
    public final List<Acceleration> accelerations = new ArrayList<>();
  }

  /** The time to reach a speed. */
  public static final class Acceleration {
    public int mph;
    public float seconds;
  }

  /**
   * The reply to this car without an odometer: a deep copy in which the bit {@link #AVAILABLE} is
   * inverted.
   */
  public Car reply() {
    Car reply = new Car();
    reply.serialNumber = serialNumber;
    reply.modelYear = modelYear;
    reply.options = options ^ AVAILABLE;
    reply.code = code;
    reply.vehicleCode = vehicleCode;
    reply.numbers = numbers.clone();
    reply.extras = extras;
    copy(engine, reply.engine);
    for (FuelFigure figure : fuelFigures) {
      reply.fuelFigures.add(copyOf(figure));
    }
    for (PerformanceFigure figure : performanceFigures) {
      reply.performanceFigures.add(copyOf(figure));
    }
    reply.manufacturer = manufacturer;
    reply.model = model;
    reply.activationCode = activationCode;
    return reply;
  }

  private static void copy(Engine from, Engine to) {
    to.capacity = from.capacity;
    to.cylinders = from.cylinders;
    to.maxRpm = from.maxRpm;
    to.manufacturerCode = from.manufacturerCode;
    to.fuel = from.fuel;
  }

  private static FuelFigure copyOf(FuelFigure from) {
    FuelFigure figure = new FuelFigure();
    figure.speed = from.speed;
    figure.mpg = from.mpg;
    figure.usage = from.usage;
    return figure;
  }

  private static PerformanceFigure copyOf(PerformanceFigure from) {
    PerformanceFigure figure = new PerformanceFigure();
    figure.octaneRating = from.octaneRating;
    for (Acceleration next : from.accelerations) {
      Acceleration acceleration = new Acceleration();
      acceleration.mph = next.mph;
      acceleration.seconds = next.seconds;
      figure.accelerations.add(acceleration);
    }
    return figure;
  }
}
