package dev.weir.queue.offline;

import dev.weir.queue.MessageOptions;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.line.DetachedMessage;
import dev.weir.queue.line.Packet;

/** Makes {@link StoredMessage}s of decoded records. */
final class StoredMessages {
  private StoredMessages() {}

  /** A message in a packet; one that is released has no time any more. */
  static StoredMessage inPacket(
      String queue,
      Packet<byte[]> packet,
      int index,
      long writtenAtMs,
      long nowMs,
      boolean isReleased) {
    MessageOptions options = orNone(packet.options(index));
    long notBeforeMs = isReleased ? 0 : options.notBeforeMs();
    return new StoredMessage(
        queue,
        notBeforeMs > nowMs ? State.SCHEDULED : State.WAITING,
        packet.firstSequence + index,
        packet.deliveries(index),
        packet.isTransient(index),
        writtenAtMs,
        packet.message(index),
        options.id(),
        options.key(),
        orNull(options.expiresAtMs()),
        orNull(notBeforeMs),
        null,
        null,
        null,
        null,
        null,
        0);
  }

  /** A message that has left its packet: scheduled, blocked by its key, or dead. */
  static StoredMessage outsidePackets(
      String queue,
      State state,
      DetachedMessage<byte[]> message,
      Long notBeforeMs,
      Long diedAtMs,
      long lane) {
    MessageOptions options = orNone(message.options);
    return new StoredMessage(
        queue,
        state,
        message.sequence,
        message.deliveries,
        message.isTransient,
        null,
        message.message,
        options.id(),
        options.key(),
        orNull(options.expiresAtMs()),
        notBeforeMs == null ? orNull(options.notBeforeMs()) : notBeforeMs,
        message.failures == 0 ? null : message.failures,
        orNull(message.firstAttemptMs),
        orNull(message.lastAttemptMs),
        message.reason.isEmpty() ? null : message.reason,
        diedAtMs,
        lane);
  }

  private static MessageOptions orNone(MessageOptions options) {
    return options == null ? MessageOptions.NONE : options;
  }

  private static Long orNull(long timeMs) {
    return timeMs == 0 ? null : timeMs;
  }
}
