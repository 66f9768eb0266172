package dev.weir.group;

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
public record GroupMessage<M>(M body, String id, String key, long timestampMs) {}
