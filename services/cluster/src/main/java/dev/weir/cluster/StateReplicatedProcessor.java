package dev.weir.cluster;

/**
 * A processor whose truth is its state: the primary alone handles messages, backups receive what
 * changed and the reply.
 *
 * <p>Handlers need not be deterministic, but must keep everything they need in {@link State};
 * fields are lost at a failover, and after a primary steps down.
 *
 * <p>Called by one thread at a time, with the effects of earlier calls visible; must not block.
 */
@FunctionalInterface
public interface StateReplicatedProcessor {
  /**
   * Handles one message.
   *
   * <p>A message whose handler throws costs one failed reply. All changes of {@code state} and the
   * reply are undone, the log records the message as rejected, and no replica handles it again.
   * Fields of the processor are not undone.
   *
   * @param message valid during the call only
   * @param state objects of this group; changes are replicated and persisted together with the
   *     reply
   * @param out takes at most one reply; valid during the call only
   */
  void onMessage(Inbound message, State state, Outbound out);

  /**
   * The version of the application that this code is, 1 to 1,000,000; always the same. While a
   * member states a lower one, the group stays at that, and {@link Inbound#version} says so. Once
   * all members that hold messages state a higher one, new messages have it, and a member that
   * states less is not let in any more. So code of a version must handle messages of all versions
   * up to its own. docs/groups.md has an example.
   */
  default int version() {
    return 1;
  }
}
