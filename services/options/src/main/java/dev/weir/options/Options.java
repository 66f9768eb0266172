package dev.weir.options;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The base of an options class: the values of its options, checked when they are set. A subclass
 * declares each option once and adds a getter and a setter of one line:
 *
 * <pre>
 * private static final OptionSet OPTIONS = new OptionSet();
 * private static final Option&lt;Integer&gt; WORKERS =
 *     OPTIONS.integer("workers", DEFAULT_WORKERS, 1, MAX_WORKERS).does("Messages handled at once.");
 *
 * public int getWorkers() {
 *   return get(WORKERS);
 * }
 *
 * public ServiceOptions setWorkers(int workers) {
 *   return set(WORKERS, workers);
 * }
 * </pre>
 *
 * <p>Not safe for use by several threads while it is changed.
 *
 * @param <S> the subclass
 */
public abstract class Options<S extends Options<S>> {
  private final OptionSet declared;
  private final Object[] values;

  /** All options have their defaults. */
  protected Options(OptionSet declared) {
    this.declared = declared;
    this.values = new Object[declared.size()];
    for (Option<?> option : declared.all()) {
      values[option.index] = option.initial();
    }
  }

  /** Copies all values. */
  protected Options(Options<S> other) {
    this.declared = other.declared;
    this.values = other.values.clone();
    for (Option<?> option : declared.all()) {
      copy(option);
    }
  }

  /**
   * Options that are not in the map have their defaults.
   *
   * @param map entries as {@link #toMap()} writes them
   * @throws IllegalArgumentException naming an unknown option, or an option, its value and what is
   *     allowed
   */
  protected Options(OptionSet declared, Map<String, ?> map) {
    this(declared);
    map.forEach(
        (name, entry) -> {
          Option<?> option = declared.option(name);
          values[option.index] = option.read(entry);
        });
  }

  private <V> void copy(Option<V> option) {
    values[option.index] = option.kept(get(option));
  }

  /** The value of an option; null if it is not set and has no default. */
  @SuppressWarnings("unchecked") // only values of the option's type are stored
  protected final <V> V get(Option<V> option) {
    return (V) values[option.index];
  }

  /**
   * Sets an option.
   *
   * @return this
   * @throws IllegalArgumentException naming the option, its value and what is allowed
   */
  @SuppressWarnings("unchecked") // S is the class of this
  protected final <V> S set(Option<V> option, V value) {
    values[option.index] = option.checked(value);
    return (S) this;
  }

  /** What can be set, with defaults and allowed values. */
  public final OptionSet declared() {
    return declared;
  }

  /**
   * The options as numbers, texts, truth values, lists and maps, in the order of their declaration;
   * without those that are null.
   */
  public final Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    declared.all().forEach(option -> put(map, option));
    return map;
  }

  private <V> void put(Map<String, Object> map, Option<V> option) {
    Object entry = option.write(get(option));
    if (entry != null) {
      map.put(option.name(), entry);
    }
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
