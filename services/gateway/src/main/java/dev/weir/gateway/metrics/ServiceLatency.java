package dev.weir.gateway.metrics;

import dev.weir.flow.ServiceObserver;

/** How long the messages of one service waited and were handled. */
final class ServiceLatency implements ServiceObserver {
  final LatencyHistogram waiting = new LatencyHistogram();
  final LatencyHistogram handling = new LatencyHistogram();

  @Override
  public void handled(long waitedNs, long handledNs, boolean succeeded, int messages) {
    waiting.record(waitedNs, messages);
    handling.record(handledNs, messages);
  }
}
