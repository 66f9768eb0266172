package dev.weir.flow;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Applies a JSON object to an options class, refusing what it does not know. The error names the
 * option, its value and what is allowed. For the options classes of this module and of those that
 * build on it.
 */
public final class OptionReader {
  private final Map<String, Consumer<Object>> setters;

  public OptionReader(Map<String, Consumer<Object>> setters) {
    this.setters = setters;
  }

  public void apply(JsonObject json) {
    for (Map.Entry<String, Object> entry : json) {
      Consumer<Object> setter = setters.get(entry.getKey());
      if (setter == null) {
        throw new IllegalArgumentException(
            "unknown option "
                + entry.getKey()
                + ", known are "
                + setters.keySet().stream().sorted().collect(Collectors.joining(", ")));
      }
      setter.accept(entry.getValue());
    }
  }

  public static long whole(String option, Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException(option + " is " + value + ", allowed is a whole number");
  }

  public static int smallWhole(String option, Object value) {
    long number = whole(option, value);
    return (int) range(option, number, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  public static String text(String option, Object value) {
    if (value instanceof String string) {
      return string;
    }
    throw new IllegalArgumentException(option + " is " + value + ", allowed is a text");
  }

  public static List<String> texts(String option, Object value) {
    if (value instanceof JsonArray array) {
      return array.stream().map(element -> text(option, element)).toList();
    }
    throw new IllegalArgumentException(option + " is " + value + ", allowed is a list of texts");
  }

  public static boolean truth(String option, Object value) {
    if (value instanceof Boolean truth) {
      return truth;
    }
    throw new IllegalArgumentException(option + " is " + value + ", allowed is true or false");
  }

  public static <E extends Enum<E>> E constant(String option, Class<E> type, Object value) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(String.valueOf(value))) {
        return constant;
      }
    }
    throw new IllegalArgumentException(
        option
            + " is "
            + value
            + ", allowed is one of "
            + Arrays.toString(type.getEnumConstants()));
  }

  public static long range(String option, long value, long min, long max) {
    if (value < min || value > max) {
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
