package dev.weir.queue.store;

import dev.weir.options.HeapExhaustion;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.DetachedTables;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.DeferredLoad;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Purges a queue. Messages in memory go at once. Packets on disk are dropped when they are read;
 * deferred messages on disk are deleted by the writer thread part by part, between its
 * transactions.
 *
 * @param <T> the message type
 */
final class QueuePurge<T> {
  private static final int RECORDS_PER_PART = 1000;

  private final StoreEngine store;
  private final String name;
  private final QueueState<T> state;

  QueuePurge(StoreEngine store, String name, QueueState<T> state) {
    this.store = store;
    this.name = name;
    this.state = state;
  }

  /** See {@link dev.weir.queue.DurableQueue#purge}. */
  CompletableFuture<Long> start() {
    Purges.Purge[] purge = new Purges.Purge[1];
    state.change(
        () -> {
          if (!state.closed) {
            purge[0] = state.purges.begin(state.dispatcher.purged());
            state.packets.purge();
            state.dispatcher.purgeCounted();
            state.dispatcher.settleAll(state.deferred.purge().begin());
          }
        });
    if (purge[0] == null) {
      return CompletableFuture.failedFuture(state.limits.failure(Reason.CLOSED));
    }
    store.tasks().run(() -> deletePart(purge[0]));
    return purge[0].done;
  }

  /** Deletes a part of the deferred messages and comes back until none is left. */
  private void deletePart(Purges.Purge purge) {
    try {
      // No move is being written now: this thread is the one that writes.
      DeferredLoad next = state.locked(this::nextPart);
      if (next == null) {
        state.changeAndSignal(
            () -> {
              state.deferred.purge().end();
              state.purges.endDeferred(purge);
            });
        return;
      }
      List<DeferredKey> deleted = DetachedTables.purge(store.files(), name, next);
      state.changeAndSignal(() -> state.deferred.purge().deleted(next, deleted));
      store.tasks().run(() -> deletePart(purge));
    } catch (RuntimeException | Error e) {
      // A purge that does not end would keep all deferred messages for ever.
      HeapExhaustion.report(e);
      state.changeAndSignal(
          () -> {
            state.deferred.purge().end();
            state.purges.remove(purge);
          });
      purge.done.completeExceptionally(
          new QueueException(store.files().reason(e), "purge failed: " + JeFiles.firstLine(e), e));
    }
  }

  private DeferredLoad nextPart() {
    state.dispatcher.settleAll(state.deferred.purge().takeArrived());
    return state.deferred.purge().nextPart(RECORDS_PER_PART);
  }

  /**
   * True while a purge would delete messages that are deferred now. Until its end, in another turn
   * of the writer thread, no move is written, and so no queue is closed.
   */
  boolean isRunning() {
    return state.locked(state.deferred.purge()::isRunning);
  }

  /** Blocks until the purges that run now are over, well or not. */
  void await() {
    state.locked(state.purges::running).forEach(purge -> purge.handle((n, failure) -> null).join());
  }
}
