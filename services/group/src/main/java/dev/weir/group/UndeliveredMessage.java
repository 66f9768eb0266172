package dev.weir.group;

/**
 * A message of an {@link Outbox} that its receiver refused for good.
 *
 * @param id under which it was sent
 * @param code of the refusal, that of a {@link dev.weir.flow.FlowFailure} or the receiver's own
 * @param reason of the refusal
 */
public record UndeliveredMessage(
    String id, String address, String key, Object body, int code, String reason) {}
