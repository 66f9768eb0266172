package dev.weir.options;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The values an option may have. Immutable.
 *
 * @param <V> the class of the values
 */
public final class OptionType<V> {
  private final String allowed;
  private final BiFunction<String, Object, V> read;
  private final BiFunction<String, V, V> check;
  private final Function<V, Object> write;

  /**
   * @param allowed what is allowed, as in "allowed is 1 to 9"
   * @param read makes a value of an entry of a map; gets the option's name and the entry
   * @param check throws, or returns the value to keep, a copy of one that can change
   * @param write makes an entry of a map
   */
  OptionType(
      String allowed,
      BiFunction<String, Object, V> read,
      BiFunction<String, V, V> check,
      Function<V, Object> write) {
    this.allowed = allowed;
    this.read = read;
    this.check = check;
    this.write = write;
  }

  /** What is allowed, as in "allowed is 1 to 9". */
  public String allowed() {
    return allowed;
  }

  /**
   * Makes a value of an entry of a map.
   *
   * @param name the option's name, for the message
   * @throws IllegalArgumentException naming the option, the entry and what is allowed
   */
  public V read(String name, Object entry) {
    return check(name, read.apply(name, entry));
  }

  /**
   * Returns the value to keep.
   *
   * @throws IllegalArgumentException naming the option, the value and what is allowed
   */
  V check(String name, V value) {
    return check.apply(name, value);
  }

  Object write(V value) {
    return write.apply(value);
  }

  /** The same values and null. */
  public OptionType<V> orNull() {
    return new OptionType<>(
        allowed,
        (name, entry) -> entry == null ? null : read.apply(name, entry),
        (name, value) -> value == null ? null : check.apply(name, value),
        write);
  }

  /**
   * Fewer values.
   *
   * @param allowed what is allowed now
   * @param narrower gets the option's name and a value of this type; throws, or returns the value
   *     to keep
   */
  public OptionType<V> with(String allowed, BiFunction<String, V, V> narrower) {
    return new OptionType<>(
        allowed, read, (name, value) -> narrower.apply(name, check.apply(name, value)), write);
  }

  /** Values that can change, kept and given to copies of their options as copies. */
  OptionType<V> copiedBy(UnaryOperator<V> copy) {
    return with(allowed, (name, value) -> copy.apply(value));
  }
}
