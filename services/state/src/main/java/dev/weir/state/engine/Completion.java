package dev.weir.state.engine;

import dev.weir.state.DocumentException;

/** Told of the end of an operation, on any thread; must be quick, and not throw. */
public interface Completion {
  /**
   * The operation has ended; exactly one of the arguments is null.
   *
   * @param outcome of an operation that succeeded
   */
  void end(Outcome outcome, DocumentException failure);
}
