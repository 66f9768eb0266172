package dev.weir.bench.eventbus;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;

/**
 * A back end of fixed capacity: all that was asked since the last tick of a clock is answered at
 * the next, so a service gets as many answers a second as it has workers times ticks.
 */
final class Ticks implements BackEnd {
  private record Asked(Promise<Object> promise, Object answer) {}

  private final int periodMs;
  private List<Asked> asked = new ArrayList<>();

  /** The clock ticks as long as the event loop lives. */
  Ticks(ContextInternal loop, int periodMs) {
    this.periodMs = periodMs;
    loop.setPeriodic(periodMs, ignored -> tick());
  }

  @Override
  public Future<Object> later(Object answer) {
    Promise<Object> promise = Promise.promise();
    asked.add(new Asked(promise, answer));
    return promise.future();
  }

  private void tick() {
    List<Asked> due = asked;
    asked = new ArrayList<>();
    due.forEach(next -> next.promise.complete(next.answer));
  }

  @Override
  public String describe() {
    return "completes at the next tick of " + periodMs + " ms";
  }
}
