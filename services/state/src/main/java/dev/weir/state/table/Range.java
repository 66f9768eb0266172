package dev.weir.state.table;

import dev.weir.state.query.Bounds;
import java.util.Arrays;

/**
 * A part of a table.
 *
 * @param from the first key; empty for the first of the table
 * @param to behind the last key; null for the end of the table
 * @param descending whether the last key comes first
 */
public record Range(byte[] from, byte[] to, boolean descending) {
  /**
   * What is left of a part of an index behind an entry.
   *
   * @param bounds null for all entries
   * @param last the entry that was looked at last; null before the first one
   */
  public static Range behind(Bounds bounds, byte[] last, boolean descending) {
    byte[] from = bounds == null ? new byte[0] : bounds.from();
    byte[] to = bounds == null ? null : bounds.to();
    if (last != null && descending) {
      to = to == null || Arrays.compareUnsigned(last, to) < 0 ? last : to;
    } else if (last != null && Arrays.compareUnsigned(last, from) >= 0) {
      from = Arrays.copyOf(last, last.length + 1);
    }
    return new Range(from, to, descending);
  }

  /** Whether a key is in it. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(key, from) >= 0
        && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }
}
