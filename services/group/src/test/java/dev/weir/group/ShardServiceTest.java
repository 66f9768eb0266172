package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shards behind one name, on one member. */
@Tag("slow")
@Timeout(300)
class ShardServiceTest {
  private static final int SHARDS = 4;
  private static final JsonObject ONE = new JsonObject().put("n", 1);

  @TempDir private static Path directory;
  private static TestMember member;
  private static Groups groups;
  private static GroupService counter;

  @BeforeAll
  static void serve() {
    List<Integer> ports = FreePorts.find(2);
    member = new TestMember("a", ports.get(0), ports.get(1), ports.subList(0, 1), directory);
    groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    counter = Futures.result("the counter", serve("counter", SHARDS));
  }

  private static Future<GroupService> serve(String address, int shards) {
    return groups.serveGroup(
        address,
        new ShardOptions().setMembers(List.of("a")).setShards(shards),
        new GroupOptions(),
        new ServiceOptions().setDiskBytes(1 << 20),
        Counter::new);
  }

  @AfterAll
  static void close() {
    Futures.result("groups", groups.close());
    member.close();
  }

  private static DeliveryOptions about(String key) {
    return new DeliveryOptions().addHeader(Groups.KEY, key);
  }

  private static long count(DeliveryOptions options) {
    Message<JsonObject> reply =
        Futures.result("a reply", member.vertx.eventBus().request("counter", ONE, options));
    return reply.body().getLong("count");
  }

  private static String key(String prefix, int shard) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> prefix + i)
        .filter(key -> counter.shardOf(key) == shard)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theKeySaysWhichShardTakesAMessage() {
    assertThat(counter.replicas()).hasSize(SHARDS);
    for (int shard = 0; shard < SHARDS; shard++) {
      String key = key("plain", shard);
      long before = counter.replicas().get(shard).stats().accepted();
      assertThat(count(about(key))).isEqualTo(1);
      assertThat(count(about(key))).isEqualTo(2);
      assertThat(counter.replicas().get(shard).stats().accepted()).isEqualTo(before + 2);
      assertThat(counter.members(shard)).containsExactly("a");
    }
  }

  @Test
  void aMessageWithoutAKeyIsRefused() {
    ReplyException failure =
        (ReplyException)
            Futures.failure("a refusal", member.vertx.eventBus().request("counter", ONE));
    assertThat(failure.failureCode()).isEqualTo(FlowFailure.BAD_REQUEST.code());
    assertThat(failure)
        .hasMessage(
            "the header weir-key is missing: counter has 4 shards, and the key says which one");
  }

  @Test
  void idsAreRememberedInTheShardOfTheirKey() {
    for (int shard = 0; shard < SHARDS; shard++) {
      String key = key("named", shard);
      DeliveryOptions named = about(key).addHeader(ServiceMessage.MESSAGE_ID, "the same id");
      assertThat(count(named)).isEqualTo(1);
      assertThat(count(named)).isEqualTo(1);
    }
  }

  @Test
  void aDurableSendReachesTheShardOfItsKeyOnceUnderItsId() {
    String key = key("durable", 2);
    long before = counter.replicas().get(2).stats().accepted();
    for (int i = 0; i < 2; i++) {
      Futures.result(
          "it is kept",
          member.weir.sendWithId("counter", ONE, Durability.PROCESS, about(key), "durable 1"));
    }
    Await.until("it is taken", () -> counter.replicas().get(2).stats().accepted() > before);
    assertThat(count(about(key))).isEqualTo(2);
  }

  @Test
  void aRequestOverHttpReachesTheShardOfItsKeyOnceUnderItsIdempotencyKey() throws Exception {
    Gateway gateway =
        Futures.result(
            "a gateway", Gateway.start(member.vertx, member.weir, new GatewayOptions().setPort(0)));
    String key = key("http", 1);
    for (int i = 0; i < 2; i++) {
      assertThat(post(gateway.port(), key, "payment-17")).isEqualTo("200 {\"count\":1}");
    }
    assertThat(post(gateway.port(), key, "payment-18")).isEqualTo("200 {\"count\":2}");
    Futures.result("it is closed", gateway.close());
  }

  private static String post(int port, String key, String id) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/services/counter"))
            .header("Content-Type", "application/json")
            .header("weir-key", key)
            .header("Idempotency-Key", id)
            .POST(BodyPublishers.ofString("{}"))
            .build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  @Test
  void anotherNumberOfShardsThanBeforeIsRefused() {
    GroupService first = Futures.result("six", serve("kept", 6));
    Futures.result("it is closed", first.close());
    assertThat(Futures.failure("a refusal", serve("kept", 7)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shards is 7, allowed is 6, as the service was served from");
    assertThat(
            Futures.failure(
                "a refusal",
                groups.serveGroup(
                    "kept", new GroupOptions().setMembers(List.of("a")), Counter::new)))
        .hasMessageContaining("shards is 1, allowed is 6");
    Futures.result("six again", Futures.result("six", serve("kept", 6)).close());
  }

  @Test
  void aGroupThatIsNotSplitKeepsItsNameAndIsNotSplitLater() {
    GroupService single =
        Futures.result(
            "a single group",
            groups.serveGroup("single", new GroupOptions().setMembers(List.of("a")), Counter::new));
    assertThat(single.group().options().getName()).isEqualTo("single");
    Futures.result("it is closed", single.close());
    assertThat(Futures.failure("a refusal", serve("single", 2)))
        .hasMessageContaining("shards is 2, allowed is 1");
    Futures.result("one shard is that group", Futures.result("one", serve("single", 1)).close());
  }

  @Test
  void aGroupOfVersion01IsNotSplitLater() throws Exception {
    Files.createDirectories(directory.resolve("groups/of01"));
    assertThat(Futures.failure("a refusal", serve("of01", 2)))
        .hasMessageContaining("shards is 2, allowed is 1");
  }

  @Test
  void aShardWithoutAPrimaryDoesNotKeepMessagesFromTheOthers() {
    GroupService pair =
        Futures.result(
            "shards of which some have a member that never came",
            groups.serveGroup(
                "pair",
                new ShardOptions().setMembers(List.of("a", "b")).setShards(8).setCopies(1),
                new GroupOptions(),
                new ServiceOptions().setWorkers(8),
                Counter::new));
    int here =
        IntStream.range(0, 8).filter(s -> pair.members(s).contains("a")).findAny().orElseThrow();
    int lost =
        IntStream.range(0, 8).filter(s -> pair.members(s).contains("b")).findAny().orElseThrow();
    String good = keyOf(pair, here);
    String bad = keyOf(pair, lost);
    List<Future<Message<Object>>> waiting =
        IntStream.range(0, 20)
            .mapToObj(i -> member.vertx.eventBus().request("pair", ONE, about(bad)))
            .toList();
    Futures.result("the other answers", member.vertx.eventBus().request("pair", ONE, about(good)));
    assertThat(waiting.stream().filter(Future::isComplete).count()).isLessThanOrEqualTo(16);
    assertThat(refusal("pair", bad))
        .hasMessageContaining("half of the workers wait for shard " + lost);
    Futures.result("closed", pair.service().close(0).eventually(pair::close));
  }

  @Test
  void aShardThatStoodStillForTwoSecondsAnswersAllThatWaited() {
    CountDownLatch resumed = new CountDownLatch(1);
    GroupProcessor<JsonObject> still =
        (message, state) -> {
          Await.until("the shard goes on", () -> resumed.getCount() == 0);
          return message.body();
        };
    GroupService standing =
        Futures.result(
            "shards of which one stands still",
            groups.serveGroup(
                "standing",
                new ShardOptions().setMembers(List.of("a")).setShards(2),
                new GroupOptions().setLeaseMs(2_000).setTakeoverMs(4_000),
                new ServiceOptions().setWorkers(8),
                () -> still));
    List<Future<Message<Object>>> waiting =
        IntStream.range(0, 20)
            .mapToObj(i -> member.vertx.eventBus().request("standing", ONE, about("k")))
            .toList();
    member.vertx.setTimer(2_000, id -> resumed.countDown());
    Futures.result("all are answered", Future.all(waiting));
    Futures.result("closed", standing.service().close(0).eventually(standing::close));
  }

  private static Throwable refusal(String address, String key) {
    return Futures.failure("a refusal", member.vertx.eventBus().request(address, ONE, about(key)));
  }

  private static String keyOf(GroupService service, int shard) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "k" + i)
        .filter(key -> service.shardOf(key) == shard)
        .findFirst()
        .orElseThrow();
  }
}
