package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.pool.FlowCounters;
import dev.weir.flow.pool.OverloadWatch;
import io.vertx.core.Vertx;

/**
 * Drops the requests of one service whose requester has given up, or would before the handler is
 * ready. Used on the service's event loop.
 */
final class LateRequests {
  private final String address;
  private final FlowCounters counters;
  private final ReplyHandlers requesters;

  /** Whether a tracer waits for a reply to each request. */
  private final boolean traced;

  /** Is told the times of the handler. */
  final OverloadWatch overload = new OverloadWatch();

  LateRequests(String address, FlowCounters counters, Vertx vertx, boolean traced) {
    this.traced = traced;
    this.address = address;
    this.counters = counters;
    this.requesters = new ReplyHandlers(vertx);
  }

  boolean isGone(Requester request) {
    return requesters.isGone(request);
  }

  /** Called before a request that has waited is started; false if it is to be handled. */
  boolean drops(Requester request) {
    boolean gone = requesters.isGone(request);
    if (!gone && !isTooLate(request)) {
      return false;
    }
    overload.foundLate();
    counters.expired.add(1);
    if (!gone || traced) {
      request.fail(FlowFailure.DROPPED, "service " + address + " cannot reply in time");
    }
    return true;
  }

  private boolean isTooLate(Requester request) {
    return overload.isOn() && requesters.remainingNs(request) < overload.neededNs();
  }
}
