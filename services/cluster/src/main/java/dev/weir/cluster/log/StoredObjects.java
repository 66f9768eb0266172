package dev.weir.cluster.log;

/**
 * The objects of a state on the disk of a log, bytes by id. They are changed beside the log, ahead
 * of its snapshots: a snapshot that {@link TransactionLog#saveSnapshot} saves after {@link #mark}
 * is of the objects at that mark, and the log can go back to each snapshot that it keeps.
 *
 * <p>Nothing that is changed here is durable by itself. When the log is opened, {@link #rollBack}
 * goes back to its last snapshot, from which the log leads on.
 *
 * <p>One thread at a time may change an object; different threads different ones. Failures of the
 * disk are thrown as {@link LogException}.
 */
public interface StoredObjects {
  /** Objects that come from another log, while those that are there stay in use. */
  interface Arrival {
    /** Adds an object. */
    void put(long id, byte[] bytes);

    /**
     * All are there. When the log is reset next, they take the place of what it has, and the
     * snapshot that is saved then is of them.
     */
    void complete();

    /** Forgets the objects, unless they are in use. */
    void discard();
  }

  /** The bytes of an object; null if there is none. */
  byte[] get(long id);

  /** Whether there is an object; cheaper than its bytes. */
  boolean has(long id);

  /**
   * Replaces or creates an object. What an earlier mark has is to be put first.
   *
   * @param mark the last one when the object was changed so; 0 before the first
   * @param length so many of the bytes; copied
   */
  void put(long id, long mark, byte[] bytes, int length);

  /** Removes an object if there is one; for the rest as {@link #put}. */
  void remove(long id, long mark);

  /**
   * The next snapshot is of the objects as they are now, once all changes up to now are put.
   *
   * @return larger than the one before
   */
  long mark();

  /**
   * Goes back to the last snapshot: to no objects if the log keeps none, or one with other content.
   *
   * @return its mark; 0 for no objects
   */
  long rollBack();

  /** Removes all objects. The log must not keep a snapshot of them. */
  void clear();

  /** Begins to take the objects of another log; what came before and is not in use is forgotten. */
  Arrival arrive();

  /** Sets what is called once when the log is closed. */
  void onClose(Runnable listener);
}
