package dev.weir.bench.eventbus;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;

/**
 * A back end that answers some turns of the event loop later, as a pipelined connection does: all
 * that was asked in one turn is answered by one task, so that the floor of the event loop, and not
 * the back end, is measured. Used on one event loop.
 */
final class Turns implements BackEnd, Handler<Void> {
  private record Asked(long dueTurn, Promise<Object> promise, Object answer) {
    void tell() {
      promise.complete(answer);
    }
  }

  private final ContextInternal loop;
  private final int delayTurns;
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();
  private long turn;
  private boolean ticking;

  /** Answers after so many turns, at least 1. */
  Turns(ContextInternal loop, int delayTurns) {
    this.loop = loop;
    this.delayTurns = delayTurns;
  }

  @Override
  public Future<Object> later(Object answer) {
    Promise<Object> promise = Promise.promise();
    asked.add(new Asked(turn + delayTurns, promise, answer));
    if (!ticking) {
      ticking = true;
      loop.runOnContext(this);
    }
    return promise.future();
  }

  @Override
  public String describe() {
    return "completes " + delayTurns + " turns of the event loop later";
  }

  /** One turn has passed. */
  @Override
  public void handle(Void ignored) {
    turn++;
    while (!asked.isEmpty() && asked.peek().dueTurn <= turn) {
      asked.poll().tell();
    }
    ticking = !asked.isEmpty();
    if (ticking) {
      loop.runOnContext(this);
    }
  }
}
