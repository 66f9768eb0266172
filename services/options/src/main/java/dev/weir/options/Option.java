package dev.weir.options;

/**
 * The declaration of one option: its name, the values it may have, its default, and what it does.
 * Made by an {@link OptionSet}.
 *
 * @param <V> the class of the values
 */
public final class Option<V> {
  final int index;
  private final String name;
  private final OptionType<V> type;
  private final V defaultValue;
  private final String does;

  Option(int index, String name, OptionType<V> type, V defaultValue, String does) {
    this.index = index;
    this.name = name;
    this.type = type;
    this.defaultValue = defaultValue;
    this.does = does;
  }

  public String name() {
    return name;
  }

  public OptionType<V> type() {
    return type;
  }

  /** Null for an option that is not set by default. */
  public V defaultValue() {
    return defaultValue;
  }

  /** What the option does, for documentation. */
  public String does() {
    return does;
  }

  V initial() {
    return kept(defaultValue);
  }

  /** The value that options keep, a copy of one that can change; a default may be null. */
  V kept(V value) {
    return value == null ? null : type.check(name, value);
  }

  V checked(V value) {
    return type.check(name, value);
  }

  V read(Object entry) {
    return type.read(name, entry);
  }

  Object write(V value) {
    return value == null ? null : type.write(value);
  }
}
