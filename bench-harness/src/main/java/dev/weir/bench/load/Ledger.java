package dev.weir.bench.load;

import dev.weir.bench.verify.SequenceCheck;
import dev.weir.bench.verify.Tally;

/** The outcomes of one round. Not thread-safe: each loop protects it in its own way. */
final class Ledger {
  private final Load load;
  private final SequenceCheck sequence;
  private long sent;
  private long refused;
  private long failed;
  private long corrupt;
  private String firstFailure;

  Ledger(Load load) {
    this.load = load;
    this.sequence =
        load.ordered()
            ? SequenceCheck.ordered(load.operations())
            : SequenceCheck.unordered(load.operations());
  }

  long sent() {
    return sent;
  }

  void markSent() {
    sent++;
  }

  /** False for a duplicate or a number that was never sent: such a reply settles nothing. */
  boolean settle(long operation, long startTimeNs, Reply reply) {
    if (!sequence.accept(operation)) {
      return false;
    }
    if (reply == Reply.OK) {
      if (load.recording() != null) {
        load.recording().record(load.clock().nanoTime() - startTimeNs);
      }
    } else if (reply == Reply.CORRUPT) {
      corrupt++;
    } else if (reply == Reply.REFUSED) {
      refused++;
    } else {
      failed++;
    }
    return true;
  }

  void noteFailure(Throwable cause) {
    if (firstFailure == null) {
      firstFailure = String.valueOf(cause);
    }
  }

  long settled() {
    return sequence.distinct();
  }

  boolean complete() {
    return sequence.distinct() == load.operations();
  }

  Tally tally() {
    return new Tally(
        load.operations(),
        sent,
        sequence.distinct(),
        refused,
        failed,
        corrupt + sequence.unknown(),
        sequence.duplicates(),
        sequence.orderBreaks(),
        firstFailure);
  }
}
