package dev.weir.bench.cluster.threads;

/**
 * Which threads a processor is to have beside its own.
 *
 * @param linkSpinRead whether the replication link is read by a thread that polls
 * @param busDetachedSend when replies are sent by a thread of their own
 * @param persisterDetached when the log is written by a thread of its own
 * @param detachedSend whether replication is sent by a thread of its own
 * @param detachedDispatch whether what is read from the link is handled by a thread of its own
 */
public record ThreadWishes(
    boolean linkSpinRead,
    Detached busDetachedSend,
    Detached persisterDetached,
    boolean detachedSend,
    boolean detachedDispatch) {

  /** When there is a thread of its own for something. */
  public enum Detached {
    NEVER,
    /** Unless it would sleep, and spinning threads have all CPUs: it would only push them aside. */
    WHERE_ROOM,
    ALWAYS;

    public static Detached of(boolean detached) {
      return detached ? ALWAYS : NEVER;
    }
  }
}
