package dev.weir.gateway;

import dev.weir.options.HeapBudget;
import dev.weir.options.HeapBudget.Share;

/** Lowers the limits of a gateway so that they fit into the heap of its node. */
final class HeapLimits {
  /** What a connection costs of the heap, and a request that is being answered. */
  private static final int CONNECTION_BYTES = 4 << 10;

  private HeapLimits() {}

  /**
   * A copy of the options; what fits is left as it is. A body that is larger than all bodies
   * together may be could never be let in, so {@code maxBodyBytes} is lowered to that.
   */
  static GatewayOptions within(HeapBudget heap, GatewayOptions options) {
    LimitOptions limits = options.getLimits();
    long bodies = Math.min(limits.getMaxBodyBytesInFlight(), limit(heap, Share.BODIES));
    long body = Math.min(bodies, heap.maxMessageBytes());
    long connections = Math.max(1, limit(heap, Share.CONNECTIONS) / CONNECTION_BYTES);
    return new GatewayOptions(options)
        .setMaxBodyBytes((int) Math.min(options.getMaxBodyBytes(), body))
        .setIdempotencyMaxBytes(
            Math.min(options.getIdempotencyMaxBytes(), limit(heap, Share.IDEMPOTENCY)))
        .setLimits(
            new LimitOptions(limits)
                .setMaxConnections((int) Math.min(limits.getMaxConnections(), connections))
                .setMaxRequestsInFlight(
                    (int) Math.min(limits.getMaxRequestsInFlight(), connections))
                .setMaxBodyBytesInFlight(bodies));
  }

  private static long limit(HeapBudget heap, Share share) {
    return heap.share(share).limitBytes();
  }
}
