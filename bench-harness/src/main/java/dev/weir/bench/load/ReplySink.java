package dev.weir.bench.load;

/** Takes the outcomes of operations. The driver that implements it names the allowed threads. */
@FunctionalInterface
public interface ReplySink {

  /**
   * Settles an operation. A second call for the same operation is counted as a duplicate.
   *
   * @param operation as given to {@link Target#send}
   * @param startTimeNs as given to {@link Target#send}
   * @param reply how it ended, not null
   */
  void onReply(long operation, long startTimeNs, Reply reply);

  /**
   * Settles an operation as {@link Reply#FAILED} and may keep the cause for the verdict.
   *
   * @param cause what went wrong, not null
   */
  default void onFailure(long operation, long startTimeNs, Throwable cause) {
    onReply(operation, startTimeNs, Reply.FAILED);
  }
}
