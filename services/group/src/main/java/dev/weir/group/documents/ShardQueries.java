package dev.weir.group.documents;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;

import dev.weir.state.ChangePage;
import dev.weir.state.ChangeQuery;
import dev.weir.state.DocumentException;
import dev.weir.state.FactoryOptions;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import dev.weir.state.QueryStats;
import dev.weir.state.engine.QueryCounts;
import dev.weir.state.index.IndexFields;
import dev.weir.state.query.Filter;
import dev.weir.state.query.Plan;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** Asks all shards of a factory, and makes one answer of theirs. Any thread. */
final class ShardQueries {
  private static final long FIGURES_NS = TimeUnit.SECONDS.toNanos(1);

  private final String factory;
  private final IndexFields fields;

  private final List<String> keys;

  private final BiFunction<String, Object, Future<Buffer>> read;
  private final BiFunction<String, Object, Future<Buffer>> write;
  private final boolean logsChanges;
  private final QueryCounts counts = new QueryCounts();
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Figures figures = Figures.NONE;
  private volatile long askedNs = System.nanoTime() - FIGURES_NS;

  /**
   * How much there is in a shard, or in all.
   *
   * @param heapBytes estimated
   */
  record Figures(long documents, long heapBytes) {
    private static final Figures NONE = new Figures(0, 0);

    Buffer encode() {
      return Buffer.buffer().appendLong(documents).appendLong(heapBytes);
    }

    private static Figures decode(Buffer in) {
      return new Figures(in.getLong(0), in.getLong(Long.BYTES));
    }

    private static Figures sum(List<Figures> all) {
      return new Figures(
          all.stream().mapToLong(Figures::documents).sum(),
          all.stream().mapToLong(Figures::heapBytes).sum());
    }
  }

  /**
   * @param keys for each shard a key that it has
   * @param read asks the shard of a key
   * @param write has the shard of a key do something
   */
  ShardQueries(
      String factory,
      FactoryOptions options,
      List<String> keys,
      BiFunction<String, Object, Future<Buffer>> read,
      BiFunction<String, Object, Future<Buffer>> write) {
    this.factory = factory;
    this.fields = IndexFields.of(options.getIndexes());
    this.logsChanges = options.getChangeLogBytes() > 0;
    this.keys = List.copyOf(keys);
    this.read = read;
    this.write = write;
  }

  /** A page of the changes of all shards; does not wait for any. */
  Future<ChangePage> changes(ChangeQuery query) {
    if (!logsChanges) {
      return Future.failedFuture(
          new DocumentException(
              BAD_REQUEST,
              "factory " + factory + " has no log of changes: its changeLogBytes is 0"));
    }
    Filter filter;
    try {
      filter = Plan.filter(query.getFilter(), factory, fields);
    } catch (DocumentException e) {
      return Future.failedFuture(e);
    }
    return new MergedChanges(
            factory,
            keys.size(),
            new Logs(),
            query.getFrom(),
            query.getLimit(),
            filter == Filter.ALL ? null : filter::test)
        .page();
  }

  /** The logs of the shards. */
  private final class Logs implements MergedChanges.Shards {
    @Override
    public Future<ShardChanges> read(int shard, long after, int limit) {
      JsonObject question =
          new JsonObject()
              .put(ShardLog.CHANGES, new JsonObject().put("after", after).put("limit", limit));
      return read.apply(keys.get(shard), question).map(ShardChanges::decode);
    }

    @Override
    public Future<?> seal(int shard, long position) {
      return write.apply(keys.get(shard), new JsonObject().put(ShardLog.SEAL, position));
    }
  }

  Future<QueryPage> query(Query query) {
    return counted(
        plan(query)
            .compose(
                plan ->
                    new MergedPage(
                            plan,
                            keys.size(),
                            (shard, cursor, limit) ->
                                ask(
                                    shard,
                                    new Query(query).setCursor(cursor).setLimit(limit),
                                    false))
                        .page()));
  }

  Future<Long> count(Query query) {
    Query all = new Query().setFilter(query.getFilter());
    return counted(
        plan(all)
            .compose(
                plan ->
                    Future.all(
                        IntStream.range(0, keys.size())
                            .mapToObj(shard -> count(shard, plan, all))
                            .toList()))
            .map(each -> each.<Long>list().stream().mapToLong(Long::longValue).sum()));
  }

  private Future<Long> count(int shard, Plan plan, Query query) {
    return ask(shard, query, true)
        .compose(
            page ->
                page.hasMore()
                    ? count(shard, plan, new Query(query).setCursor(plan.cursor(page.last())))
                        .map(rest -> rest + page.count())
                    : Future.succeededFuture(page.count()));
  }

  /** Refuses here what no shard would take. */
  private Future<Plan> plan(Query query) {
    try {
      return Future.succeededFuture(Plan.of(query, factory, fields));
    } catch (DocumentException e) {
      return Future.failedFuture(e);
    }
  }

  private <T> Future<T> counted(Future<T> query) {
    return query.onComplete(done -> counts.add(done.cause()));
  }

  private Future<ShardPage> ask(int shard, Query query, boolean counting) {
    JsonObject json =
        new JsonObject()
            .put("filter", query.getFilter())
            .put("sort", query.getSort())
            .put("descending", query.isDescending())
            .put("limit", query.getLimit())
            .put("cursor", query.getCursor());
    return ask(
        shard, new JsonObject().put(ShardSearch.QUERY, json).put(ShardSearch.COUNTS, counting));
  }

  private Future<ShardPage> ask(int shard, JsonObject question) {
    return read.apply(keys.get(shard), question).map(ShardPage::decode);
  }

  /** What the shards had when they were asked last; has them asked again. */
  Figures figures() {
    if (System.nanoTime() - askedNs >= FIGURES_NS && asking.compareAndSet(false, true)) {
      Future.all(
              keys.stream()
                  .map(key -> read.apply(key, new JsonObject()).map(Figures::decode))
                  .toList())
          .onSuccess(all -> figures = Figures.sum(all.list()))
          .onComplete(
              done -> {
                askedNs = System.nanoTime();
                asking.set(false);
              });
    }
    return figures;
  }

  QueryStats stats() {
    return counts.stats();
  }
}
