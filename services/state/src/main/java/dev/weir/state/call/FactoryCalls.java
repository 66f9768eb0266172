package dev.weir.state.call;

import dev.weir.flow.vertx.Contexts;
import dev.weir.options.Checks;
import dev.weir.state.ChangePage;
import dev.weir.state.ChangeQuery;
import dev.weir.state.Document;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentVersion;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryStats;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import dev.weir.state.change.Operation;
import dev.weir.state.engine.Completion;
import dev.weir.state.engine.Engine;
import dev.weir.state.engine.FactoryCore;
import dev.weir.state.engine.Outcome;
import dev.weir.state.engine.StreamSlots;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns calls of a factory into operations, and their ends into futures. */
public final class FactoryCalls extends OperationCalls implements ChangeSource {
  private static final Logger LOG = LoggerFactory.getLogger(FactoryCalls.class);

  private final Engine engine;
  private final FactoryCore core;

  /** Where futures of callers without a context complete. */
  private final Context context;

  public FactoryCalls(Engine engine, FactoryCore core, Context context) {
    this.engine = engine;
    this.core = core;
    this.context = context;
  }

  @Override
  public String name() {
    return core.name();
  }

  @Override
  public FactoryOptions options() {
    return new FactoryOptions(core.options());
  }

  @Override
  public int maxDocumentBytes() {
    return core.options().getMaxDocumentBytes();
  }

  @Override
  public Future<Document> get(String key, long version) {
    Checks.range("version", version, 1, Long.MAX_VALUE);
    Context own = own();
    Promise<Document> promise = Contexts.promise(own);
    engine
        .readings()
        .version(
            core,
            key,
            version,
            delivery(own),
            (state, failure) ->
                end(promise, failure == null ? state.document(key) : null, failure));
    return promise.future();
  }

  @Override
  public Future<List<DocumentVersion>> versions(String key) {
    Context own = own();
    Promise<List<DocumentVersion>> promise = Contexts.promise(own);
    engine
        .readings()
        .versions(core, key, delivery(own), (versions, failure) -> end(promise, versions, failure));
    return promise.future();
  }

  @Override
  public Future<QueryPage> query(Query query) {
    Context own = own();
    Promise<QueryPage> promise = Contexts.promise(own);
    engine
        .readings()
        .query(core, query, delivery(own), (page, failure) -> end(promise, page, failure));
    return promise.future();
  }

  @Override
  public Future<Long> count(Query query) {
    Context own = own();
    Promise<Long> promise = Contexts.promise(own);
    engine
        .readings()
        .count(core, query, delivery(own), (count, failure) -> end(promise, count, failure));
    return promise.future();
  }

  @Override
  public Future<ChangePage> changes(ChangeQuery query) {
    if (query.getWaitMs() == 0) {
      return poll(query).page();
    }
    StreamSlots streams = engine.readings().streams();
    try {
      streams.open();
    } catch (DocumentException e) {
      return Future.failedFuture(e);
    }
    return poll(query, streams::close).page();
  }

  @Override
  public ChangePoll poll(ChangeQuery query) {
    return poll(query, () -> {});
  }

  private ChangePoll poll(ChangeQuery query, Runnable ended) {
    Context own = own();
    return new FeedPoll(engine.readings(), core, query, delivery(own), Contexts.promise(own), ended)
        .start(context.owner());
  }

  @Override
  public StreamSlots streams() {
    return engine.readings().streams();
  }

  @Override
  public boolean logsChanges() {
    return core.logsChanges();
  }

  @Override
  public ChangeSource streaming() {
    return this;
  }

  /**
   * Ends a promise, if it has not ended. A caller whose verticle was undeployed may have no thread
   * any more on which it could be told; that must not stop the thread of the store.
   */
  static <T> void end(Promise<T> promise, T result, Throwable failure) {
    try {
      if (failure == null) {
        promise.tryComplete(result);
      } else {
        promise.tryFail(failure);
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("nobody is left to be told of an operation", e);
    }
  }

  /** The context of the caller, or that of the store. */
  private Context own() {
    Context current = Contexts.current();
    return current == null ? context : current;
  }

  /** Runs on the thread of a context, so that what is told there has been taken when it returns. */
  private static Executor delivery(Context own) {
    return told -> Contexts.execute(own, told);
  }

  @Override
  public FactoryStats stats() {
    return core.stats();
  }

  @Override
  protected <T> Future<T> run(
      String key, Supplier<Operation> operation, Function<Outcome, T> result) {
    Call<T> call = new Call<>(own(), result);
    try {
      engine.submit(core, key, operation.get(), call);
    } catch (DocumentException e) {
      call.promise.fail(e);
    }
    return call.promise.future();
  }

  /** An operation whose end somebody waits for. */
  private static final class Call<T> implements Completion {
    private final Context context;
    private final Function<Outcome, T> result;
    private final Promise<T> promise;

    Call(Context context, Function<Outcome, T> result) {
      this.context = context;
      this.result = result;
      this.promise = Contexts.promise(context);
    }

    @Override
    public void end(Outcome outcome, DocumentException failure) {
      FactoryCalls.end(promise, failure == null ? result.apply(outcome) : null, failure);
    }

    @Override
    public Executor executor() {
      return context.isEventLoopContext() ? Contexts.eventLoop(context) : null;
    }
  }
}
