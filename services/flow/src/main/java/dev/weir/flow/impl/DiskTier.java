package dev.weir.flow.impl;

import dev.weir.flow.BackupStatus;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.WeirOptions;
import dev.weir.options.HeapBudget;
import dev.weir.options.UserFailure;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.Progress;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStore;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.QueueSummary;
import dev.weir.queue.RetryOptions;
import dev.weir.queue.StoreStats;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The store in the data directory, shared by the disk tiers of all services of a Weir. Opened with
 * the first queue, on a thread of its own that nobody interrupts. Any thread.
 */
final class DiskTier {
  private final WeirOptions options;
  private final Bodies bodies;
  private final HeapBudget heap;
  private final ExecutorService blocking =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "weir-blocking"));

  /** Null before the first queue is opened. */
  private volatile QueueStore store;

  /** The backup that runs or has run last; null before the first. */
  private volatile BackupStatus backup;

  DiskTier(WeirOptions options, Bodies bodies, HeapBudget heap) {
    this.options = options;
    this.bodies = bodies;
    this.heap = heap;
  }

  /** Whether a service with these options has a queue on disk. */
  boolean serves(ServiceOptions service) {
    return options.getDirectory() != null && service.getDiskBytes() > 0;
  }

  /** Opens the queue of a service; completes with null if the service has no disk tier. */
  Future<DurableQueue<Envelope>> open(String address, ServiceOptions service) {
    return serves(service) ? call(() -> openQueue(address, service)) : Future.succeededFuture();
  }

  private DurableQueue<Envelope> openQueue(String address, ServiceOptions service) {
    if (store == null) {
      store = QueueStore.open(storeOptions());
    }
    return store.queue(address, new EnvelopeSerde(bodies), queueOptions(service), DiskTier::lost);
  }

  private QueueStoreOptions storeOptions() {
    return new QueueStoreOptions(Path.of(options.getDirectory()))
        .setCacheBytes(cacheBytes())
        .setBufferBudget(heap.share(HeapBudget.Share.QUEUE_BUFFERS))
        .setLogFileBytes(options.getLogFileBytes())
        .setMinFreeBytes(options.getMinFreeBytes())
        .setPacketBytes(options.getPacketBytes())
        .setSegmentThresholdBytes(options.getSegmentThresholdBytes())
        .setAckFlushMs(options.getAckFlushMs());
  }

  private long cacheBytes() {
    long share = heap.share(HeapBudget.Share.STORE_CACHE).limitBytes();
    return Math.max(QueueStoreOptions.MIN_CACHE_BYTES, Math.min(options.getCacheBytes(), share));
  }

  private QueueOptions queueOptions(ServiceOptions service) {
    return new QueueOptions()
        .setMaxBytes(service.getDiskBytes())
        .setWriteBufferBytes(service.getWriteBufferBytes())
        .setMaxMessageBytes(Math.min(service.getMaxMessageBytes(), heap.maxMessageBytes()))
        .setPolicy(service.getPolicy())
        .setOrder(service.getOrder())
        .setWriteThrough(service.isWriteThrough())
        .setDedupMaxIds(service.getDedupMaxIds())
        .setDedupWindowMs(service.getDedupWindowMs())
        .setDeadLetters(service.getDeadLetters())
        .setRetry(
            RetryOptions.exponential(
                service.getMaxAttempts(), service.getBackoffMs(), service.getMaxBackoffMs()));
  }

  /** Fails a request that the queue gave up; {@code attachment} is null for a one-way message. */
  private static void lost(Object attachment, Reason reason) {
    if (attachment != null) {
      ((Requester) attachment).fail(Failures.of(reason), "the request was lost: " + reason);
    }
  }

  /** Null before the first queue is opened. Asks the file system. */
  StoreStats stats() {
    QueueStore open = store;
    return open == null ? null : open.stats();
  }

  /** Copies the store while it is in use, on a thread of its own. */
  synchronized Future<Long> backup(Path target) {
    QueueStore open = store;
    if (open == null) {
      return Future.failedFuture(
          new IllegalStateException("there is nothing to copy: no service has a disk tier"));
    }
    if (backup != null && backup.running()) {
      return Future.failedFuture(
          new IllegalStateException("a backup to " + backup.target() + " runs"));
    }
    backup = new BackupStatus(target, 0, 0, true, null);
    Progress progress =
        new Progress() {
          @Override
          public void bytes(long done, long total) {
            backup = new BackupStatus(target, done, total, true, null);
          }
        };
    return call(
            task -> new Thread(task, "weir-backup").start(), () -> open.backup(target, progress))
        .andThen(ended -> backup = ended(backup, ended.cause()));
  }

  static BackupStatus ended(BackupStatus last, Throwable failure) {
    return new BackupStatus(
        last.target(),
        last.doneBytes(),
        last.totalBytes(),
        false,
        failure == null ? null : UserFailure.message(failure));
  }

  /** What the queues hold that no service has open. */
  Future<List<QueueSummary>> closedQueues() {
    return call(() -> store == null ? List.of() : store.closedQueues());
  }

  /** Deletes a queue that no service has open. */
  Future<QueueSummary> deleteQueue(String name) {
    return call(
        () -> {
          if (store == null) {
            throw new IllegalArgumentException("no service has a disk tier, so there is no queue");
          }
          return store.deleteQueue(name);
        });
  }

  BackupStatus backupStatus() {
    return backup;
  }

  /** Runs an action that waits for the disk. */
  Future<Void> run(Runnable action) {
    return call(
        () -> {
          action.run();
          return null;
        });
  }

  private <V> Future<V> call(Supplier<V> action) {
    return call(blocking, action);
  }

  static <V> Future<V> call(Executor executor, Supplier<V> action) {
    Promise<V> promise = Promise.promise();
    try {
      executor.execute(
          () -> {
            V result;
            try {
              result = action.get();
            } catch (Throwable e) {
              promise.fail(e);
              return;
            }
            promise.complete(result);
          });
    } catch (Throwable e) {
      // There is no thread for it, most likely.
      promise.fail(e);
    }
    return promise.future();
  }

  /** Closes the store and ends the thread. No queue may be opened afterwards. */
  Future<Void> close() {
    return run(() -> {
          if (store != null) {
            store.close();
          }
        })
        .eventually(
            () -> {
              blocking.shutdown();
              return Future.succeededFuture();
            });
  }
}
