package dev.weir.state.engine;

import dev.weir.state.DocumentException;
import dev.weir.state.change.Change;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.change.State;

/**
 * What the commit thread gets for one operation: a change, or the end of an operation that changes
 * nothing and was decided on what is not committed yet.
 */
final class Item {
  final Entry entry;
  final FactoryCore factory;

  /** Null if nothing is changed. */
  final Change change;

  /** The state after the change. */
  final State after;

  /** Documents more after the change than before: 1, 0 or -1. */
  int added;

  /** What the log of changes gets; null if the factory has none. Used by one thread at a time. */
  LoggedChange logged;

  /** Null if the operation was acknowledged before. */
  private final Task task;

  private final Outcome outcome;
  private final DocumentException refusal;

  /** What the item counts for in the budget of operations under way. */
  final long heldBytes;

  /** What of {@link #heldBytes} counts as {@link HeapShares#outgrown}. */
  long outgrownBytes;

  private Item(
      Entry entry,
      FactoryCore factory,
      Change change,
      State after,
      Task task,
      Outcome outcome,
      DocumentException refusal) {
    this.entry = entry;
    this.factory = factory;
    this.change = change;
    this.after = after;
    this.task = task;
    this.outcome = outcome;
    this.refusal = refusal;
    this.heldBytes = change == null ? 0 : change.heapBytes();
  }

  /**
   * A change.
   *
   * @param task null if it is acknowledged already
   */
  static Item change(
      Entry entry, FactoryCore factory, Change change, State after, Task task, Outcome outcome) {
    return new Item(entry, factory, change, after, task, outcome, null);
  }

  /** An operation that succeeds without a change once what is before it is committed. */
  static Item answer(Entry entry, Task task, Outcome outcome) {
    return new Item(entry, task.factory, null, null, task, outcome, null);
  }

  /** An operation that fails once what is before it is committed. */
  static Item refusal(Entry entry, Task task, DocumentException refusal) {
    return new Item(entry, task.factory, null, null, task, null, refusal);
  }

  /**
   * The commit thread has it. A change of a factory with a commit interval is read from now on: all
   * that is decided afterwards is committed with it or after it.
   */
  void handedOver() {
    if (change != null && staysAfterFailure()) {
      entry.published = after;
    }
  }

  /** All that is before it, and its own change, is committed. */
  void committed(Endings endings) {
    giveBack(endings);
    if (task != null) {
      if (change != null && !staysAfterFailure()) {
        entry.published = after;
      }
      if (refusal != null) {
        endings.fail(task, refusal);
      } else {
        endings.succeed(task, outcome);
      }
    }
    factory.added(added);
    entry.end();
  }

  /** Its change, or what it was decided on, is not committed. */
  void failed(DocumentException failure, Endings endings) {
    entry.dead = true;
    giveBack(endings);
    if (task != null) {
      endings.fail(task, failure);
    }
    entry.end();
  }

  private void giveBack(Endings endings) {
    if (task == null) {
      endings.give(this);
    } else {
      task.resultBytes += heldBytes;
      task.outgrownBytes += outgrownBytes;
    }
  }

  /** Whether the item is tried again after a failed commit: what is read already rests on it. */
  boolean staysAfterFailure() {
    return factory.commitIntervalNs > 0;
  }

  /** Whether somebody waits for the commit. */
  boolean isUrgent() {
    return task != null;
  }
}
