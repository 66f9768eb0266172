package dev.weir.flow;

import dev.weir.queue.DeadLetter;
import dev.weir.queue.DeadLetters;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The durable messages of a service whose attempts are used up. All methods may be called from any
 * thread and do not block; a future fails with a {@link dev.weir.queue.QueueException} if the store
 * cannot do it. A service without a disk tier has none.
 */
public final class ServiceDeadLetters {

  /**
   * A message that was given up.
   *
   * @param number its place among the dead letters
   * @param body null if the message had none, or it cannot be read
   * @param headers not null
   * @param reason why its last attempt failed
   * @param deliveries how often it was delivered
   * @param firstAttemptMs when the first failed attempt ended, ms since 1970
   * @param lastAttemptMs when the last failed attempt ended, ms since 1970
   */
  public record Letter(
      long number,
      Object body,
      MultiMap headers,
      String reason,
      int deliveries,
      long firstAttemptMs,
      long lastAttemptMs) {}

  private final Vertx vertx;

  /** Null without a disk tier. */
  private final DeadLetters<Envelope> letters;

  ServiceDeadLetters(Vertx vertx, DeadLetters<Envelope> letters) {
    this.vertx = vertx;
    this.letters = letters;
  }

  /** How many there are. */
  public long count() {
    return letters == null ? 0 : letters.count();
  }

  /**
   * Lists them, oldest first.
   *
   * @param fromNumber the smallest number to list
   * @param max how many at most, 1 to {@value DeadLetters#MAX_LIST}
   */
  public Future<List<Letter>> list(long fromNumber, int max) {
    return call(
        List.of(),
        () -> letters.list(fromNumber, max).stream().map(ServiceDeadLetters::letter).toList());
  }

  private static Letter letter(DeadLetter<Envelope> dead) {
    Envelope envelope = dead.message();
    return new Letter(
        dead.number(),
        envelope == null ? null : envelope.decodeBody(),
        envelope == null ? MultiMap.caseInsensitiveMultiMap() : envelope.decodeHeaders(),
        dead.reason(),
        dead.deliveries(),
        dead.firstAttemptMs(),
        dead.lastAttemptMs());
  }

  /** Has one handled again, in front of what waits; false if there is none of this number. */
  public Future<Boolean> requeue(long number) {
    return call(false, () -> letters.requeue(number));
  }

  /** Has all handled again; completes with their number. */
  public Future<Long> requeueAll() {
    return call(0L, letters == null ? null : letters::requeueAll);
  }

  /** Removes one for good; false if there is none of this number. */
  public Future<Boolean> purge(long number) {
    return call(false, () -> letters.purge(number));
  }

  /** Removes all for good; completes with their number. */
  public Future<Long> purgeAll() {
    return call(0L, letters == null ? null : letters::purgeAll);
  }

  private <V> Future<V> call(V none, Callable<V> work) {
    return letters == null ? Future.succeededFuture(none) : vertx.executeBlocking(work, false);
  }
}
