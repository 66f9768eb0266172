package dev.weir.bench.eventbus.http;

/**
 * CPU time of the two event loops for one request with its answer, in microseconds; 0 if the JVM
 * cannot tell.
 */
record RequestCpu(double clientUs, double serverUs) {
  private static final double NANOS_PER_MICRO = 1e3;

  static RequestCpu of(long clientNs, long serverNs, long operations) {
    double nanos = NANOS_PER_MICRO * Math.max(1, operations);
    return new RequestCpu(clientNs / nanos, serverNs / nanos);
  }
}
