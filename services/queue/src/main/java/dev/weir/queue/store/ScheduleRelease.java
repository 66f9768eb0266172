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
    long end;
    long most;
    state.lock();
    try {
      if (state.closed) {
        return CompletableFuture.failedFuture(state.limits.failure(Reason.CLOSED));
      }
      end = state.dispatcher.releasePackets();
      most = state.deferred.scheduled();
    } finally {
      state.unlock();
    }
    CompletableFuture<Long> done = new CompletableFuture<>();
    submit(() -> packets(end), done).thenRun(() -> next(0, most, done));
    return done;
  }

  private CompletableFuture<Void> submit(Runnable work, CompletableFuture<Long> done) {
    return store
        .tasks()
        .<Void>submit(
            () -> {
              work.run();
              return null;
            })
        .whenComplete(
            (ignored, failure) -> {
              if (failure != null) {
                done.completeExceptionally(failure);
              }
            });
  }

  private void next(long released, long most, CompletableFuture<Long> done) {
    submit(() -> part(released, most, done), done);
  }

  /** Those that come out of a packet from now on are not delayed, also after a restart. */
  private void packets(long endSequence) {
    if (store.fault() != null) {
      throw state.limits.failure(store.fault());
    }
    try {
      table.releaseBefore(endSequence);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private QueueException failed(RuntimeException cause) {
    return new QueueException(
        store.files().reason(cause), "release failed: " + JeFiles.firstLine(cause), cause);
  }

  private void part(long released, long most, CompletableFuture<Long> done) {
    if (store.fault() != null) {
      throw state.limits.failure(store.fault());
    }
    if (state.locked(() -> state.closed)) {
      // What is on its way to the disk may stay where it is.
      throw state.limits.failure(Reason.CLOSED);
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
      throw failed(e);
    }
  }
}
