package dev.weir.state.table;

import java.util.Arrays;

/**
 * A part of a table.
 *
 * @param from the first key; empty for the first of the table
 * @param to behind the last key; null for the end of the table
 * @param descending whether the last key comes first
 */
public record Range(byte[] from, byte[] to, boolean descending) {
  /** Whether a key is in it. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(key, from) >= 0
        && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }
}
