package dev.weir.bench.verify;

/**
 * The counts that a verdict is based on.
 *
 * @param expected operations asked for
 * @param sent operations handed to the target
 * @param received operations that came back, each counted once, whatever the outcome
 * @param failed of the received: refused, timed out or broken
 * @param corrupt came back with other content, or with a number that was never sent
 * @param duplicates further replies to an operation that had one
 * @param orderBreaks replies that came after one to a later operation, where order is promised
 * @param firstFailure the cause of the first failure, or null
 */
public record Tally(
    long expected,
    long sent,
    long received,
    long failed,
    long corrupt,
    long duplicates,
    long orderBreaks,
    String firstFailure) {

  /** All of them came back, intact. */
  public static Tally complete(long operations) {
    return new Tally(operations, operations, operations, 0, 0, 0, 0, null);
  }

  /** The sums of both; the first failure is that of this one if it has one. */
  public Tally plus(Tally other) {
    return new Tally(
        expected + other.expected,
        sent + other.sent,
        received + other.received,
        failed + other.failed,
        corrupt + other.corrupt,
        duplicates + other.duplicates,
        orderBreaks + other.orderBreaks,
        firstFailure == null ? other.firstFailure : firstFailure);
  }

  /** Operations that came back as they should. */
  public long good() {
    return Math.max(0, received - failed - corrupt);
  }

  /** OK, or each count that is not as it should be. */
  public Verdict verdict() {
    String cause = firstFailure == null ? "" : " (first: " + firstFailure + ")";
    return Verdict.ok()
        .unless(sent == expected, "sent " + sent + " of " + expected)
        .unless(received == sent, "lost " + (sent - received))
        .unless(failed == 0, "failed " + failed + cause)
        .unless(corrupt == 0, "corrupt " + corrupt)
        .unless(duplicates == 0, "duplicates " + duplicates)
        .unless(orderBreaks == 0, "out of order " + orderBreaks);
  }
}
