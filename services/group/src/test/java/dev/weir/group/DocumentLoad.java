package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.state.BusHeaders;
import dev.weir.state.ChangeQuery;
import dev.weir.state.Document;
import dev.weir.state.DocumentChange;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.Expected;
import dev.weir.state.Query;
import dev.weir.state.WriteOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Clients of the factory of a {@link ReplicatedProcess}, on a node that holds none of it: writers
 * with a key each, clients that share keys, queries, and a reader of changes. Some use the event
 * bus, and some a {@link RemoteFactory}.
 */
final class DocumentLoad {
  private static final int KEYS = 40;

  /**
   * Keys that several clients put, read and delete at the same time, and clients of each. One of
   * them reaches the primaries without the event bus.
   */
  private static final int SHARED_KEYS = 8;

  private static final int CLIENTS = 3;

  /** Documents that stay as they are, so that each query has to find them. */
  private static final int STILL_KEYS = 200;

  private static final Query STILL = new Query().setFilter("n = 0").setLimit(STILL_KEYS);

  /** Makes the log long enough for snapshots. */
  private static final String TEXT = "x".repeat(1_000);

  private static final int PAUSE_MS = 10;
  private static final int RETRY_MS = 50;
  private static final int WRITES_BETWEEN = 600;
  private static final long TIMEOUT_MS = 2_000;
  private static final int CHANGE_WAIT_MS = 1_000;

  private final Vertx vertx;
  private final RemoteFactory remote;

  private final Map<String, Written> acknowledged = new ConcurrentHashMap<>();

  /** The version of each key that the reader of changes saw last. */
  private final Map<String, Long> seen = new ConcurrentHashMap<>();

  private final Map<String, KeyHistory> histories = new ConcurrentHashMap<>();

  /** The version that a client of a shared key was told last. */
  private final Map<String, Long> known = new ConcurrentHashMap<>();

  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger queries = new AtomicInteger();
  private final Queue<String> failedQueries = new ConcurrentLinkedQueue<>();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final List<Future<Void>> ends = new ArrayList<>();
  private volatile boolean stopped;
  private volatile boolean reads = true;

  /** What is there of a key. */
  record Written(int n, long version) {
    static Written of(Document document) {
      return new Written(document.json().getInteger("n"), document.version());
    }
  }

  private DocumentLoad(Vertx vertx, RemoteFactory remote) {
    this.vertx = vertx;
    this.remote = remote;
  }

  /** Writes what stays, and begins with all else. */
  static DocumentLoad start(Vertx vertx, RemoteFactory remote) {
    DocumentLoad load = new DocumentLoad(vertx, remote);
    load.begin();
    return load;
  }

  private void begin() {
    Futures.result(
        "what stays is written",
        Future.all(
            IntStream.range(0, STILL_KEYS)
                .mapToObj(i -> remote.put("still " + i, body(0)))
                .toList()));
    long from = Futures.result("the position", remote.changes(new ChangeQuery())).position();
    for (int i = 0; i < KEYS; i++) {
      String key = "key " + i;
      client(done -> write(key, 1, 0, done));
    }
    for (int i = 0; i < SHARED_KEYS; i++) {
      String key = "shared " + i;
      histories.put(key, new KeyHistory());
      for (int client = 0; client < CLIENTS; client++) {
        boolean isRemote = client == 0;
        client(done -> share(key, isRemote, done));
      }
    }
    client(this::query);
    client(done -> follow(from, done));
  }

  private static JsonObject body(int n) {
    return new JsonObject().put("n", n).put("text", TEXT);
  }

  private void client(Consumer<Promise<Void>> start) {
    Promise<Void> done = Promise.promise();
    ends.add(done.future());
    start.accept(done);
  }

  private Future<Message<JsonObject>> ask(DeliveryOptions how, JsonObject body) {
    return vertx
        .eventBus()
        .request("documents.cars", body, new DeliveryOptions(how).setSendTimeout(TIMEOUT_MS));
  }

  private static DeliveryOptions action(String action, String key) {
    DeliveryOptions how = new DeliveryOptions().addHeader(BusHeaders.ACTION, action);
    return key == null ? how : how.addHeader(BusHeaders.KEY, key);
  }

  private <T> Future<T> later(Supplier<Future<T>> again) {
    return vertx.timer(RETRY_MS, TimeUnit.MILLISECONDS).compose(waited -> again.get());
  }

  /** Asks again until it is answered. */
  private Future<Message<JsonObject>> askOn(String action, String key, JsonObject body) {
    return ask(action(action, key), body).recover(failure -> later(() -> askOn(action, key, body)));
  }

  /**
   * Puts again until it is answered. A put that is late finds another version and changes nothing,
   * so a version that is not expected means that an earlier attempt was applied.
   */
  private Future<Message<JsonObject>> put(String key, int n, long version) {
    DeliveryOptions how = action("put", key).addHeader(BusHeaders.VERSION, "" + version);
    return ask(how, body(n))
        .recover(
            failure ->
                isCode(failure, DocumentFailure.VERSION_MISMATCH)
                    ? askOn("get", key, null)
                    : later(() -> put(key, n, version)));
  }

  private static Written written(Message<JsonObject> reply) {
    return new Written(
        reply.body().getInteger("n"), Long.parseLong(reply.headers().get(BusHeaders.VERSION)));
  }

  /** Writes higher and higher numbers to one key; reads each of them. */
  private void write(String key, int n, long version, Promise<Void> done) {
    if (stopped) {
      done.complete();
      return;
    }
    put(key, n, version)
        .compose(
            reply -> {
              acknowledged.put(key, written(reply));
              writes.incrementAndGet();
              return askOn("get", key, null);
            })
        .onFailure(done::fail)
        .onSuccess(
            reply -> {
              long next = version == 0 ? written(reply).version() : version + 1;
              if (!written(reply).equals(new Written(n, next))) {
                wrong.add(key + " has " + written(reply) + " after put " + n + " of " + version);
              }
              vertx.setTimer(PAUSE_MS, timer -> write(key, n + 1, written(reply).version(), done));
            });
  }

  /** Puts to a key, reads or deletes it, again and again, and never sends an operation again. */
  private void share(String key, boolean isRemote, Promise<Void> done) {
    if (stopped) {
      done.complete();
      return;
    }
    Future<Written> operation =
        switch (ThreadLocalRandom.current().nextInt(8)) {
          case 0 -> delete(key, isRemote);
          case 1, 2 -> putOnce(key, isRemote, known.getOrDefault(key, KeyHistory.ABSENT));
          case 3, 4 -> putOnce(key, isRemote, null);
          default -> read(key, isRemote);
        };
    operation.onComplete(any -> vertx.setTimer(PAUSE_MS, timer -> share(key, isRemote, done)));
  }

  /**
   * @param expected null if the put takes any version
   */
  private Future<Written> putOnce(String key, boolean isRemote, Long expected) {
    KeyHistory history = histories.get(key);
    int number = numbers.incrementAndGet();
    KeyHistory.Operation put =
        expected == null
            ? history.put(number, System.nanoTime())
            : history.put(number, expected, System.nanoTime());
    DeliveryOptions how = action("put", key);
    WriteOptions options = WriteOptions.DEFAULT;
    if (expected != null) {
      how.addHeader(BusHeaders.VERSION, "" + expected);
      options =
          options.expect(
              expected == KeyHistory.ABSENT ? Expected.absent() : Expected.version(expected));
    }
    return change(
        key,
        put,
        isRemote
            ? remote.put(key, body(number), options).map(Written::of)
            : ask(how, body(number)).map(DocumentLoad::written));
  }

  private Future<Written> delete(String key, boolean isRemote) {
    KeyHistory.Operation deletion = histories.get(key).delete(System.nanoTime());
    return change(
        key,
        deletion,
        isRemote
            ? remote.delete(key).map(Written::of)
            : ask(action("delete", key), null).map(DocumentLoad::written));
  }

  private Future<Written> change(
      String key, KeyHistory.Operation operation, Future<Written> asked) {
    return answer(key, operation, asked)
        .onFailure(
            failure -> {
              if (isCode(failure, DocumentFailure.UNAVAILABLE)
                  || isCode(failure, DocumentFailure.VERSION_MISMATCH)) {
                histories.get(key).refused(operation);
              }
            });
  }

  private Future<Written> read(String key, boolean isRemote) {
    KeyHistory.Operation read = histories.get(key).read(System.nanoTime());
    return answer(
        key,
        read,
        isRemote
            ? remote.get(key).map(Written::of)
            : ask(action("get", key), null).map(DocumentLoad::written));
  }

  private Future<Written> readOn(String key) {
    return read(key, false).recover(failure -> later(() -> readOn(key)));
  }

  /** Puts until a put is answered. */
  private Future<Written> putOn(String key) {
    return putOnce(key, false, null).recover(failure -> later(() -> putOn(key)));
  }

  private Future<Written> answer(
      String key, KeyHistory.Operation operation, Future<Written> asked) {
    KeyHistory history = histories.get(key);
    return asked
        .onSuccess(
            found -> {
              known.put(key, found.version());
              history.answered(operation, found.n(), found.version(), System.nanoTime());
            })
        .onFailure(
            failure -> {
              if (isCode(failure, DocumentFailure.NOT_FOUND)) {
                known.put(key, KeyHistory.ABSENT);
                history.answered(operation, 0, KeyHistory.ABSENT, System.nanoTime());
              }
            });
  }

  private static boolean isCode(Throwable failure, DocumentFailure code) {
    return failure instanceof ReplyException reply && reply.failureCode() == code.code()
        || failure instanceof DocumentException refused && refused.failure() == code;
  }

  /** How many documents the pages of a query have. */
  private Future<Long> find(Query query) {
    return remote
        .query(query)
        .compose(
            page -> {
              long here = page.documents().size();
              return page.cursor() == null
                  ? Future.succeededFuture(here)
                  : find(new Query(query).setCursor(page.cursor())).map(rest -> here + rest);
            });
  }

  /** Counts and finds what stays, again and again. */
  private void query(Promise<Void> done) {
    if (stopped) {
      done.complete();
      return;
    }
    Future<Long> found = queries.get() % 2 == 0 ? remote.count(STILL) : find(new Query(STILL));
    found
        .onSuccess(
            count -> {
              queries.incrementAndGet();
              if (count != STILL_KEYS) {
                wrong.add("a query found " + count + " of " + STILL_KEYS);
              }
            })
        .onFailure(failure -> failedQueries.add(String.valueOf(failure)))
        .onComplete(any -> vertx.setTimer(PAUSE_MS, timer -> query(done)));
  }

  /** Reads changes, each of which must be the next one of its key. */
  private void follow(long from, Promise<Void> done) {
    if (!reads) {
      done.complete();
      return;
    }
    remote
        .changes(new ChangeQuery().setFrom(from).setWaitMs(CHANGE_WAIT_MS))
        .onComplete(
            read -> {
              if (read.succeeded()) {
                read.result().changes().forEach(this::see);
                follow(read.result().position(), done);
                return;
              }
              if (isCode(read.cause(), DocumentFailure.CHANGES_GONE)) {
                wrong.add("changes are gone: " + read.cause().getMessage());
              }
              vertx.setTimer(RETRY_MS, timer -> follow(from, done));
            });
  }

  private void see(DocumentChange change) {
    Long before = seen.put(change.key(), change.version());
    long last = before == null ? 0 : before;
    // A deletion has the version of what it deletes. A key that begins, or begins again, has a
    // version that no deleted one of its shard had.
    boolean isDeletion = change.kind() == DocumentChange.Kind.DELETE;
    boolean isNext =
        histories.containsKey(change.key())
            ? change.version() > last || isDeletion && change.version() == last
            : before == null || change.version() == last + 1;
    if (!isNext) {
      wrong.add("the change " + change + " came after version " + before);
    }
  }

  /** Waits until many more writes are acknowledged, and queries answered. */
  void awaitProgress() {
    awaitProgress(WRITES_BETWEEN);
  }

  /** Waits until so many more writes are acknowledged, and queries answered. */
  void awaitProgress(int more) {
    int written = writes.get();
    int queried = queries.get();
    Await.until(
        () -> "writes and queries go on, " + (writes.get() - written) + " " + wrong,
        MoveCluster.DEADLINE_S,
        () -> writes.get() > written + more && queries.get() > queried + 2);
    assertThat(wrong).isEmpty();
  }

  /** Why queries failed, each of which waits for a shard without a primary for 30 s. */
  Queue<String> failedQueries() {
    return failedQueries;
  }

  /** By key of a writer: what was acknowledged last. */
  Map<String, Written> acknowledged() {
    return acknowledged;
  }

  /** Ends all clients, once the reader of changes has seen what was written last. */
  void stop() {
    stopped = true;
    Futures.result("clients end", Future.all(ends.subList(0, ends.size() - 1)));
    // A shared key may have been deleted last.
    histories.keySet().forEach(key -> Futures.result("a last put", putOn(key)));
    Await.until(
        () -> "all changes are seen: " + seen + " of " + acknowledged,
        MoveCluster.DEADLINE_S,
        () ->
            acknowledged.entrySet().stream()
                .allMatch(
                    each -> seen.getOrDefault(each.getKey(), 0L) == each.getValue().version()));
    reads = false;
    Futures.result("all clients end", Future.all(ends));
    assertThat(wrong).isEmpty();
  }

  /** Reads all that was acknowledged, over the event bus and with the remote factory. */
  void check() {
    for (int i = 0; i < KEYS; i++) {
      String key = "key " + i;
      Written found = written(Futures.result("a read", askOn("get", key, null)));
      assertThat(found).as(key).isEqualTo(acknowledged.get(key));
      assertThat(Written.of(Futures.result("a remote read", remote.get(key))))
          .as(key)
          .isEqualTo(found);
      assertThat(count("n = " + found.n())).as(key).isPositive();
    }
    assertThat(count(null)).isEqualTo(KEYS + SHARED_KEYS + STILL_KEYS);
    assertThat(Futures.result("a count", remote.count(STILL))).isEqualTo(STILL_KEYS);
    histories.forEach(this::checkHistory);
  }

  private void checkHistory(String key, KeyHistory history) {
    // The end of the history: what is there after the last failover.
    Futures.result("a read", readOn(key));
    assertThat(history.answers()).as(key).isGreaterThan(100);
    assertThat(history.problems()).as(key).isEmpty();
  }

  private long count(String filter) {
    JsonObject query = filter == null ? null : new JsonObject().put("filter", filter);
    return Futures.result("a count", askOn("count", null, query)).body().getLong("count");
  }
}
