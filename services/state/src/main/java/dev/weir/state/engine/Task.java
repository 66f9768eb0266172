package dev.weir.state.engine;

import dev.weir.options.ByteBudget;
import dev.weir.state.DocumentException;
import dev.weir.state.change.Operation;

/** An operation under way; it ends once, on any thread. */
final class Task {
  /** Estimated heap of a task without the bytes of key and body. */
  private static final int OVERHEAD_BYTES = 300;

  final FactoryCore factory;
  final String key;
  final byte[] keyBytes;
  final Operation operation;
  final Completion completion;
  private final ByteBudget budget;

  /** What was read or made for the operation, and counts until its end is told. */
  long resultBytes;

  /** What of {@link #resultBytes} counts as {@link HeapShares#outgrown}. */
  long outgrownBytes;

  Task(
      FactoryCore factory,
      String key,
      byte[] keyBytes,
      Operation operation,
      Completion completion,
      ByteBudget budget) {
    this.factory = factory;
    this.key = key;
    this.keyBytes = keyBytes;
    this.operation = operation;
    this.completion = completion;
    this.budget = budget;
  }

  /** What the task counts for in the budget of operations under way. */
  long heldBytes() {
    return OVERHEAD_BYTES + keyBytes.length * 2L + operation.bodyBytes();
  }

  /** Ends it before a thread of the store has it. */
  void fail(DocumentException failure) {
    budget.give(heldBytes());
    factory.ended(true);
    completion.end(null, failure);
  }
}
