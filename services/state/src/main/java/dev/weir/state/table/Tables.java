package dev.weir.state.table;

import dev.weir.state.change.State;
import java.util.function.Predicate;

/** The tables of one factory, as the threads of the store read them. */
public interface Tables {
  /** The state of a key that is not in memory. */
  State get(byte[] key);

  /**
   * Visits entries of the index, in their order or from the last to the first.
   *
   * @param visitor false to end
   */
  void scanIndex(Range range, Predicate<byte[]> visitor);

  /** Visits the keys of the documents like {@link #scanIndex}. */
  void scanKeys(Range range, Predicate<byte[]> visitor);
}
