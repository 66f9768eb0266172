package dev.weir.bench.program;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names of enum constants in options and results: in lower case, with hyphens. */
public final class Names {
  private Names() {}

  /**
   * The constant with this name.
   *
   * @param option for the message
   * @throws IllegalArgumentException if there is none; the message names option, value and choice
   */
  public static <E extends Enum<E>> E parse(Class<E> type, String option, String name) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> of(constant).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(option + " is " + name + ", allowed is " + all(type)));
  }

  private static String all(Class<? extends Enum<?>> type) {
    return Arrays.stream(type.getEnumConstants()).map(Names::of).collect(Collectors.joining(", "));
  }

  /** The name of the constant. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
