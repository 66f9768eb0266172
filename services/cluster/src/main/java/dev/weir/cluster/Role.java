package dev.weir.cluster;

/** What a replica is to its group at the moment. */
public enum Role {
  /** Knows of no primary and must not become one by itself. */
  WAITING,
  /** Asks the others whether it may become primary. */
  CANDIDATE,
  /** Follows a primary; holds, or is being brought, its history. */
  BACKUP,
  /** Follows a primary; votes and holds no messages. */
  WITNESS,
  /** Handles messages. */
  PRIMARY;

  /** Hears of changes of a replica's role; see {@link GroupBuilder#roles}. */
  @FunctionalInterface
  public interface Listener {
    /**
     * The replica has another role, or the same in another epoch. Called on the thread and with the
     * limits of {@link ReplySink}, after its {@link ReplySink#onRole}.
     */
    void onRole(Role role, long epoch);
  }
}
