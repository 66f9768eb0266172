package dev.weir.flow;

import dev.weir.queue.DeadLetters;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import java.util.List;

/**
 * The durable messages of a service whose attempts are used up. All methods may be called from any
 * thread and do not block; a future fails with a {@link dev.weir.queue.QueueException} if the store
 * cannot do it. A service without a disk tier has none.
 */
public interface ServiceDeadLetters {

  /**
   * A message that was given up.
   *
   * @param number its place among the dead letters
   * @param id the {@link ServiceMessage#id()} that the handler saw
   * @param key messages of this key keep their order; null for none
   * @param body null if the message had none, or it cannot be read; a {@link
   *     io.vertx.core.buffer.Buffer} with its bytes if they cannot be decoded: register the codec
   *     that the reason names, and requeue the message
   * @param decoded false if the body is only the bytes of one that cannot be decoded
   * @param headers not null
   * @param reason why its last attempt failed
   * @param deliveries how often it was delivered
   * @param firstAttemptMs when the first failed attempt ended, ms since 1970
   * @param lastAttemptMs when the last failed attempt ended, ms since 1970
   * @param diedAtMs when the message was given up, ms since 1970
   */
  record Letter(
      long number,
      String id,
      String key,
      Object body,
      boolean decoded,
      MultiMap headers,
      String reason,
      int deliveries,
      long firstAttemptMs,
      long lastAttemptMs,
      long diedAtMs) {}

  /** How many there are. */
  long count();

  /**
   * Lists them, oldest first. The list ends early when it holds some megabytes: only an empty one
   * says that there are no more.
   *
   * @param fromNumber the smallest number to list
   * @param max how many at most, 1 to {@value DeadLetters#MAX_LIST}
   */
  Future<List<Letter>> list(long fromNumber, int max);

  /**
   * The mark of now. Taken before a list, it covers no dead letter that the list may lack because
   * that came later.
   */
  Future<DeadLetters.Mark> mark();

  /** Has one handled again, in front of what waits; false if there is none of this number. */
  Future<Boolean> requeue(long number);

  /** Has all handled again; completes with their number. */
  Future<Long> requeueAll();

  /**
   * Has all handled again that a mark covers; completes with their number.
   *
   * @param upTo by {@link #mark}, not null; fails with IllegalArgumentException if the service was
   *     opened anew since
   */
  Future<Long> requeueAll(DeadLetters.Mark upTo);

  /** Removes one for good; false if there is none of this number. */
  Future<Boolean> purge(long number);

  /** Removes all for good; completes with their number. */
  Future<Long> purgeAll();

  /**
   * Removes all for good that a mark covers; completes with their number.
   *
   * @param upTo by {@link #mark}, not null; fails with IllegalArgumentException if the service was
   *     opened anew since
   */
  Future<Long> purgeAll(DeadLetters.Mark upTo);
}
