package dev.weir.cluster.threads;

/** What the detached threads of a group call on its replica. Any thread may call all methods. */
public interface GroupCallbacks {
  /** Whether a detached thread has finished work that {@link #collect} would take in. */
  boolean hasNews();

  /**
   * Takes in the work that detached threads have finished: log writes and delivered replies.
   *
   * @param waitNs how long to wait for the group's lock
   * @return false if the lock was not free in time
   */
  boolean collect(long waitNs);

  /** Ends the replica because a detached thread has failed. */
  void failed(String what, Throwable cause);
}
