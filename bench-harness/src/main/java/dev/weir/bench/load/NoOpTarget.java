package dev.weir.bench.load;

/** A target that answers at once, to measure the cost of the harness itself. */
public final class NoOpTarget implements Target {
  @Override
  public void send(long operation, long startTimeNs, ReplySink sink) {
    sink.onReply(operation, startTimeNs, Reply.OK);
  }
}
