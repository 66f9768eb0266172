package dev.weir.group.documents;

import dev.weir.state.DocumentException;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import dev.weir.state.QueryStats;
import dev.weir.state.engine.QueryCounts;
import dev.weir.state.index.IndexFields;
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
  private final QueryCounts counts = new QueryCounts();
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile long documents;
  private volatile long askedNs = System.nanoTime() - FIGURES_NS;

  /**
   * @param keys for each shard a key that it has
   * @param read asks the shard of a key
   */
  ShardQueries(
      String factory,
      List<String> indexes,
      List<String> keys,
      BiFunction<String, Object, Future<Buffer>> read) {
    this.factory = factory;
    this.fields = IndexFields.of(indexes);
    this.keys = List.copyOf(keys);
    this.read = read;
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

  /** How many documents there were when the shards were asked last; has them asked again. */
  long documents() {
    if (System.nanoTime() - askedNs >= FIGURES_NS && asking.compareAndSet(false, true)) {
      Future.all(
              IntStream.range(0, keys.size())
                  .mapToObj(shard -> ask(shard, new JsonObject()))
                  .toList())
          .onSuccess(
              all -> documents = all.<ShardPage>list().stream().mapToLong(ShardPage::count).sum())
          .onComplete(
              done -> {
                askedNs = System.nanoTime();
                asking.set(false);
              });
    }
    return documents;
  }

  QueryStats stats() {
    return counts.stats();
  }
}
