package dev.weir.state.engine;

import dev.weir.state.DocumentException;
import java.util.concurrent.Executor;

/** Told of the end of an operation; must be quick, and not throw. */
public interface Completion {
  /**
   * The operation has ended; exactly one of the arguments is null.
   *
   * @param outcome of an operation that succeeded
   */
  void end(Outcome outcome, DocumentException failure);

  /**
   * Where {@link #end} is best called; those of one executor are called together, in one task. Null
   * for any thread.
   */
  default Executor executor() {
    return null;
  }
}
