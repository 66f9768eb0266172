package dev.weir.cluster.replica;

import dev.weir.cluster.State;
import java.util.ArrayDeque;
import org.slf4j.LoggerFactory;

/**
 * Reads of the primary's state that wait until what they saw is committed, in the order of
 * positions. Under the group's lock.
 */
final class PendingReads {
  private final FailureLog failures;

  PendingReads(String group) {
    failures = new FailureLog(LoggerFactory.getLogger(PendingReads.class), group);
  }

  private record Read(long position, State.Reader reader) {}

  private final ArrayDeque<Read> reads = new ArrayDeque<>();

  /**
   * @param position behind the last message that the reader saw
   */
  void add(long position, State.Reader reader) {
    reads.add(new Read(position, reader));
  }

  /** Confirms the reads that saw nothing behind a position. */
  void confirm(long committed) {
    while (!reads.isEmpty() && reads.peek().position() <= committed) {
      call(reads.remove().reader()::onConfirmed);
    }
  }

  /** Ends all: the role is lost. */
  void lose() {
    while (!reads.isEmpty()) {
      call(reads.remove().reader()::onLost);
    }
  }

  private void call(Runnable reader) {
    try {
      reader.run();
    } catch (Throwable e) {
      failures.add("a reader of its state threw where it was told of its read", e);
    }
  }
}
