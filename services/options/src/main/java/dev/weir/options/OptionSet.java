package dev.weir.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The options of one class in the order of their declaration. Filled by the static initializer of
 * that class, and not changed afterwards.
 */
public final class OptionSet {
  private final Map<String, Option<?>> options = new LinkedHashMap<>();

  /**
   * An option without its last part, what it does.
   *
   * @param <V> the class of the values
   */
  public final class Declaration<V> {
    private final String name;
    private final OptionType<V> type;
    private final V defaultValue;

    private Declaration(String name, OptionType<V> type, V defaultValue) {
      this.name = name;
      this.type = type;
      this.defaultValue = defaultValue;
    }

    /**
     * Adds the option to the set.
     *
     * @param does what the option does, a sentence or two for the documentation
     */
    public Option<V> does(String does) {
      Option<V> option = new Option<>(options.size(), name, type, defaultValue, does);
      if (options.putIfAbsent(name, option) != null) {
        throw new IllegalStateException("option " + name + " is declared twice");
      }
      return option;
    }
  }

  /**
   * Declares an option.
   *
   * @param name its name, unique in this set
   * @param defaultValue null for an option that is not set by default
   */
  public <V> Declaration<V> add(String name, OptionType<V> type, V defaultValue) {
    return new Declaration<>(name, type, defaultValue);
  }

  /** Declares a whole number of 32 bits. */
  public Declaration<Integer> integer(String name, int defaultValue, int least, int most) {
    return add(name, OptionTypes.integer(least, most), defaultValue);
  }

  /** Declares a whole number of 64 bits. */
  public Declaration<Long> whole(String name, long defaultValue, long least, long most) {
    return add(name, OptionTypes.whole(least, most), defaultValue);
  }

  /** Declares a number. */
  public Declaration<Double> decimal(String name, double defaultValue, double least, double most) {
    return add(name, OptionTypes.decimal(least, most), defaultValue);
  }

  /** Declares a truth value. */
  public Declaration<Boolean> flag(String name, boolean defaultValue) {
    return add(name, OptionTypes.flag(), defaultValue);
  }

  /** Declares one of the constants of an enum. */
  public <E extends Enum<E>> Declaration<E> choice(String name, E defaultValue) {
    return add(name, OptionTypes.choice(defaultValue.getDeclaringClass()), defaultValue);
  }

  /** All options in the order of their declaration. */
  public List<Option<?>> all() {
    return new ArrayList<>(options.values());
  }

  int size() {
    return options.size();
  }

  /**
   * The option of that name.
   *
   * @throws IllegalArgumentException naming the options there are, and the nearest
   */
  Option<?> option(String name) {
    Option<?> option = options.get(name);
    if (option == null) {
      throw unknown(name, options.keySet());
    }
    return option;
  }

  /** The exception for an option that does not exist; names the known ones, and the nearest. */
  public static IllegalArgumentException unknown(String name, Collection<String> known) {
    String nearest = nearest(name, known);
    return new IllegalArgumentException(
        "unknown option "
            + name
            + ", known are "
            + known.stream().sorted().collect(Collectors.joining(", "))
            + (nearest == null ? "" : ": did you mean " + nearest + "?"));
  }

  /** The known name with the fewest edits, at most a third of the length; null for none. */
  private static String nearest(String name, Collection<String> known) {
    String nearest = null;
    int fewest = Math.max(2, name.length() / 3) + 1;
    for (String other : known) {
      int edits = edits(name.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
      if (edits < fewest) {
        fewest = edits;
        nearest = other;
      }
    }
    return nearest;
  }

  /** The Levenshtein distance. */
  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
