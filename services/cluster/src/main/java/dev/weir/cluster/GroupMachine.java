package dev.weir.cluster;

/**
 * Who is primary, who is in sync, and who may acknowledge: the decisions of one replica, without
 * clocks, threads or I/O. It is told what happens and what time it is, and says what to do.
 */
final class GroupMachine {

  /** What the machine wants done. {@link #save} is done when it returns. */
  interface Effects {
    /** Sends to a member; may be lost. */
    void send(int member, Control control);

    /** Stores the record, forced to the device. */
    void save(GroupRecord record);

    /** This replica is primary of the epoch now; its history is the truth. */
    void lead(long epoch);

    /**
     * This replica follows a primary now, or an epoch of it that it did not follow before: what it
     * has beyond that primary's history goes.
     */
    void follow(int primary, long epoch);

    /** Neither of both any more. */
    void idle();
  }
}
