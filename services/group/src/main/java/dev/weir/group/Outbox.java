package dev.weir.group;

/**
 * Messages of a group to other services, a part of its state. A message is recorded together with
 * all else that the call of the processor changes, or not at all. The primary sends it when that is
 * acknowledged, and again until it is known to have arrived, after a failover too, always under the
 * same id: a receiver that remembers ids takes it once. Messages may overtake each other.
 *
 * <p>While a receiver cannot be reached, its messages wait; with {@value #MAX_WAITING} of them the
 * processor's message is refused with {@link dev.weir.flow.FlowFailure#SERVICE_FULL}.
 */
public interface Outbox {
  /** The most messages of a shard that wait, {@value}. */
  int MAX_WAITING = 10_000;

  /**
   * Sends a message durably, as {@link dev.weir.flow.Weir#sendWithId} does with {@code PROCESS}: it
   * has arrived when its service has it on disk.
   *
   * @param address of a service with a disk tier
   * @param key the header {@link dev.weir.flow.ServiceMessage#KEY}; null for none
   * @param body as a reply may be
   */
  void send(String address, String key, Object body);

  /**
   * Sends a request over the bus with the header {@link dev.weir.flow.ServiceMessage#MESSAGE_ID},
   * such as to another group: it has arrived when it is answered.
   *
   * @param key the header {@link dev.weir.flow.ServiceMessage#KEY}; null for none
   * @param body as a reply may be
   */
  void request(String address, String key, Object body);
}
