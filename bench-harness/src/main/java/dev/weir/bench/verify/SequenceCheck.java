package dev.weir.bench.verify;

/**
 * Finds loss, duplicates and order breaks in the numbers 0 to {@code size - 1}. Constant time and
 * no allocation per number, one bit of memory for each. Not thread-safe.
 */
public final class SequenceCheck {
  private static final int BITS_PER_WORD_LOG2 = 6;

  private final long size;
  private final boolean ordered;
  private final long[] seen;
  private long highest = -1;
  private long distinct;
  private long duplicates;
  private long orderBreaks;
  private long unknown;

  private SequenceCheck(long size, boolean ordered) {
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1: " + size);
    }
    this.size = size;
    this.ordered = ordered;
    this.seen = new long[Math.toIntExact(((size - 1) >> BITS_PER_WORD_LOG2) + 1)];
  }

  /** Numbers must rise; one that comes after a higher one is an order break. */
  public static SequenceCheck ordered(long size) {
    return new SequenceCheck(size, true);
  }

  /** Numbers may come in any order. */
  public static SequenceCheck unordered(long size) {
    return new SequenceCheck(size, false);
  }

  /**
   * Takes the next number.
   *
   * @return true if it is in range and new
   */
  public boolean accept(long number) {
    if (number < 0 || number >= size) {
      unknown++;
      return false;
    }
    int word = (int) (number >> BITS_PER_WORD_LOG2);
    long bit = 1L << number;
    if ((seen[word] & bit) != 0) {
      duplicates++;
      return false;
    }
    seen[word] |= bit;
    distinct++;
    noteOrder(number);
    return true;
  }

  private void noteOrder(long number) {
    if (number > highest) {
      highest = number;
    } else if (ordered) {
      orderBreaks++;
    }
  }

  /** How many different numbers came. */
  public long distinct() {
    return distinct;
  }

  /** How many did not come, so far. */
  public long missing() {
    return size - distinct;
  }

  /** How many numbers came a further time. */
  public long duplicates() {
    return duplicates;
  }

  /** How many came after a higher one; always 0 when unordered. */
  public long orderBreaks() {
    return orderBreaks;
  }

  /** How many were out of range. */
  public long unknown() {
    return unknown;
  }

  /** OK when every number came, once, and in order if that is asked. */
  public Verdict verdict() {
    return verdict(size);
  }

  /** OK when each number below this one came, and no other: of the size only a part was sent. */
  public Verdict verdict(long sent) {
    return verdict(sent, sent);
  }

  /** OK when all numbers but so many came, once, and in order if that is asked. */
  public Verdict verdictWithout(long refused) {
    return verdict(size, size - refused)
        .unless(
            distinct <= size - refused,
            "came although it was refused: " + (distinct - size + refused));
  }

  private Verdict verdict(long sent, long accepted) {
    return Verdict.ok()
        .unless(distinct >= accepted, "lost " + (accepted - distinct))
        .unless(highest < sent, "a number that was not sent: " + highest)
        .unless(duplicates == 0, "duplicates " + duplicates)
        .unless(orderBreaks == 0, "out of order " + orderBreaks)
        .unless(unknown == 0, "unknown numbers " + unknown);
  }
}
