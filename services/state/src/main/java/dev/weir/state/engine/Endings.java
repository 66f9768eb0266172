package dev.weir.state.engine;

import dev.weir.options.HeapExhaustion;
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

  private record Ending(Task task, Outcome outcome, DocumentException failure) {
    /** Ends quietly whatever is thrown: the other endings and the store's thread go on. */
    void tell() {
      try {
        task.completion.end(outcome, failure);
      } catch (Throwable e) {
        HeapExhaustion.report(e);
        LOG.error("the caller of an operation cannot be told of its end", e);
      }
    }
  }

  private final HeapShares heap;
  private final Map<Executor, List<Ending>> byExecutor = new IdentityHashMap<>();
  private Executor lastExecutor;
  private List<Ending> last;
  private long heldBytes;
  private long outgrownBytes;

  /**
   * @param heap what the operations hold of it is given back before their ends are told; what was
   *     read or made for them, when their executor takes it
   */
  Endings(HeapShares heap) {
    this.heap = heap;
  }

  void succeed(Task task, Outcome outcome) {
    add(task, outcome, null);
  }

  void fail(Task task, DocumentException failure) {
    add(task, null, failure);
  }

  /** Gives back what was made for an operation whose end is told already. */
  void give(Item item) {
    heldBytes += item.heldBytes;
    outgrownBytes += item.outgrownBytes;
  }

  private void add(Task task, Outcome outcome, DocumentException failure) {
    heldBytes += task.heldBytes();
    task.factory.ended(failure != null);
    Executor executor = task.completion.executor();
    if (last == null || executor != lastExecutor) {
      last = byExecutor.computeIfAbsent(executor, absent -> new ArrayList<>());
      lastExecutor = executor;
    }
    last.add(new Ending(task, outcome, failure));
  }

  /** Tells all ends. */
  void flush() {
    give(heldBytes, outgrownBytes);
    heldBytes = 0;
    outgrownBytes = 0;
    if (last == null) {
      return;
    }
    last = null;
    lastExecutor = null;
    try {
      byExecutor.forEach(this::tell);
    } finally {
      byExecutor.clear();
    }
  }

  private void tell(Executor executor, List<Ending> endings) {
    long bytes = 0;
    long outgrown = 0;
    for (Ending ending : endings) {
      bytes += ending.task.resultBytes;
      outgrown += ending.task.outgrownBytes;
    }
    if (executor == null) {
      give(bytes, outgrown);
      endings.forEach(Ending::tell);
    } else {
      tell(executor, endings, bytes, outgrown);
    }
  }

  private void tell(Executor executor, List<Ending> endings, long bytes, long outgrown) {
    try {
      executor.execute(
          () -> {
            give(bytes, outgrown);
            endings.forEach(Ending::tell);
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("nobody is left to be told of {} operations", endings.size());
      give(bytes, outgrown);
    }
  }

  private void give(long bytes, long outgrown) {
    if (bytes > 0) {
      heap.inFlight.give(bytes);
    }
    if (outgrown > 0) {
      heap.outgrown.give(outgrown);
    }
  }
}
