package dev.weir.group.documents;

import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static dev.weir.state.DocumentFailure.STORE_FAILED;
import static dev.weir.state.DocumentFailure.UNAVAILABLE;
import static dev.weir.state.DocumentFailure.UNSUPPORTED;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.vertx.Contexts;
import dev.weir.group.GroupMessage;
import dev.weir.options.Checks;
import dev.weir.state.ChangePage;
import dev.weir.state.ChangeQuery;
import dev.weir.state.Document;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.DocumentVersion;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryStats;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import dev.weir.state.call.ChangePoll;
import dev.weir.state.call.ChangeSource;
import dev.weir.state.call.OperationCalls;
import dev.weir.state.change.Operation;
import dev.weir.state.engine.Keys;
import dev.weir.state.engine.Outcome;
import dev.weir.state.engine.StreamSlots;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sends the calls of a factory to the primaries of its shards. Any thread. */
public final class ReplicatedCalls extends OperationCalls implements ChangeSource {
  private final Vertx vertx;
  private final String name;
  private final FactoryOptions options;
  private final String address;
  private final ShardQueries queries;
  private final StreamSlots streams;
  private final LongAdder operations = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder reads = new LongAdder();

  /**
   * @param address of the service of its shards
   * @param shardKeys for each shard a key that it has
   * @param maxStreams of changes that may be open at a time
   */
  public ReplicatedCalls(
      Vertx vertx,
      String name,
      FactoryOptions options,
      String address,
      List<String> shardKeys,
      int maxStreams) {
    this.vertx = vertx;
    this.name = name;
    this.options = options;
    this.address = address;
    this.streams = new StreamSlots(maxStreams);
    this.queries =
        new ShardQueries(
            name,
            options,
            shardKeys,
            this::read,
            (key, command) -> send(key, command, new DeliveryOptions()));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public FactoryOptions options() {
    return new FactoryOptions(options);
  }

  @Override
  public Future<Document> get(String key, long version) {
    Checks.range("version", version, 1, Long.MAX_VALUE);
    return get(key)
        .compose(
            found ->
                found.version() == version
                    ? Future.succeededFuture(found)
                    : Future.failedFuture(
                        new DocumentException(
                            NOT_FOUND,
                            "version " + version + " of document " + key + " is not kept")));
  }

  @Override
  public Future<List<DocumentVersion>> versions(String key) {
    return Future.failedFuture(
        new DocumentException(
            UNSUPPORTED, "factory " + name + " is replicated and keeps no versions"));
  }

  @Override
  public Future<ChangePage> changes(ChangeQuery query) {
    if (query.getWaitMs() == 0) {
      return poll(query).page();
    }
    try {
      streams.open();
    } catch (DocumentException e) {
      return Future.failedFuture(e);
    }
    // In no verticle: the end of the caller's would cancel the timers of the wait.
    return Contexts.outside(vertx, () -> poll(query).page().onComplete(done -> streams.close()));
  }

  @Override
  public boolean logsChanges() {
    return options.getChangeLogBytes() > 0;
  }

  @Override
  public ChangeSource streaming() {
    return this;
  }

  @Override
  public ChangePoll poll(ChangeQuery query) {
    return new ShardPoll(vertx, query, queries::changes).start();
  }

  @Override
  public StreamSlots streams() {
    return streams;
  }

  @Override
  protected <T> Future<T> run(
      String key, Supplier<Operation> operation, Function<Outcome, T> result) {
    return counted(
        Future.succeededFuture(operation)
            .map(
                made -> {
                  Keys.bytes(key, options.getMaxKeyBytes());
                  return made.get();
                })
            .compose(made -> send(key, made))
            .map(reply -> result.apply(ShardReply.decode(reply))));
  }

  private Future<Buffer> send(String key, Operation operation) {
    Buffer request = ShardRequest.encode(operation);
    if (operation.isRead()) {
      reads.increment();
      return read(key, request);
    }
    return send(key, request, new DeliveryOptions());
  }

  private <T> Future<T> counted(Future<T> operation) {
    return operation.onComplete(
        done -> {
          operations.increment();
          if (done.failed()) {
            failed.increment();
          }
        });
  }

  /** Reads what is acknowledged, on the primary. */
  private Future<Buffer> read(String key, Object request) {
    return send(key, request, new DeliveryOptions().addHeader(GroupMessage.READ, "0"));
  }

  private Future<Buffer> send(String key, Object request, DeliveryOptions how) {
    return vertx
        .eventBus()
        .<Buffer>request(
            address, request, how.setLocalOnly(true).addHeader(ServiceMessage.KEY, key))
        .map(reply -> reply.body())
        .recover(failure -> Future.failedFuture(failure(failure)));
  }

  /** What a failure of the group means for the documents. */
  private static DocumentException failure(Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    if (!(cause instanceof ReplyException reply)
        || reply.failureType() != ReplyFailure.RECIPIENT_FAILURE) {
      boolean isClosed =
          cause instanceof ReplyException refused
              && refused.failureType() == ReplyFailure.NO_HANDLERS;
      return new DocumentException(isClosed ? DocumentFailure.CLOSED : STORE_FAILED, text, cause);
    }
    int code = reply.failureCode();
    if (code == FlowFailure.NO_PRIMARY.code() || code == FlowFailure.NOT_IN_SYNC.code()) {
      return new DocumentException(UNAVAILABLE, text, cause);
    }
    return new DocumentException(
        Arrays.stream(DocumentFailure.values())
            .filter(each -> each.code() == code)
            .findFirst()
            .orElse(STORE_FAILED),
        text,
        cause);
  }

  @Override
  public Future<QueryPage> query(Query query) {
    return queries.query(query);
  }

  @Override
  public Future<Long> count(Query query) {
    return queries.count(query);
  }

  @Override
  public FactoryStats stats() {
    ShardQueries.Figures figures = queries.figures();
    return new FactoryStats(
        operations.sum(),
        failed.sum(),
        reads.sum(),
        0,
        figures.documents(),
        figures.documents(),
        queries.stats(),
        figures.heapBytes());
  }
}
