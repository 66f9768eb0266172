package dev.weir.cluster;

/** Checks of option values; each failure names the option, the value and what is allowed. */
final class Checks {
  private Checks() {}

  static <T> T notNull(String name, T value) {
    if (value == null) {
      throw new IllegalArgumentException(name + " must not be null");
    }
    return value;
  }

  static long range(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + value + ", allowed is " + least + " to " + most);
    }
    return value;
  }

  static int range(String name, int value, int least, int most) {
    return (int) range(name, (long) value, least, most);
  }

  static String name(String name, String value) {
    if (value == null || !value.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw new IllegalArgumentException(
          name
              + " is "
              + value
              + ", allowed are 1 to 64 letters, digits, dots, dashes and underscores, the first a"
              + " letter or digit");
    }
    return value;
  }
}
