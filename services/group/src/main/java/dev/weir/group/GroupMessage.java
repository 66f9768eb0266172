package dev.weir.group;

import dev.weir.flow.ServiceMessage;

/**
 * A message as the processor of a group sees it; valid during its call.
 *
 * @param body null if none was sent
 * @param id the sender's name for the message, by which it is applied once; null if it has none
 * @param key what the message is about, as the sender says by the header {@link Groups#KEY}; null
 *     if it says nothing
 * @param timestampMs when the primary accepted the message, ms since 1970; never before that of an
 *     earlier message
 * @param <M> the body's type
 */
public record GroupMessage<M>(M body, String id, String key, long timestampMs) {
  /**
   * The header {@value} of a request that reads and makes no entry in the log: how old what it
   * reads may be, in ms. With 0 it shows all that was acknowledged before the request. With more,
   * any member of the shard may answer.
   */
  public static final String READ = ServiceMessage.READ;

  /**
   * The header {@value} of the reply to a request that may read what is old: how old that is at
   * most, in ms.
   */
  public static final String AGE_MS = "weir-age-ms";
}
