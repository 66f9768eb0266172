package dev.weir.cluster.client;

import dev.weir.cluster.threads.Turn;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects items of any thread, and hands over all that have come meanwhile in one task. Items keep
 * the order in which they were added.
 */
final class TurnBatch<T> {
  private static final Logger LOG = LoggerFactory.getLogger(TurnBatch.class);

  private final Executor executor;
  private final Consumer<List<T>> handler;
  private List<T> items = new ArrayList<>();

  /**
   * @param executor runs the tasks, one after the other
   * @param handler called with at least one item
   */
  TurnBatch(Executor executor, Consumer<List<T>> handler) {
    this.executor = executor;
    this.handler = handler;
  }

  /**
   * Runs tasks of any thread on a context, all that have come meanwhile one after the other.
   *
   * @param turn gets as many of them at once as take no more than {@link Turn#MAX_NS}
   */
  static Executor turns(Context context, Consumer<Runnable> turn) {
    TurnBatch<Runnable> tasks =
        new TurnBatch<>(
            task -> context.runOnContext(v -> task.run()),
            ready -> {
              for (Iterator<Runnable> left = ready.iterator(); left.hasNext(); ) {
                turn.accept(() -> runSome(left));
              }
            });
    return tasks::add;
  }

  private static void runSome(Iterator<Runnable> left) {
    long startNs = System.nanoTime();
    do {
      run(left.next());
    } while (left.hasNext() && System.nanoTime() - startNs < Turn.MAX_NS);
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("a connection or a client did not do its work", e);
    }
  }

  /** Adds an item; any thread. */
  void add(T item) {
    boolean first;
    synchronized (this) {
      first = items.isEmpty();
      items.add(item);
    }
    if (first) {
      executor.execute(this::handle);
    }
  }

  private void handle() {
    List<T> ready;
    synchronized (this) {
      ready = items;
      items = new ArrayList<>();
    }
    handler.accept(ready);
  }
}
