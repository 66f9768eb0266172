package dev.weir.flow;

import io.vertx.core.Future;

/**
 * Takes messages of a service that is elsewhere, see {@link RemoteServices#consume}. All methods
 * may be called from any thread.
 */
public interface RemoteConsumer {
  /** The address of the service. */
  String address();

  /** How many owners of the service know it now; 0 while there is none, or none can be reached. */
  int owners();

  /** How many messages its handler has and has not finished. */
  int inHandling();

  /**
   * Closes it as {@link #close(long)} does, with {@link RemoteConsumerOptions#getDrainTimeoutMs}.
   */
  Future<Void> close();

  /**
   * Takes no more messages, lets those in handling come to an end, and goes. What is not finished
   * when the time is over goes to another consumer.
   *
   * @param drainTimeoutMs 0 or more
   * @return completes when it is gone; a second call gives the same result
   */
  Future<Void> close(long drainTimeoutMs);
}
