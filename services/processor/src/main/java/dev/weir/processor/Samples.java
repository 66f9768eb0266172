package dev.weir.processor;

/** The cars of the benchmark: what is in one follows from its serial number. */
final class Samples {
  /** Cars differ by their serial number and by one of so many contents; a power of two. */
  static final int VARIANTS = 64;

  /** The bit of {@link Car#getOptions} that a reply has turned over. */
  static final int AVAILABLE = 1;

  /** How many numbers a car has. */
  static final int NUMBERS = 5;

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

  private Samples() {}

  static int variant(long serialNumber) {
    return (int) serialNumber & (VARIANTS - 1);
  }

  /** Whether the content of a car with this number is what {@link #full} or {@link #empty} says. */
  static boolean isSample(long serialNumber, long digest) {
    return digest == DIGESTS[variant(serialNumber)] || digest == EMPTY_DIGEST;
  }

  /** A car with nothing but its number and what no encoding can leave out. */
  static Car empty(long serialNumber) {
    Car car = new Car();
    car.setSerialNumber(serialNumber);
    car.setCode(CODES.charAt(0));
    car.setVehicleCode(VEHICLE_CODES[0]);
    car.setNumbers(new int[NUMBERS]);
    car.getEngine().setManufacturerCode(MANUFACTURER_CODES[0]);
    car.getEngine().setFuel(1);
    return car;
  }

  /** A car with everything in it. */
  static Car full(long serialNumber) {
    int variant = variant(serialNumber);
    Car car = new Car();
    car.setSerialNumber(serialNumber);
    car.setModelYear(1990 + variant % 36);
    car.setOptions(AVAILABLE | variant % 8 << 1);
    car.setCode(CODES.charAt(variant % CODES.length()));
    car.setVehicleCode(pick(VEHICLE_CODES, variant));
    car.setNumbers(numbers(variant));
    car.setExtras(variant % 8);
    fill(car.getEngine(), variant);
    for (int i = 0; i < USAGES.length; i++) {
      car.getFuelFigures().add(fuelFigure(variant, i));
    }
    for (int i = 0; i < PERFORMANCE_FIGURES; i++) {
      car.getPerformanceFigures().add(performanceFigure(variant, i));
    }
    car.setManufacturer(pick(MANUFACTURERS, variant));
    car.setModel(pick(MODELS, variant));
    car.setActivationCode(pick(ACTIVATION_CODES, variant));
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
    engine.setCapacity(1000 + 100 * (variant % 21));
    engine.setCylinders(3 + variant % 6);
    engine.setMaxRpm(5000 + 50 * variant);
    engine.setManufacturerCode(pick(MANUFACTURER_CODES, variant));
    engine.setFuel(1 + variant % 3);
  }

  private static FuelFigure fuelFigure(int variant, int index) {
    FuelFigure figure = new FuelFigure();
    figure.setSpeed(30 + 25 * index + variant % 5);
    figure.setMpg(60 - 10 * index + variant % 8 * 0.25f);
    figure.setUsage(USAGES[index]);
    return figure;
  }

  private static PerformanceFigure performanceFigure(int variant, int index) {
    PerformanceFigure figure = new PerformanceFigure();
    figure.setOctaneRating(95 + 3 * index);
    for (int i = 0; i < ACCELERATIONS; i++) {
      Acceleration acceleration = new Acceleration();
      acceleration.setMph(30 * (i + 1));
      acceleration.setSeconds(3.5f + 2.25f * i - 0.5f * index + variant % 4 * 0.125f);
      figure.getAccelerations().add(acceleration);
    }
    return figure;
  }
}
