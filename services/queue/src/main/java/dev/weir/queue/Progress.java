package dev.weir.queue;

/**
 * Is told how far a long call has come. Methods are called by the thread of the call, often; they
 * must return at once and not throw.
 */
public interface Progress {
  /** Shows nothing. */
  Progress NONE = new Progress() {};

  /**
   * Called while a call reads or copies files.
   *
   * @param done bytes so far
   * @param total bytes in all, or -1 if that is not known
   */
  default void bytes(long done, long total) {}

  /**
   * Called while a call reads or changes messages.
   *
   * @param done messages so far
   * @param total messages in all, or -1 if that is not known; an estimate
   */
  default void messages(long done, long total) {}
}
