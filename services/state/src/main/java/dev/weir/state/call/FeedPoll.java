package dev.weir.state.call;

import dev.weir.flow.vertx.Contexts;
import dev.weir.state.ChangePage;
import dev.weir.state.ChangeQuery;
import dev.weir.state.engine.FactoryCore;
import dev.weir.state.engine.Readings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads a page of the changes of a factory of this store. Nothing is held for it while it waits but
 * this object.
 */
final class FeedPoll implements ChangePoll {
  private final Readings readings;
  private final FactoryCore core;
  private final ChangeQuery query;
  private final Executor delivery;
  private final Promise<ChangePage> promise;

  /** What the feed of the factory knows this wait by. */
  private final Runnable again = this::read;

  private final Runnable ended;
  private final AtomicBoolean hasEnded = new AtomicBoolean();

  /** Whether a page without changes is the answer too. */
  private volatile boolean over;

  /**
   * @param delivery runs on the thread on which the promise tells its listeners
   * @param ended called once, on any thread, when the answer is known; also if nobody is left to be
   *     told of it
   */
  FeedPoll(
      Readings readings,
      FactoryCore core,
      ChangeQuery query,
      Executor delivery,
      Promise<ChangePage> promise,
      Runnable ended) {
    this.readings = readings;
    this.core = core;
    this.query = new ChangeQuery(query);
    this.delivery = delivery;
    this.promise = promise;
    this.ended = ended;
    this.over = query.getWaitMs() == 0;
  }

  FeedPoll start(Vertx vertx) {
    if (!over) {
      // Vert.x cancels a timer of a verticle's context when the verticle is undeployed.
      long timer =
          Contexts.setTimer(Contexts.newEventLoop(vertx), query.getWaitMs(), late -> end());
      promise.future().onComplete(done -> vertx.cancelTimer(timer));
    }
    read();
    return this;
  }

  private void read() {
    readings.changes(core, query, delivery, this::take);
  }

  private void take(ChangePage page, Throwable failure) {
    if (failure != null) {
      answer(null, failure);
    } else if (over || !page.changes().isEmpty()) {
      answer(page, null);
    } else {
      query.setFrom(page.position());
      readings.awaitChange(core, page.position(), again);
      if (over) {
        endWait();
      }
    }
  }

  @Override
  public Future<ChangePage> page() {
    return promise.future();
  }

  @Override
  public void end() {
    over = true;
    endWait();
  }

  private void endWait() {
    if (readings.cancelWait(core, again)) {
      answer(new ChangePage(List.of(), query.getFrom()), null);
    }
  }

  private void answer(ChangePage page, Throwable failure) {
    if (hasEnded.compareAndSet(false, true)) {
      ended.run();
      FactoryCalls.end(promise, page, failure);
    }
  }
}
