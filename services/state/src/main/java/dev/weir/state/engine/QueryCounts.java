package dev.weir.state.engine;

import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.QueryStats;
import java.util.concurrent.atomic.LongAdder;

/** Counts queries by their outcome. Any thread. */
public final class QueryCounts {
  private final LongAdder completed = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder busy = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /**
   * A query has ended.
   *
   * @param failure null if it was answered
   */
  public void add(Throwable failure) {
    if (failure == null) {
      completed.increment();
    } else if (is(failure, DocumentFailure.BAD_REQUEST)) {
      refused.increment();
    } else if (is(failure, DocumentFailure.BUSY)) {
      busy.increment();
    } else {
      failed.increment();
    }
  }

  private static boolean is(Throwable failure, DocumentFailure expected) {
    return failure instanceof DocumentException refusal && refusal.failure() == expected;
  }

  public QueryStats stats() {
    return new QueryStats(completed.sum(), refused.sum(), busy.sum(), failed.sum());
  }
}
