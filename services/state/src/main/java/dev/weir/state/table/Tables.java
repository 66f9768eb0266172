package dev.weir.state.table;

import dev.weir.state.DocumentVersion;
import dev.weir.state.change.State;
import java.util.List;
import java.util.function.Predicate;

/** The tables of one factory, as the threads of the store read them. */
public interface Tables {
  /** The state of a key that is not in memory. */
  State get(byte[] key);

  /**
   * A version of a document that is kept. It takes no locks: the caller asks for a version that is
   * committed.
   *
   * @return null if there is none
   */
  default State version(byte[] key, long version) {
    return null;
  }

  /** The kept versions of a document up to one that is committed, the newest first. */
  default List<DocumentVersion> versions(byte[] key, long last) {
    return List.of();
  }

  /** The log of changes; null if the factory has none. */
  default ChangeLog changes() {
    return null;
  }

  /**
   * Visits entries of the index, in their order or from the last to the first.
   *
   * @param visitor false to end
   */
  void scanIndex(Range range, Predicate<byte[]> visitor);

  /** Visits the keys of the documents like {@link #scanIndex}. */
  void scanKeys(Range range, Predicate<byte[]> visitor);
}
