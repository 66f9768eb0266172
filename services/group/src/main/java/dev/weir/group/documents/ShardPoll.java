package dev.weir.group.documents;

import dev.weir.state.ChangePage;
import dev.weir.state.ChangeQuery;
import dev.weir.state.call.ChangePoll;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Function;

/**
 * Reads a page of the changes of a replicated factory, and asks again every {@value #PAUSE_MS} ms
 * while there is no change.
 */
final class ShardPoll implements ChangePoll {
  static final long PAUSE_MS = 250;

  private final Vertx vertx;
  private final ChangeQuery query;
  private final Function<ChangeQuery, Future<ChangePage>> reader;
  private final Promise<ChangePage> promise = Promise.promise();

  /** Whether a page without changes is the answer too. */
  private boolean over;

  /**
   * @param reader reads a page; does not wait for changes
   */
  ShardPoll(Vertx vertx, ChangeQuery query, Function<ChangeQuery, Future<ChangePage>> reader) {
    this.vertx = vertx;
    this.query = new ChangeQuery(query);
    this.reader = reader;
    this.over = query.getWaitMs() == 0;
  }

  ShardPoll start() {
    if (!over) {
      long timer = vertx.setTimer(query.getWaitMs(), late -> end());
      promise.future().onComplete(done -> vertx.cancelTimer(timer));
    }
    read();
    return this;
  }

  private synchronized void read() {
    if (!promise.future().isComplete()) {
      reader.apply(query).onComplete(this::take, promise::tryFail);
    }
  }

  private synchronized void take(ChangePage page) {
    if (over || !page.changes().isEmpty()) {
      promise.tryComplete(page);
    } else {
      query.setFrom(page.position());
      vertx.setTimer(PAUSE_MS, again -> read());
    }
  }

  @Override
  public Future<ChangePage> page() {
    return promise.future();
  }

  @Override
  public synchronized void end() {
    over = true;
    // Without a position the answer is on its way.
    if (query.getFrom() != null) {
      promise.tryComplete(new ChangePage(List.of(), query.getFrom()));
    }
  }
}
