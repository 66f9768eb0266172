package dev.weir.bench.load;

/**
 * The system under test, as the drivers see it.
 *
 * <p>{@link ClosedLoop} calls it on the thread the loop runs on; {@link OpenLoop} calls it on its
 * pacing thread, so a target bound to a thread of its own passes the operation on to it.
 */
@FunctionalInterface
public interface Target {

  /**
   * Issues one operation and returns without waiting for its outcome. Answering the sink before
   * returning is allowed; throwing counts as a failed operation.
   *
   * @param operation number of the operation, from 0, each once
   * @param startTimeNs where the latency of this operation starts, in {@link Clock} time; to be
   *     handed back to the sink unchanged. The intended send time in an open loop.
   * @param sink takes the outcome, exactly once
   */
  void send(long operation, long startTimeNs, ReplySink sink);
}
