package dev.weir.queue;

/**
 * Which earlier messages must be finished before a message is delivered. A delayed message takes
 * its position when its time has come.
 */
public enum DeliveryOrder {
  /** None. Deliveries start in order; a retry is overtaken by the messages behind it. */
  NONE,
  /**
   * The earlier messages of the same {@linkplain MessageOptions#key() key}, their retries included.
   * Other keys and messages without a key do not wait.
   */
  KEY,
  /** All earlier messages: the queue delivers one message at a time. */
  QUEUE
}
