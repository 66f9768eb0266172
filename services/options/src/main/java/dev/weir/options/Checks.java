package dev.weir.options;

/** Argument checks; each failure names the argument, its value and what is allowed. */
public final class Checks {
  private Checks() {}

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static long range(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw notAllowed(name, value, least + " to " + most);
    }
    return value;
  }

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static int range(String name, int value, int least, int most) {
    return (int) range(name, (long) value, least, most);
  }

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException if it is out of range or not a number
   */
  public static double range(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw notAllowed(name, value, least + " to " + most);
    }
    return value;
  }

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException if it is null
   */
  public static <V> V notNull(String name, V value) {
    if (value == null) {
      throw new IllegalArgumentException(name + " must not be null");
    }
    return value;
  }

  /** The exception of a check that failed. */
  public static IllegalArgumentException notAllowed(String name, Object value, String allowed) {
    return new IllegalArgumentException(name + " is " + value + ", allowed is " + allowed);
  }
}
