package dev.weir.cluster;

/** Reads the state of a group on its primary without an entry in the log. */
public interface StateReader {
  /**
   * Reads. Called under the group's lock by the thread that asked, so it must not block. What it
   * throws goes to the caller, and nothing else is called then.
   *
   * @param state valid during the call; it refuses changes
   */
  void read(State state);

  /**
   * What was read is acknowledged: all members in sync hold every message that led to it, and this
   * member was the only primary. Called once, by any thread under the group's lock: it must not
   * block.
   */
  void onConfirmed();

  /**
   * The role was lost before that, so what was read may be undone. Called in place of {@link
   * #onConfirmed}.
   */
  void onLost();
}
