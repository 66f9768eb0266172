package dev.weir.cluster.replica;

import dev.weir.cluster.protocol.GroupMachine;

/** A replica ends because its member was taken out of the group, which is no fault. */
final class TakenOutException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  private TakenOutException(String message) {
    super(message);
  }

  /**
   * Throws if a replica has no part in its group any more: this exception if its member was taken
   * out, another one if it runs with the wrong part.
   */
  static void check(GroupMachine machine, int self) {
    String exclusion = machine.exclusion();
    if (exclusion != null) {
      boolean isOut = machine.membership().slot(machine.name(self)) < 0;
      throw isOut ? new TakenOutException(exclusion) : new IllegalStateException(exclusion);
    }
  }
}
