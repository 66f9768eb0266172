package dev.weir.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The common types of options. None of them allows null, see {@link OptionType#orNull}. */
public final class OptionTypes {
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  private OptionTypes() {}

  /** A whole number of 32 bits, in a map an Integer or a Long. */
  public static OptionType<Integer> integer(int least, int most) {
    return new OptionType<>(
        least + " to " + most,
        (name, entry) -> (int) Checks.range(name, wholeNumber(name, entry), least, most),
        (name, value) -> Checks.range(name, Checks.notNull(name, value), least, most),
        value -> value);
  }

  /** A whole number of 64 bits, in a map an Integer or a Long. */
  public static OptionType<Long> whole(long least, long most) {
    return new OptionType<>(
        least + " to " + most,
        OptionTypes::wholeNumber,
        (name, value) -> Checks.range(name, Checks.notNull(name, value), least, most),
        value -> value);
  }

  private static long wholeNumber(String name, Object entry) {
    if (entry instanceof Integer || entry instanceof Long) {
      return ((Number) entry).longValue();
    }
    throw Checks.notAllowed(name, entry, "a whole number");
  }

  /** A number, in a map any Number. */
  public static OptionType<Double> decimal(double least, double most) {
    return new OptionType<>(
        least + " to " + most,
        (name, entry) -> {
          if (entry instanceof Number number) {
            return number.doubleValue();
          }
          throw Checks.notAllowed(name, entry, "a number");
        },
        (name, value) -> Checks.range(name, Checks.notNull(name, value), least, most),
        value -> value);
  }

  /** True or false. */
  public static OptionType<Boolean> flag() {
    return new OptionType<>(
        "true or false",
        (name, entry) -> {
          if (entry instanceof Boolean flag) {
            return flag;
          }
          throw Checks.notAllowed(name, entry, "true or false");
        },
        Checks::notNull,
        value -> value);
  }

  /**
   * A text that is not blank.
   *
   * @param allowed what the text is, as in "a path"
   */
  public static OptionType<String> text(String allowed) {
    return new OptionType<>(
        allowed,
        OptionTypes::text,
        (name, value) -> {
          if (Checks.notNull(name, value).isBlank()) {
            throw new IllegalArgumentException(name + " is blank, allowed is " + allowed);
          }
          return value;
        },
        value -> value);
  }

  /** Any text, an empty one too. */
  public static OptionType<String> anyText() {
    return new OptionType<>("a text", OptionTypes::text, Checks::notNull, value -> value);
  }

  private static String text(String name, Object entry) {
    if (entry instanceof String text) {
      return text;
    }
    throw Checks.notAllowed(name, entry, "a text");
  }

  /** A text of 1 to 64 characters that can be part of a file's name. */
  public static OptionType<String> name() {
    return new OptionType<>(
        "1 to 64 letters, digits, dots, dashes and underscores",
        OptionTypes::text,
        OptionTypes::name,
        value -> value);
  }

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException if it is not one that {@link #name()} allows
   */
  public static String name(String name, String value) {
    if (value == null || !value.matches(NAME)) {
      throw new IllegalArgumentException(
          name
              + " is "
              + value
              + ", allowed are 1 to 64 letters, digits, dots, dashes and underscores, the first a"
              + " letter or digit");
    }
    return value;
  }

  /** A path, in a map a text. */
  public static OptionType<Path> path() {
    return new OptionType<>(
        "a path", (name, entry) -> Path.of(text(name, entry)), Checks::notNull, Path::toString);
  }

  /** Any texts in any number, kept as an immutable copy. */
  public static OptionType<List<String>> texts() {
    return texts(Checks::notNull);
  }

  /**
   * Texts in any number, kept as an immutable copy.
   *
   * @param check throws for a text that is not allowed; gets the option's name and the text, which
   *     may be null
   */
  public static OptionType<List<String>> texts(BiConsumer<String, String> check) {
    return new OptionType<>(
        "a list of texts",
        (name, entry) -> {
          if (!(entry instanceof List<?> list)) {
            throw Checks.notAllowed(name, entry, "a list of texts");
          }
          return list.stream().map(element -> text(name, element)).toList();
        },
        (name, value) -> {
          Checks.notNull(name, value).forEach(text -> check.accept(name, text));
          return List.copyOf(value);
        },
        ArrayList::new);
  }

  /** One of the constants of an enum, in a map the constant's name. */
  public static <E extends Enum<E>> OptionType<E> choice(Class<E> type) {
    String allowed = "one of " + Arrays.toString(type.getEnumConstants());
    return new OptionType<>(
        allowed,
        (name, entry) -> {
          for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(String.valueOf(entry))) {
              return constant;
            }
          }
          throw Checks.notAllowed(name, entry, allowed);
        },
        Checks::notNull,
        Enum::name);
  }

  /**
   * Options within options, in a map another map. They are copied when they are set.
   *
   * @param read makes them of a map
   * @param copy copies them
   */
  public static <S extends Options<S>> OptionType<S> section(
      Function<Map<String, Object>, S> read, UnaryOperator<S> copy) {
    OptionType<S> type =
        new OptionType<>(
            "an object",
            (name, entry) -> {
              if (entry instanceof Map<?, ?> map) {
                return read.apply(texts(map));
              }
              throw Checks.notAllowed(name, entry, "an object");
            },
            Checks::notNull,
            Options::toMap);
    return type.copiedBy(copy);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> texts(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }
}
