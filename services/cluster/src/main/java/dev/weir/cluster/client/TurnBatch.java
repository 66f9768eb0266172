package dev.weir.cluster.client;

import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Collects items of any thread, and hands over all that have come meanwhile in one task of a Vert.x
 * context. Items keep the order in which they were added.
 */
final class TurnBatch<T> {
  private final Context context;
  private final Consumer<List<T>> handler;
  private List<T> items = new ArrayList<>();

  /**
   * @param handler called on the context with at least one item
   */
  TurnBatch(Context context, Consumer<List<T>> handler) {
    this.context = context;
    this.handler = handler;
  }

  /** Adds an item; any thread. */
  void add(T item) {
    boolean first;
    synchronized (this) {
      first = items.isEmpty();
      items.add(item);
    }
    if (first) {
      context.runOnContext(v -> handle());
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
