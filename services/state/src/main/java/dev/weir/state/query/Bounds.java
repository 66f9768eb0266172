package dev.weir.state.query;

import java.util.Arrays;

/**
 * A part of an index.
 *
 * @param from the first entry
 * @param to behind the last entry
 * @param exact whether it is the entries of one value
 */
public record Bounds(byte[] from, byte[] to, boolean exact) {
  /** The least bytes that are more than all that begin with these; these do not end with 255. */
  static byte[] behind(byte[] prefix) {
    byte[] behind = prefix;
    int last = prefix.length - 1;
    while (last > 0 && prefix[last] == (byte) 0xff) {
      last--;
    }
    behind = Arrays.copyOf(prefix, last + 1);
    behind[last]++;
    return behind;
  }

  /** All that begins with these bytes. */
  public static Bounds of(byte[] prefix) {
    return new Bounds(prefix, behind(prefix), false);
  }

  /** What is in both parts. */
  Bounds and(Bounds other) {
    byte[] start = Arrays.compareUnsigned(from, other.from) >= 0 ? from : other.from;
    byte[] end = Arrays.compareUnsigned(to, other.to) <= 0 ? to : other.to;
    return new Bounds(start, end, exact || other.exact);
  }

  /** What is in either part, and what is between them. */
  Bounds or(Bounds other) {
    byte[] start = Arrays.compareUnsigned(from, other.from) <= 0 ? from : other.from;
    byte[] end = Arrays.compareUnsigned(to, other.to) >= 0 ? to : other.to;
    return new Bounds(start, end, exact && other.exact && Arrays.equals(from, other.from));
  }

  /** Whether an entry is in the part. */
  boolean contains(byte[] entry) {
    return Arrays.compareUnsigned(entry, from) >= 0 && Arrays.compareUnsigned(entry, to) < 0;
  }
}
