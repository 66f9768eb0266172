package dev.weir.state.table;

import dev.weir.state.change.LoggedChange;
import java.util.function.Predicate;

/** The log of the changes of a factory; any thread that nobody interrupts. */
public interface ChangeLog {
  /** The position behind which all changes are there. It only grows. */
  long floor();

  /** Whether there is a change at a position. */
  boolean has(long position);

  /**
   * Visits changes in the order of their positions. Changes that are being deleted may be missing:
   * compare {@link #floor()} afterwards.
   *
   * @param after behind this position
   * @param last up to this one
   * @param visitor false to end
   */
  void scan(long after, long last, Predicate<LoggedChange> visitor);
}
