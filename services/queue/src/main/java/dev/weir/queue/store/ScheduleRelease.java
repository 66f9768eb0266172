package dev.weir.queue.store;

import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.ScheduleTable;
import dev.weir.queue.line.DeferredKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Delivers the messages of a queue at once that wait for a time. The writer thread gives them
 * another time part by part, between its transactions.
 *
 * @param <T> the message type
 */
final class ScheduleRelease<T> {
  private final StoreEngine store;
  private final QueueState<T> state;
  private final ScheduleTable table;

  ScheduleRelease(StoreEngine store, String queue, QueueState<T> state) {
    this.store = store;
    this.state = state;
    this.table = new ScheduleTable(store.files(), queue);
  }

  /** See {@link dev.weir.queue.DurableQueue#releaseScheduled}. */
  CompletableFuture<Long> start() {
    long most = state.locked(() -> state.closed ? -1 : state.deferred.scheduled());
    if (most < 0) {
      return CompletableFuture.failedFuture(state.limits.failure(Reason.CLOSED));
    }
    CompletableFuture<Long> done = new CompletableFuture<>();
    next(0, most, done);
    return done;
  }

  private void next(long released, long most, CompletableFuture<Long> done) {
    store
        .tasks()
        .submit(
            () -> {
              part(released, most, done);
              return null;
            })
        .whenComplete(
            (ignored, failure) -> {
              if (failure != null) {
                done.completeExceptionally(failure);
              }
            });
  }

  private void part(long released, long most, CompletableFuture<Long> done) {
    if (store.fault() != null) {
      throw state.limits.failure(store.fault());
    }
    if (released == 0 && most > 0 && state.locked(state.deferred::wantsWrite)) {
      // Some are on their way to the disk: after the next transaction.
      next(0, most, done);
      return;
    }
    List<DeferredKey> part = part();
    long all = released + part.size();
    if (part.isEmpty() || all >= most) {
      done.complete(all);
    } else {
      next(all, most, done);
    }
  }

  private List<DeferredKey> part() {
    long dueMs = state.locked(() -> state.deferred.soonMs(state.nowMs()));
    try {
      List<DeferredKey> part = table.releasePart(dueMs);
      state.changeAndSignal(() -> part.forEach(key -> state.deferred.rescheduled(key)));
      return part;
    } catch (RuntimeException e) {
      throw new QueueException(
          store.files().reason(e), "release failed: " + JeFiles.firstLine(e), e);
    }
  }
}
