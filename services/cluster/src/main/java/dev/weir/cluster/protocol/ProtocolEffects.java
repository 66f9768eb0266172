package dev.weir.cluster.protocol;

/**
 * Carries out the decisions of a {@link GroupMachine}, in their order, before the call that caused
 * them returns. A method that throws ends the machine: it must not be called again. No method may
 * call the machine.
 */
public interface ProtocolEffects {
  /** Sends a message to a member; the message may be lost. */
  void send(int member, Control control);

  /** Stores the record; it is forced to the device when the method returns. */
  void save(GroupRecord record);

  /**
   * The members have changed, as the record that was saved last has it. A slot may have another
   * member, or none; it has no connection until the new member connects.
   */
  void members(Membership members);

  /** Makes this replica the primary of the epoch; its history is the valid one from now on. */
  void lead(long epoch);

  /**
   * Makes this replica follow a primary. Messages that the primary's history does not have are
   * truncated. Also called when this replica comes back to a primary that it had lost.
   */
  void follow(int primary, long epoch);

  /**
   * Makes this replica neither primary nor backup.
   *
   * @param epoch the highest epoch known
   * @param why one line for people
   */
  void idle(long epoch, String why);
}
