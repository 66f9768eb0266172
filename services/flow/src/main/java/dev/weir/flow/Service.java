package dev.weir.flow;

import dev.weir.queue.QueueStats;
import io.vertx.core.Future;
import java.util.List;

/** A running service. All methods may be called from any thread and do not block. */
public interface Service {
  /**
   * The address of the service of a higher priority of a service, such as orders.priority-1: see
   * {@link ServiceOptions#setPriorities}.
   *
   * @param priority 1 or more
   */
  static String priority(String address, int priority) {
    return address + ".priority-" + priority;
  }

  /** The event bus address it listens on. */
  String address();

  /** The options it was opened with; {@link #setWorkers} does not change them. */
  ServiceOptions options();

  /** True from the first call of {@link #close()} on. */
  boolean isClosing();

  /**
   * The class of bodies that its handlers take, as {@link Weir#serve(String, Class, ServiceOptions,
   * ServiceHandler)} says; null for handlers that take bodies of any class, or JSON as an object.
   */
  default Class<?> bodyType() {
    return null;
  }

  /**
   * Whether its handler {@linkplain ServiceHandler#answersRepeats answers repeats}, as that of a
   * group does that remembers ids. A gateway on this node then sends repetitions of a request with
   * a key on, also while the first one is under way, which may have gone to a node that is lost.
   */
  default boolean answersRepeats() {
    return false;
  }

  /** Figures of this moment. */
  ServiceStats stats();

  /** Figures of its disk tier at this moment; null if it has none, or it is not open yet. */
  QueueStats queueStats();

  /**
   * The consumers elsewhere that its messages go to, of a service of {@link Weir#remote()}; empty
   * for any other.
   */
  default List<RemoteConsumerStats> remoteConsumers() {
    return List.of();
  }

  /** The durable messages whose attempts are used up. */
  ServiceDeadLetters deadLetters();

  /** The messages in its disk tier that no handler has yet. */
  ServiceWaitingMessages waitingMessages();

  /**
   * Changes the number of workers. With fewer, messages in handling are finished; none is started
   * until enough have.
   *
   * @param workers 1 to 1,000,000
   * @return completes when the change is in force
   * @throws IllegalArgumentException if out of range
   */
  Future<Void> setWorkers(int workers);

  /** Starts no further message; new ones wait, within the limits. Completes when in force. */
  Future<Void> pause();

  /** Goes on after {@link #pause()}. Completes when in force. */
  Future<Void> resume();

  /**
   * Delivers all durable messages at once that wait for a time: delayed ones and retries. Completes
   * with their number; fails with a {@link dev.weir.queue.QueueException}.
   */
  Future<Long> releaseScheduled();

  /**
   * Closes the service as {@link #close(long)} does, with {@link
   * ServiceOptions#getDrainTimeoutMs()}.
   */
  Future<Void> close();

  /**
   * Takes no more messages, lets those in handling and those that wait come to an end, and closes.
   * When the time is over, requests that wait or are in handling fail with {@link
   * FlowFailure#SERVICE_CLOSED}, and what was accepted durably stays on disk for the next opening.
   * A paused service does not wait.
   *
   * <p>If other nodes of the bus serve the address too, this node is first taken out of those that
   * messages are sent to, and goes on to take messages until the others have heard of it: for half
   * a second, or for {@code drainTimeoutMs} if that is less; for 2 s at most if the cluster does
   * not answer. Durable sends are refused meanwhile. A service that a verticle has opened and not
   * closed is ended without that at undeployment.
   *
   * @param drainTimeoutMs 0 or more
   * @return completes when all is closed; a second call gives the same result
   */
  Future<Void> close(long drainTimeoutMs);
}
