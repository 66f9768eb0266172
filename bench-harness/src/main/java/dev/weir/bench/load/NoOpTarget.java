package dev.weir.bench.load;

/** Answers at once: what the rig does with it is the cost of the rig. */
public final class NoOpTarget implements Target {
  @Override
  public void send(long operation, long startTimeNs, ReplySink sink) {
    sink.onReply(operation, startTimeNs, Reply.OK);
  }
}
