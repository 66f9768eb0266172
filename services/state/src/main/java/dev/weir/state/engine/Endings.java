package dev.weir.state.engine;

import dev.weir.options.ByteBudget;
import dev.weir.state.DocumentException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ends of operations of one turn of a thread, told when the turn is over: those of one executor
 * in one task, because a task for each costs more than the operation. For one thread.
 */
final class Endings {
  private static final Logger LOG = LoggerFactory.getLogger(Endings.class);

  private record Ending(Completion completion, Outcome outcome, DocumentException failure) {
    void tell() {
      completion.end(outcome, failure);
    }
  }

  private final ByteBudget budget;
  private final Map<Executor, List<Ending>> byExecutor = new IdentityHashMap<>();
  private Executor lastExecutor;
  private List<Ending> last;
  private long heldBytes;

  /**
   * @param budget what the operations hold of it is given back before their ends are told
   */
  Endings(ByteBudget budget) {
    this.budget = budget;
  }

  void succeed(Task task, Outcome outcome) {
    add(task, outcome, null);
  }

  void fail(Task task, DocumentException failure) {
    add(task, null, failure);
  }

  /** Gives back bytes that were held for an operation beside those of its task. */
  void give(long bytes) {
    heldBytes += bytes;
  }

  private void add(Task task, Outcome outcome, DocumentException failure) {
    heldBytes += task.heldBytes();
    task.factory.ended(failure != null);
    Executor executor = task.completion.executor();
    if (last == null || executor != lastExecutor) {
      last = byExecutor.computeIfAbsent(executor, absent -> new ArrayList<>());
      lastExecutor = executor;
    }
    last.add(new Ending(task.completion, outcome, failure));
  }

  /** Tells all ends. */
  void flush() {
    if (heldBytes > 0) {
      budget.give(heldBytes);
      heldBytes = 0;
    }
    if (last == null) {
      return;
    }
    byExecutor.forEach(Endings::tell);
    byExecutor.clear();
    last = null;
    lastExecutor = null;
  }

  private static void tell(Executor executor, List<Ending> endings) {
    if (executor == null) {
      endings.forEach(Ending::tell);
    } else {
      try {
        executor.execute(() -> endings.forEach(Ending::tell));
      } catch (RejectedExecutionException e) {
        LOG.debug("nobody is left to be told of {} operations", endings.size());
      }
    }
  }
}
