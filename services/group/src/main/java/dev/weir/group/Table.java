package dev.weir.group;

/**
 * Values by key, a part of the state of a group. What a processor puts and removes takes effect
 * when its call returns, and not at all if it throws; the processor itself sees it at once. A key
 * is not null and has no half of a surrogate pair, or an {@link IllegalArgumentException} is
 * thrown.
 *
 * @param <V> the values' type
 */
public interface Table<V> {
  /** The value of a key; null if there is none. To change it, {@link #put} it again. */
  V get(String key);

  /**
   * Sets the value of a key. All that one message changes, keys and values, has at most 4 times the
   * bytes of {@code maxMessageBytes}.
   *
   * @param value not null
   */
  void put(String key, V value);

  /** Removes the value of a key if there is one. */
  void remove(String key);
}
