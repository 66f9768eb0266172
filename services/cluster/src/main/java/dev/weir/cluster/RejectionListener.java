package dev.weir.cluster;

/** Is told of each message whose handler threw. */
@FunctionalInterface
public interface RejectionListener {
  /**
   * A handler has thrown on this member, and the group goes on without the message. Called on the
   * primary that handled the message, under the group's lock, so it must not block. What it throws
   * is logged.
   *
   * @param message valid during the call only
   * @param cause what the handler threw
   */
  void onRejected(Inbound message, Throwable cause);
}
