package dev.weir.flow.impl;

import dev.weir.flow.ServiceWaitingMessages;
import dev.weir.options.Checks;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.QueueStats;
import dev.weir.queue.WaitingMessage;
import dev.weir.queue.WaitingMessages.Deletion;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.Callable;

/** The waiting messages of a service's queue, as their handler would see them. */
final class StoredWaitingMessages implements ServiceWaitingMessages {
  private final Vertx vertx;
  private final String address;

  /** Null without a disk tier. */
  private final DurableQueue<Envelope> queue;

  StoredWaitingMessages(Vertx vertx, String address, DurableQueue<Envelope> queue) {
    this.vertx = vertx;
    this.address = address;
    this.queue = queue;
  }

  @Override
  public long count() {
    QueueStats stats = queue == null ? QueueStats.NONE : queue.stats();
    return stats.waiting() + stats.scheduled();
  }

  @Override
  public Future<List<Waiting>> list(long fromSequence, int max) {
    return call(
        List.of(),
        () -> queue.waitingMessages().list(fromSequence, max).stream().map(this::waiting).toList());
  }

  @Override
  public Future<Waiting> find(String id) {
    Checks.notNull("id", id);
    return call(
        null,
        () -> {
          WaitingMessage<Envelope> found = generated(id);
          return found != null
              ? waiting(found)
              : queue.waitingMessages().find(id).map(this::waiting).orElse(null);
        });
  }

  /** The message to whose sequence a generated id belongs; null if there is none. */
  private WaitingMessage<Envelope> generated(String id) {
    long sequence = DurableSends.sequenceOf(address, id);
    return sequence < 0
        ? null
        : queue
            .waitingMessages()
            .read(sequence)
            .filter(message -> message.options().id() == null)
            .orElse(null);
  }

  private Waiting waiting(WaitingMessage<Envelope> message) {
    Envelope envelope = message.message();
    String id = message.options().id();
    return new Waiting(
        message.sequence(),
        id == null ? DurableSends.generatedId(address, message.sequence()) : id,
        message.options().key(),
        message.state(),
        envelope == null ? null : envelope.bodyToShow(),
        envelope == null ? MultiMap.caseInsensitiveMultiMap() : envelope.decodeHeaders(),
        !message.isTransient(),
        message.deliveries(),
        message.reason(),
        envelope == null ? 0 : envelope.acceptedAtMs,
        message.dueAtMs());
  }

  @Override
  public Future<Deletion> delete(long sequence) {
    return call(Deletion.NOT_FOUND, () -> queue.waitingMessages().delete(sequence));
  }

  private <V> Future<V> call(V none, Callable<V> work) {
    return queue == null ? Future.succeededFuture(none) : vertx.executeBlocking(work, false);
  }
}
