package dev.weir.bench.cluster.threads;

/**
 * The threads that a processor has beside its own.
 *
 * @param linkSpinRead whether the replication link is polled; otherwise a thread sleeps on it
 * @param replies when replies are sent by a thread of their own
 * @param persister when the log is written by a thread of its own
 * @param detachedSend whether replication is sent by a thread of its own
 * @param detachedDispatch whether what is read from the link is handled by a thread of its own
 */
public record ThreadPreset(
    boolean linkSpinRead,
    Detached replies,
    Detached persister,
    boolean detachedSend,
    boolean detachedDispatch) {

  /** When a task has a thread of its own. */
  public enum Detached {
    NEVER,
    /** If a CPU is left for it: on a busy CPU it would only interrupt a thread that spins. */
    WHERE_ROOM,
    ALWAYS;

    public static Detached of(boolean detached) {
      return detached ? ALWAYS : NEVER;
    }
  }

  /** The same with another way to write the log. */
  public ThreadPreset withPersister(Detached newPersister) {
    return new ThreadPreset(linkSpinRead, replies, newPersister, detachedSend, detachedDispatch);
  }
}
