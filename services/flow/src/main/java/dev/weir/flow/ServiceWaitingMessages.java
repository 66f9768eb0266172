package dev.weir.flow;

import dev.weir.queue.WaitingMessage.State;
import dev.weir.queue.WaitingMessages;
import dev.weir.queue.WaitingMessages.Deletion;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import java.util.List;

/**
 * Lists, finds and deletes the messages of a running service that wait in its disk tier. Those of
 * the memory tier are not among them, nor those in handling. All methods may be called from any
 * thread and do not block; a future fails with a {@link dev.weir.queue.QueueException} if the store
 * cannot do it. A service without a disk tier has none.
 */
public interface ServiceWaitingMessages {

  /**
   * A message that waits.
   *
   * @param sequence its place in the queue
   * @param id the {@link ServiceMessage#id()} that the handler will see
   * @param key messages of this key keep their order; null for none
   * @param state what it waits for
   * @param body a copy; null if the message has none, or it cannot be read; a {@link
   *     io.vertx.core.buffer.Buffer} with its bytes if they cannot be decoded
   * @param headers not null
   * @param durable false for a request, which is of no use after a restart
   * @param deliveries how often it was delivered
   * @param reason why its last attempt failed; empty if none did
   * @param acceptedAtMs when the service took it, ms since 1970; 0 if that cannot be read
   * @param dueAtMs when a scheduled message is delivered, ms since 1970; 0 for others
   */
  record Waiting(
      long sequence,
      String id,
      String key,
      State state,
      Object body,
      MultiMap headers,
      boolean durable,
      int deliveries,
      String reason,
      long acceptedAtMs,
      long dueAtMs) {}

  /** How many there are, scheduled ones too. */
  long count();

  /**
   * Lists them by sequence. The service goes on meanwhile: what moves may be missing. The list ends
   * early when it holds some megabytes: only an empty one says that there are no more.
   *
   * @param fromSequence the smallest sequence to list
   * @param max how many at most, 1 to {@value WaitingMessages#MAX_LIST}
   */
  Future<List<Waiting>> list(long fromSequence, int max);

  /**
   * Finds a message by its id; completes with null if none of this id waits. An id that a sender
   * gave is searched for in all waiting messages, which takes long in a long queue.
   *
   * @param id not null
   */
  Future<Waiting> find(String id);

  /** Removes one for good, unless it is in handling. */
  Future<Deletion> delete(long sequence);
}
