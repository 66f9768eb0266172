package dev.weir.bench.cluster;

/**
 * Which threads a processor is to have beside its own.
 *
 * @param linkSpinRead whether the replication link is read by a thread that polls
 * @param busDetachedSend whether replies are sent by a thread of their own
 * @param persisterDetached whether the log is written by a thread of its own
 * @param detachedSend whether replication is sent by a thread of its own
 * @param detachedDispatch whether what is read from the link is handled by a thread of its own
 */
record ThreadWishes(
    boolean linkSpinRead,
    boolean busDetachedSend,
    boolean persisterDetached,
    boolean detachedSend,
    boolean detachedDispatch) {}
