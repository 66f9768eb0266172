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
public class ReplicatedCalls extends OperationCalls implements ChangeSource {
  /** Asks the shard of a key. */
  @FunctionalInterface
  public interface Shards {
    /**
     * @param isRead what is acknowledged is read, on the primary
     * @return fails with a {@link ReplyException}, or a {@link DocumentException}
     */
    Future<Buffer> ask(String key, Object request, boolean isRead);
  }

  private static final long NOT_KNOWN = -1;

  private final Vertx vertx;
  private final String name;
  private final FactoryOptions options;
  private final Shards shards;
  private final ShardQueries queries;
  private final StreamSlots streams;
  private final LongAdder operations = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder reads = new LongAdder();

  /**
   * @param shardKeys for each shard a key that it has
   * @param maxStreams of changes that may be open at a time
   */
  public ReplicatedCalls(
      Vertx vertx,
      String name,
      FactoryOptions options,
      Shards shards,
      List<String> shardKeys,
      int maxStreams) {
    this.vertx = vertx;
    this.name = name;
    this.options = options;
    this.shards = shards;
    this.streams = new StreamSlots(maxStreams);
    this.queries =
        new ShardQueries(
            name,
            options,
            shardKeys,
            (key, question) -> ask(key, question, true),
            (key, command) -> ask(key, command, false));
  }

  /**
   * The shards of a service on this member.
   *
   * @param address of the service
   */
  public static Shards ofService(Vertx vertx, String address) {
    return (key, request, isRead) -> {
      DeliveryOptions how =
          new DeliveryOptions().setLocalOnly(true).addHeader(ServiceMessage.KEY, key);
      if (isRead) {
        how.addHeader(GroupMessage.READ, "0");
      }
      return vertx.eventBus().<Buffer>request(address, request, how).map(reply -> reply.body());
    };
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
  public int maxDocumentBytes() {
    return options.getMaxDocumentBytes();
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
    if (operation.isRead()) {
      reads.increment();
    }
    return ask(key, ShardRequest.encode(operation), operation.isRead());
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

  private Future<Buffer> ask(String key, Object request, boolean isRead) {
    return shards
        .ask(key, request, isRead)
        .recover(failure -> Future.failedFuture(failure(failure)));
  }

  /** What a failure of the group means for the documents. */
  private static DocumentException failure(Throwable cause) {
    if (cause instanceof DocumentException known) {
      return known;
    }
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

  /** The members alone know what they have in memory. */
  @Override
  public FactoryStats stats() {
    ShardQueries.Figures figures = queries.figures();
    return new FactoryStats(
        operations.sum(),
        failed.sum(),
        reads.sum(),
        NOT_KNOWN,
        NOT_KNOWN,
        figures.documents(),
        queries.stats(),
        figures.heapBytes());
  }
}
