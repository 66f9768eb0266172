package dev.weir.gateway.http;

import java.util.function.IntUnaryOperator;

/** Estimates what JSON holds of the heap once it is decoded, from its text alone. */
public final class JsonSize {
  /** A shorter text is not looked at: the time would cost more than the room. */
  private static final int MIN_CHARS = 1 << 10;

  private static final int SHORT_FACTOR = 4;
  private static final int CONTAINER_BYTES = 64;
  private static final int ENTRY_BYTES = 64;
  private static final int ELEMENT_BYTES = 24;
  private static final int QUOTE_BYTES = 24;

  private JsonSize() {}

  /**
   * The bytes of the heap, an upper bound for the maps and lists of the JDK.
   *
   * @param at the byte or character at an index
   */
  public static long heapBytes(int length, IntUnaryOperator at) {
    if (length < MIN_CHARS) {
      return (long) SHORT_FACTOR * length;
    }
    long bytes = length;
    for (int i = 0; i < length; i++) {
      bytes +=
          switch (at.applyAsInt(i)) {
            case '{', '[' -> CONTAINER_BYTES;
            case ':' -> ENTRY_BYTES;
            case ',' -> ELEMENT_BYTES;
            case '"' -> QUOTE_BYTES;
            default -> 0;
          };
    }
    return bytes;
  }
}
