package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceMessage;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three members, each a process with some of the shards, and requests from a node with none. */
@Tag("slow")
@Timeout(300)
class ShardFailoverTest {
  private static final int REQUESTS = 3_000;
  private static final int KEYS = 30;

  /** One of so many requests brings an order. */
  private static final int ORDERS = 10;

  private static final int IN_FLIGHT = 40;
  private static final long TIMEOUT_MS = 2_000;

  private final List<Integer> ports = FreePorts.find(7);
  private final Map<String, Set<Long>> counts = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  @TempDir private Path directory;
  private TestMember outside;

  private ChildJvm start(int member) {
    String name = ShardProcess.MEMBERS.get(member);
    return ChildJvm.of(ShardProcess.class)
        .flags("-Xmx256m")
        .mergeErrors()
        .start(
            name,
            "" + ports.get(member),
            "" + ports.get(3 + member),
            directory.resolve(name).toString(),
            hazelcastPorts().stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  private List<Integer> hazelcastPorts() {
    return List.of(ports.get(0), ports.get(1), ports.get(2), ports.get(6));
  }

  /** Sends requests one after another, each again under its id until it is answered. */
  private Future<Void> sendAll() {
    int number = next.getAndIncrement();
    return number >= REQUESTS
        ? Future.succeededFuture()
        : send("request " + number, "key " + number % KEYS)
            .compose(sent -> number % ORDERS == 0 ? order("order " + number) : sent())
            .compose(sent -> sendAll());
  }

  private static Future<Void> sent() {
    return Future.succeededFuture();
  }

  /** An order that the counter counts, and that a timer reminds of. */
  private Future<Void> order(String name) {
    JsonObject body =
        new JsonObject().put("order", name).put("pay", "counter").put("remindInMs", 300L);
    return outside
        .vertx
        .eventBus()
        .request("orders", body, options(name).addHeader(ServiceMessage.MESSAGE_ID, name))
        .<Void>mapEmpty()
        .recover(failure -> outside.vertx.timer(20).compose(again -> order(name)));
  }

  private static DeliveryOptions options(String key) {
    return new DeliveryOptions()
        .setSendTimeout(TIMEOUT_MS)
        .addHeader(ServiceMessage.TIMEOUT_MS, "" + TIMEOUT_MS)
        .addHeader(Groups.KEY, key);
  }

  private Future<Void> send(String id, String key) {
    DeliveryOptions options = options(key).addHeader(ServiceMessage.MESSAGE_ID, id);
    return outside
        .vertx
        .eventBus()
        .<JsonObject>request("counter", new JsonObject(), options)
        .compose(
            reply -> {
              long count = reply.body().getLong("count");
              counts.computeIfAbsent(key, none -> ConcurrentHashMap.newKeySet()).add(count);
              return read(key, 0).onSuccess(seen -> late.addAndGet(seen < count ? 1 : 0));
            })
        .<Void>mapEmpty()
        .onSuccess(sent -> answered.incrementAndGet())
        .recover(failure -> outside.vertx.timer(20).compose(again -> send(id, key)));
  }

  private Future<Long> read(String key, long maxAgeMs) {
    return read("counter", key, maxAgeMs, new JsonObject());
  }

  /** Reads again until it is answered: the roles may change at any time on a busy machine. */
  private Future<Long> read(String address, String key, long maxAgeMs, JsonObject body) {
    return outside
        .vertx
        .eventBus()
        .<JsonObject>request(
            address, body, options(key).addHeader(GroupMessage.READ, "" + maxAgeMs))
        .map(reply -> reply.body().getLong("count"))
        .map(count -> count == null ? 0L : count)
        .recover(
            failure ->
                outside.vertx.timer(20).compose(again -> read(address, key, maxAgeMs, body)));
  }

  private long now(String address, String key, JsonObject body) {
    return Futures.result("a read", read(address, key, 0, body));
  }

  @Test
  void eachRequestIsAppliedOnceInItsShardThoughAMemberIsKilled() {
    try (ChildJvm a = start(0);
        ChildJvm b = start(1);
        ChildJvm c = start(2)) {
      outside = new TestMember("outside", ports.get(6), 0, hazelcastPorts(), directory);
      try {
        for (ChildJvm member : List.of(a, b, c)) {
          member.await("serves 4");
          member.await("whole, primary of 2");
        }
        List<Future<Void>> senders = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
          senders.add(sendAll());
        }
        Await.until("a third is answered", () -> answered.get() > REQUESTS / 3);
        b.kill();
        Futures.result("all are answered", Future.all(senders));
        assertThat(late).as("reads that did not show what was answered before").hasValue(0);
        for (int i = 0; i < KEYS; i++) {
          String key = "key " + i;
          assertThat(Futures.result("a read", read(key, 0))).isEqualTo(REQUESTS / KEYS);
          Await.until(
              "each member has it",
              () -> Futures.result("a read", read(key, 200)) == REQUESTS / KEYS);
        }
        for (int i = 0; i < REQUESTS; i += ORDERS) {
          String order = "order " + i;
          JsonObject reminded = new JsonObject().put("what", "reminded " + order);
          Await.until(
              () -> order + " is reminded of: " + now("orders", order, reminded),
              () -> now("orders", order, reminded) == 1);
          Await.until(
              () -> order + " is counted: " + now("counter", order, new JsonObject()),
              () -> now("counter", order, new JsonObject()) == 1);
        }
        for (int i = 0; i < REQUESTS; i += ORDERS) {
          String order = "order " + i;
          JsonObject reminded = new JsonObject().put("what", "reminded " + order);
          assertThat(now("orders", order, reminded)).as("%s, later", order).isEqualTo(1);
          assertThat(now("counter", order, new JsonObject())).as("%s, later", order).isEqualTo(1);
        }
        assertThat(counts).hasSize(KEYS);
        for (Set<Long> each : counts.values()) {
          assertThat(each)
              .containsExactlyInAnyOrderElementsOf(
                  LongStream.rangeClosed(1, REQUESTS / KEYS).boxed().toList());
        }
      } finally {
        outside.close();
      }
    }
  }
}
