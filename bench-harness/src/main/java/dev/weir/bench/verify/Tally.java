package dev.weir.bench.verify;

/**
 * The counts that a verdict is based on.
 *
 * @param expected operations asked for
 * @param sent operations handed to the target
 * @param received operations that came back, each counted once, whatever the outcome
 * @param refused of the received: refused by a limit
 * @param failed of the received: timed out, broken, or refused for another reason
 * @param corrupt came back with other content, or with a number that was never sent
 * @param duplicates further replies to an operation that had one
 * @param orderBreaks replies that came after one to a later operation, where order is promised
 * @param firstFailure the cause of the first failure, or null
 */
public record Tally(
    long expected,
    long sent,
    long received,
    long refused,
    long failed,
    long corrupt,
    long duplicates,
    long orderBreaks,
    String firstFailure) {

  /** The counts of operations of which none was refused by a limit. */
  public Tally(
      long expected,
      long sent,
      long received,
      long failed,
      long corrupt,
      long duplicates,
      long orderBreaks,
      String firstFailure) {
    this(expected, sent, received, 0, failed, corrupt, duplicates, orderBreaks, firstFailure);
  }

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
        refused + other.refused,
        failed + other.failed,
        corrupt + other.corrupt,
        duplicates + other.duplicates,
        orderBreaks + other.orderBreaks,
        firstFailure == null ? other.firstFailure : firstFailure);
  }

  /** Operations that came back as they should. */
  public long good() {
    return Math.max(0, received - refused - failed - corrupt);
  }

  /** OK, or each count that is not as it should be. */
  public Verdict verdict() {
    return verdict(Verdict.Kind.FAIL);
  }

  /** The same, with a kind of finding for operations that a limit refused. */
  public Verdict verdict(Verdict.Kind ofRefusals) {
    String cause = firstFailure == null ? "" : " (first: " + firstFailure + ")";
    return Verdict.ok()
        .unless(sent == expected, "sent " + sent + " of " + expected)
        .unless(received == sent, "lost " + (sent - received))
        .unless(refused == 0, ofRefusals, "refused by a limit " + refused)
        .unless(failed == 0, "failed " + failed + cause)
        .unless(corrupt == 0, "corrupt " + corrupt)
        .unless(duplicates == 0, "duplicates " + duplicates)
        .unless(orderBreaks == 0, "out of order " + orderBreaks);
  }
}
