package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.state.BusHeaders;
import dev.weir.state.Document;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.Expected;
import dev.weir.state.WriteOptions;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three members, each a process, killed with SIGKILL one after another under load. */
class ReplicatedFailoverTest {
  private static final int KEYS = 40;

  /**
   * Keys that several clients put, read and delete at the same time, and clients of each. One of
   * them reaches the primaries without the event bus.
   */
  private static final int SHARED_KEYS = 8;

  private static final int CLIENTS = 3;
  private static final int PAUSE_MS = 10;
  private static final int WRITES_BEFORE_KILL = 600;
  private static final long TIMEOUT_MS = 2_000;

  private final List<Integer> ports = FreePorts.find(7);

  /** What was acknowledged last of each key. */
  private final Map<String, Written> acknowledged = new ConcurrentHashMap<>();

  private final Map<String, ChildJvm> members = new ConcurrentHashMap<>();
  private final Map<String, KeyHistory> histories = new ConcurrentHashMap<>();

  /** The version that a client of a shared key has seen last. */
  private final Map<String, Long> seen = new ConcurrentHashMap<>();

  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;
  @TempDir private Path directory;
  private TestMember outside;

  /** The factory as the node outside reaches it without the event bus. */
  private RemoteFactory remote;

  private record Written(int n, long version) {}

  private void start(String name) {
    int index = ReplicatedProcess.MEMBERS.indexOf(name);
    members.put(
        name,
        ChildJvm.of(ReplicatedProcess.class)
            .flags("-Xmx256m")
            .mergeErrors()
            .start(
                name,
                "" + ports.get(index),
                "" + ports.get(3 + index),
                directory.resolve(name).toString(),
                hazelcastPorts().stream().map(String::valueOf).collect(Collectors.joining(","))));
  }

  private List<Integer> hazelcastPorts() {
    return List.of(ports.get(0), ports.get(1), ports.get(2), ports.get(6));
  }

  private Future<Message<JsonObject>> ask(DeliveryOptions how, JsonObject body) {
    return outside
        .vertx
        .eventBus()
        .request("documents.cars", body, new DeliveryOptions(how).setSendTimeout(TIMEOUT_MS));
  }

  private static DeliveryOptions action(String action, String key) {
    DeliveryOptions how = new DeliveryOptions().addHeader(BusHeaders.ACTION, action);
    return key == null ? how : how.addHeader(BusHeaders.KEY, key);
  }

  /** Asks again until it is answered. */
  private Future<Message<JsonObject>> askOn(String action, String key, JsonObject body) {
    return ask(action(action, key), body)
        .recover(failure -> outside.vertx.timer(50).compose(again -> askOn(action, key, body)));
  }

  /**
   * Puts again until it is answered. A put that is late finds another version and changes nothing,
   * so a version that is not expected means that an earlier attempt was applied.
   */
  private Future<Message<JsonObject>> put(String key, int n, long version) {
    DeliveryOptions how = action("put", key).addHeader(BusHeaders.VERSION, "" + version);
    return ask(how, new JsonObject().put("n", n))
        .recover(
            failure ->
                isCode(failure, DocumentFailure.VERSION_MISMATCH)
                    ? askOn("get", key, null)
                    : outside.vertx.timer(50).compose(again -> put(key, n, version)));
  }

  private static Written written(Document document) {
    return new Written(document.json().getInteger("n"), document.version());
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
              if (!written(reply).equals(new Written(n, version + 1))) {
                wrong.add(key + " has " + written(reply) + " after put " + n + " of " + version);
              }
              outside.vertx.setTimer(
                  PAUSE_MS, timer -> write(key, n + 1, written(reply).version(), done));
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
          case 1, 2 -> putOnce(key, isRemote, seen.getOrDefault(key, KeyHistory.ABSENT));
          case 3, 4 -> putOnce(key, isRemote, null);
          default -> read(key, isRemote);
        };
    operation.onComplete(
        any -> outside.vertx.setTimer(PAUSE_MS, timer -> share(key, isRemote, done)));
  }

  /**
   * @param expected null if the put takes any version
   */
  private Future<Written> putOnce(String key, boolean isRemote, Long expected) {
    KeyHistory history = histories.get(key);
    int number = numbers.incrementAndGet();
    JsonObject body = new JsonObject().put("n", number);
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
    Future<Written> asked =
        isRemote
            ? remote.put(key, body, options).map(ReplicatedFailoverTest::written)
            : ask(how, body).map(ReplicatedFailoverTest::written);
    return change(key, put, asked);
  }

  private Future<Written> delete(String key, boolean isRemote) {
    KeyHistory.Operation deletion = histories.get(key).delete(System.nanoTime());
    Future<Written> asked =
        isRemote
            ? remote.delete(key).map(ReplicatedFailoverTest::written)
            : ask(action("delete", key), null).map(ReplicatedFailoverTest::written);
    return change(key, deletion, asked);
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
            ? remote.get(key).map(ReplicatedFailoverTest::written)
            : ask(action("get", key), null).map(ReplicatedFailoverTest::written));
  }

  private Future<Written> readOn(String key) {
    return read(key, false)
        .recover(failure -> outside.vertx.timer(50).compose(again -> readOn(key)));
  }

  /** Puts until a put is answered. */
  private Future<Written> putOn(String key) {
    return putOnce(key, false, null)
        .recover(failure -> outside.vertx.timer(50).compose(again -> putOn(key)));
  }

  private Future<Written> answer(
      String key, KeyHistory.Operation operation, Future<Written> asked) {
    KeyHistory history = histories.get(key);
    return asked
        .onSuccess(
            found -> {
              seen.put(key, found.version());
              history.answered(operation, found.n(), found.version(), System.nanoTime());
            })
        .onFailure(
            failure -> {
              if (isCode(failure, DocumentFailure.NOT_FOUND)) {
                seen.put(key, KeyHistory.ABSENT);
                history.answered(operation, 0, KeyHistory.ABSENT, System.nanoTime());
              }
            });
  }

  private static boolean isCode(Throwable failure, DocumentFailure code) {
    return failure instanceof ReplyException reply && reply.failureCode() == code.code()
        || failure instanceof DocumentException refused && refused.failure() == code;
  }

  private int sum(int word) {
    return members.values().stream()
        .filter(ChildJvm::isAlive)
        .flatMap(
            member ->
                member.lines().stream()
                    .filter(line -> line.startsWith("leads "))
                    .reduce((one, next) -> next)
                    .stream())
        .mapToInt(line -> Integer.parseInt(line.split(" ")[word]))
        .sum();
  }

  private void awaitWhole() {
    Await.until(
        () -> "all shards are whole: " + members.values().stream().map(ChildJvm::lines).toList(),
        120,
        () -> sum(1) == ReplicatedProcess.SHARDS && sum(3) == ReplicatedProcess.SHARDS);
  }

  private void awaitWrites() {
    int before = writes.get();
    Await.until(
        () -> "writes go on, " + (writes.get() - before),
        120,
        () -> writes.get() > before + WRITES_BEFORE_KILL);
  }

  @Test
  @Tag("slow")
  @Timeout(600)
  void everyAcknowledgedDocumentOutlivesKillsOfOneMemberAfterAnother() {
    killAndComeBack(1);
  }

  @Test
  @Tag("soak")
  @Timeout(3_600)
  void everyAcknowledgedDocumentOutlivesTwentyKills() {
    killAndComeBack(7);
  }

  private void killAndComeBack(int rounds) {
    ReplicatedProcess.MEMBERS.forEach(this::start);
    outside = new TestMember("outside", ports.get(6), 0, hazelcastPorts(), directory);
    remote = ReplicatedProcess.connect(outside);
    try {
      awaitWhole();
      List<Future<Void>> writers = startWriters();
      for (int round = 0; round < rounds; round++) {
        for (String name : ReplicatedProcess.MEMBERS) {
          awaitWrites();
          members.get(name).kill();
          awaitWrites();
          start(name);
          awaitWhole();
        }
      }
      stopped = true;
      Futures.result("the writers end", Future.all(writers));
      assertThat(wrong).isEmpty();
      // A shared key may have been deleted last.
      histories.keySet().forEach(key -> Futures.result("a last put", putOn(key)));
      // A put that nobody waits for any more may still come between two looks.
      for (String other : List.of("b", "c")) {
        Await.until(other + " has what a has", () -> copies(other).equals(copies("a")));
      }
      // The last member that came back has to have it all: it is one of the two that are left.
      members.get("a").kill();
      for (int i = 0; i < KEYS; i++) {
        String key = "key " + i;
        Written found = written(Futures.result("a read", askOn("get", key, null)));
        assertThat(found).as(key).isEqualTo(acknowledged.get(key));
        assertThat(count("n = " + found.n())).as(key).isPositive();
      }
      assertThat(count(null)).isEqualTo(KEYS + SHARED_KEYS);
      histories.forEach(this::checkHistory);
      Futures.result("the factory is closed", remote.close());
    } finally {
      outside.close();
      members.values().forEach(ChildJvm::close);
    }
  }

  private List<Future<Void>> startWriters() {
    List<Promise<Void>> writers = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      writers.add(Promise.promise());
      write("key " + i, 1, 0, writers.get(i));
    }
    for (int i = 0; i < SHARED_KEYS; i++) {
      histories.put("shared " + i, new KeyHistory());
      for (int client = 0; client < CLIENTS; client++) {
        Promise<Void> done = Promise.promise();
        writers.add(done);
        share("shared " + i, client == 0, done);
      }
    }
    return writers.stream().map(Promise::future).toList();
  }

  /**
   * What a member has of all documents, with their versions. The node outside may not know yet that
   * a member that has just started answers this.
   */
  private String copies(String member) {
    DeliveryOptions how = new DeliveryOptions().setSendTimeout(TIMEOUT_MS);
    AtomicReference<String> copies = new AtomicReference<>();
    Await.until(
        "copies of " + member,
        () -> {
          Future<Message<String>> asked =
              outside.vertx.eventBus().request("copies." + member, null, how);
          Await.until("an answer of " + member, asked::isComplete);
          if (asked.succeeded()) {
            copies.set(asked.result().body());
          }
          return asked.succeeded();
        });
    return copies.get();
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
