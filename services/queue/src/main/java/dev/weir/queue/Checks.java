package dev.weir.queue;

/** Argument checks whose message names the option, the value and what is allowed. */
public final class Checks {
  private Checks() {}

  public static long range(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          option + " is " + value + ", allowed is " + min + " to " + max);
    }
    return value;
  }

  public static double range(String option, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(
          option + " is " + value + ", allowed is " + min + " to " + max);
    }
    return value;
  }

  public static <V> V notNull(String option, V value) {
    if (value == null) {
      throw new IllegalArgumentException(option + " must not be null");
    }
    return value;
  }
}
