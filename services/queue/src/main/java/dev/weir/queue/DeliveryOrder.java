package dev.weir.queue;

/** What a message has to wait for. Delayed messages take their place when their time has come. */
public enum DeliveryOrder {
  /** For nothing: messages start in order, a retry is overtaken by the messages behind it. */
  NONE,
  /**
   * For the message before it of the same {@linkplain MessageOptions#key() key} to be acknowledged
   * or dead-lettered, its retries included. Different keys, and messages without a key, go on.
   */
  KEY,
  /** For the message before it, whatever its key: one message at a time. */
  QUEUE
}
