package dev.weir.processor.car;

import dev.weir.processor.car.Car.Acceleration;
import dev.weir.processor.car.Car.Engine;
import dev.weir.processor.car.Car.FuelFigure;
import dev.weir.processor.car.Car.PerformanceFigure;

/** The cars of the benchmark. The serial number of a car determines its content. */
public final class SampleCars {
  /** Number of different contents of full cars; a power of two. */
  public static final int VARIANTS = 64;

  /** Length of {@link Car#numbers}. */
  public static final int NUMBERS = 5;

  private static final String[] VEHICLE_CODES = {"abcdef", "kombi1", "limo22", "coupe3"};
  private static final String[] MANUFACTURER_CODES = {"101", "7G2", "X04"};
  private static final String[] USAGES = {"town", "open road", "mountains"};
  private static final String[] MANUFACTURERS = {"Horch", "Wanderer", "Stoewer", "Adler"};
  private static final String[] MODELS = {"12 Sport", "W 25 K", "Arkona 6", "Trumpf"};
  private static final String[] ACTIVATION_CODES = {"go-7701-a", "go-7702-b", "go-7703-c"};
  private static final String CODES = "BCS";
  private static final int PERFORMANCE_FIGURES = 2;
  private static final int ACCELERATIONS = 3;

  private static final long EMPTY_DIGEST = Digest.of(empty(0));
  private static final long[] DIGESTS = new long[VARIANTS];

  static {
    for (int i = 0; i < VARIANTS; i++) {
      DIGESTS[i] = Digest.of(full(i));
    }
  }

  private SampleCars() {}

  /** Which of the {@value #VARIANTS} contents the car with this serial number has. */
  public static int variant(long serialNumber) {
    return (int) serialNumber & (VARIANTS - 1);
  }

  /** Whether this is the digest of the full or the empty car with this serial number. */
  public static boolean isSample(long serialNumber, long digest) {
    return digest == DIGESTS[variant(serialNumber)] || digest == EMPTY_DIGEST;
  }

  /** A car with its serial number and only those fields that no encoding can omit. */
  public static Car empty(long serialNumber) {
    Car car = new Car();
    car.serialNumber = serialNumber;
    car.code = CODES.charAt(0);
    car.vehicleCode = VEHICLE_CODES[0];
    car.numbers = new int[NUMBERS];
    car.engine.manufacturerCode = MANUFACTURER_CODES[0];
    car.engine.fuel = 1;
    return car;
  }

  /** A car with all fields set. */
  public static Car full(long serialNumber) {
    int variant = variant(serialNumber);
    Car car = new Car();
    car.serialNumber = serialNumber;
    car.modelYear = 1990 + variant % 36;
    car.options = Car.AVAILABLE | variant % 8 << 1;
    car.code = CODES.charAt(variant % CODES.length());
    car.vehicleCode = pick(VEHICLE_CODES, variant);
    car.numbers = numbers(variant);
    car.extras = variant % 8;
    fill(car.engine, variant);
    for (int i = 0; i < USAGES.length; i++) {
      car.fuelFigures.add(fuelFigure(variant, i));
    }
    for (int i = 0; i < PERFORMANCE_FIGURES; i++) {
      car.performanceFigures.add(performanceFigure(variant, i));
    }
    car.manufacturer = pick(MANUFACTURERS, variant);
    car.model = pick(MODELS, variant);
    car.activationCode = pick(ACTIVATION_CODES, variant);
    return car;
  }

  private static int[] numbers(int variant) {
    int[] numbers = new int[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
      numbers[i] = variant * 31 + i * 7 - 40;
    }
    return numbers;
  }

  private static String pick(String[] texts, int variant) {
    return texts[variant % texts.length];
  }

  private static void fill(Engine engine, int variant) {
    engine.capacity = 1000 + 100 * (variant % 21);
    engine.cylinders = 3 + variant % 6;
    engine.maxRpm = 5000 + 50 * variant;
    engine.manufacturerCode = pick(MANUFACTURER_CODES, variant);
    engine.fuel = 1 + variant % 3;
  }

  private static FuelFigure fuelFigure(int variant, int index) {
    FuelFigure figure = new FuelFigure();
    figure.speed = 30 + 25 * index + variant % 5;
    figure.mpg = 60 - 10 * index + variant % 8 * 0.25f;
    figure.usage = USAGES[index];
    return figure;
  }

  private static PerformanceFigure performanceFigure(int variant, int index) {
    PerformanceFigure figure = new PerformanceFigure();
    figure.octaneRating = 95 + 3 * index;
    for (int i = 0; i < ACCELERATIONS; i++) {
      Acceleration acceleration = new Acceleration();
      acceleration.mph = 30 * (i + 1);
      acceleration.seconds = 3.5f + 2.25f * i - 0.5f * index + variant % 4 * 0.125f;
      figure.accelerations.add(acceleration);
    }
    return figure;
  }
}
