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

  /**
   * Returns the text.
   *
   * @throws IllegalArgumentException if it has half of a surrogate pair: as UTF-8 it would be
   *     another text
   */
  public static String encodable(String name, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          throw new IllegalArgumentException(
              name + " has half of a surrogate pair at " + i + ", which UTF-8 cannot encode");
        }
        i++;
      }
    }
    return text;
  }

  /** The exception of a check that failed. */
  public static IllegalArgumentException notAllowed(String name, Object value, String allowed) {
    return new IllegalArgumentException(name + " is " + value + ", allowed is " + allowed);
  }
}
