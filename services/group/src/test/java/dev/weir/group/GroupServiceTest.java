package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.ClusterNode;
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
import io.vertx.core.Deployable;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups of one member as services, and requests to them over its bus. */
@Tag("slow")
@Timeout(300)
class GroupServiceTest {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
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
    counter =
        Futures.result(
            "the counter",
            groups.serveGroup(
                "counter",
                new GroupOptions().setMembers(List.of("a")),
                new ServiceOptions().setDiskBytes(1 << 20),
                Counter::new));
  }

  @AfterAll
  static void close() {
    Futures.result("groups", groups.close());
    member.close();
  }

  private static DeliveryOptions about(String key) {
    return new DeliveryOptions().addHeader(Groups.KEY, key);
  }

  private static DeliveryOptions named(String key, String id) {
    return about(key).addHeader(ServiceMessage.MESSAGE_ID, id);
  }

  private static long count(DeliveryOptions options) {
    Message<JsonObject> reply =
        Futures.result("a reply", member.vertx.eventBus().request("counter", ONE, options));
    return reply.body().getLong("count");
  }

  private static ReplyException refusal(String address, Object body, DeliveryOptions options) {
    ReplyException failure =
        (ReplyException)
            Futures.failure("a refusal", member.vertx.eventBus().request(address, body, options));
    assertThat(failure.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
    return failure;
  }

  @Test
  void aPlainRequestIsAppliedAndAnswered() {
    assertThat(count(about("plain"))).isEqualTo(1);
    assertThat(count(about("plain"))).isEqualTo(2);
    assertThat(count(about("another"))).isEqualTo(1);
    assertThat(counter.group().stats().accepting()).isTrue();
  }

  @Test
  void aGroupOfAVerticleEndsWithItAndTheNextDeploymentGoesOn() {
    GroupOptions options = new GroupOptions().setMembers(List.of("a"));
    Deployable verticle = context -> groups.serveGroup("deployed", options, Counter::new);
    List<GroupService> others = groups.services();
    for (int deployments = 0; deployments < 3; deployments++) {
      String id = Futures.result("deploy", member.vertx.deployVerticle(verticle));
      for (int i = 1; i <= 2; i++) {
        Message<JsonObject> reply =
            Futures.result("a reply", member.vertx.eventBus().request("deployed", ONE, about("k")));
        assertThat(reply.body().getLong("count")).isEqualTo(2 * deployments + i);
      }
      assertThat(groups.services()).hasSize(others.size() + 1);
      Futures.result("undeploy", member.vertx.undeploy(id));
      assertThat(groups.services()).isEqualTo(others);
      assertThat(member.weir.service("deployed")).isNull();
    }
  }

  @Test
  void aRequestThatIsSentAgainUnderItsIdIsAppliedOnce() {
    assertThat(count(named("again", "x"))).isEqualTo(1);
    assertThat(count(named("again", "x"))).isEqualTo(1);
    assertThat(count(named("again", "y"))).isEqualTo(2);
  }

  @Test
  void aDurableSendAndARequestOfOneIdAreOneMessage() {
    // The second one looks like an id by the place in the queue.
    for (String id : List.of("d-1", "counter-7")) {
      Futures.result(
          "the send", member.weir.sendWithId("counter", ONE, Durability.PROCESS, about(id), id));
      Await.until("it is handled", () -> counter.service().stats().waitingOnDisk() == 0);
      assertThat(count(named(id, id))).isEqualTo(1);
      assertThat(count(about(id))).isEqualTo(2);
    }
  }

  @Test
  void aRefusalHasTheCodeOfTheProcessorAndChangesNothing() {
    ReplyException failure =
        refusal("counter", new JsonObject().put("refuse", "not today"), about("refused"));
    assertThat(failure.failureCode()).isEqualTo(Counter.ODD);
    assertThat(failure).hasMessage("not today");
    assertThat(count(about("refused"))).isEqualTo(1);
  }

  private static DeliveryOptions read(String key, long maxAgeMs) {
    return about(key).addHeader(GroupMessage.READ, "" + maxAgeMs);
  }

  @Test
  void aReadShowsWhatWasAnsweredAndMakesNoEntry() {
    count(about("read"));
    long end = counter.group().stats().logEnd();
    assertThat(count(read("read", 0))).isEqualTo(1);
    assertThat(count(read("read", 0))).isEqualTo(1);
    assertThat(counter.group().stats().logEnd()).isEqualTo(end);
    Message<JsonObject> old =
        Futures.result(
            "a reply", member.vertx.eventBus().request("counter", ONE, read("read", 5_000)));
    assertThat(old.body().getLong("count")).isEqualTo(1);
    assertThat(Long.parseLong(old.headers().get(GroupMessage.AGE_MS))).isBetween(0L, 5_000L);
  }

  @Test
  void aReadMayRefuseAndChangesNothing() {
    count(about("unread"));
    ReplyException refused =
        refusal("counter", new JsonObject().put("refuse", "not today"), read("unread", 0));
    assertThat(refused.failureCode()).isEqualTo(Counter.ODD);
    ReplyException failed =
        refusal("counter", new JsonObject().put("fail", "put"), read("unread", 0));
    assertThat(failed.failureCode()).isEqualTo(FlowFailure.HANDLER_FAILED.code());
    assertThat(failed).hasMessageContaining("a read changes nothing");
    assertThat(count(read("unread", 0))).isEqualTo(1);
    assertThat(refusal("counter", ONE, about("unread").addHeader(GroupMessage.READ, "soon")))
        .hasMessage("weir-read is soon, allowed is 0 to 999999999, of a request");
  }

  @Test
  void aHandlerThatThrowsFailsOneRequestAndChangesNothing() {
    ReplyException failure =
        refusal("counter", new JsonObject().put("fail", "broken"), about("failed"));
    assertThat(failure.failureCode()).isEqualTo(FlowFailure.HANDLER_FAILED.code());
    assertThat(failure).hasMessageContaining("broken");
    assertThat(count(about("failed"))).isEqualTo(1);
  }

  @Test
  void whatTheGroupCannotTakeIsRefusedBeforeItIsSent() {
    assertThat(refusal("counter", 5L, about("bad")).failureCode())
        .isEqualTo(FlowFailure.BAD_REQUEST.code());
    DeliveryOptions halfAPair = about("bad").addHeader(ServiceMessage.MESSAGE_ID, "\ud83d");
    ReplyException refused = refusal("counter", ONE, halfAPair);
    assertThat(refused.failureCode()).isEqualTo(FlowFailure.BAD_REQUEST.code());
    assertThat(refused).hasMessageContaining("half of a surrogate pair");
    Buffer large = Buffer.buffer(new byte[GroupOptions.DEFAULT_MAX_MESSAGE_BYTES]);
    assertThat(refusal("counter", large, about("bad")).failureCode())
        .isEqualTo(FlowFailure.TOO_LARGE.code());
  }

  @Test
  void withoutAPrimaryARequestFailsAfterItsTimeAndIsNotAppliedLater() {
    GroupService pair =
        Futures.result(
            "a pair of which one member never came",
            groups.serveGroup(
                "pair", new GroupOptions().setMembers(List.of("a", "b")), Counter::new));
    DeliveryOptions soon = about("late").addHeader(ServiceMessage.TIMEOUT_MS, "300");
    ReplyException failure = refusal("pair", ONE, soon);
    assertThat(failure.failureCode()).isEqualTo(FlowFailure.NO_PRIMARY.code());
    soon.addHeader(GroupMessage.READ, "0");
    assertThat(refusal("pair", ONE, soon).failureCode()).isEqualTo(FlowFailure.NO_PRIMARY.code());
    soon.getHeaders().set(GroupMessage.READ, "1000");
    assertThat(refusal("pair", ONE, soon).failureCode()).isEqualTo(FlowFailure.NO_PRIMARY.code());
    Futures.result("the pair is closed", pair.close());
  }

  @Test
  void aRequestOverHttpIsAppliedOnceUnderItsKeyWhicheverGatewayItComesBy() throws Exception {
    for (int gateways = 0; gateways < 2; gateways++) {
      Gateway gateway =
          Futures.result(
              "a gateway",
              Gateway.start(member.vertx, member.weir, new GatewayOptions().setPort(0)));
      assertThat(post(gateway.port(), "{}", "payment-17")).isEqualTo("200 {\"count\":1}");
      assertThat(post(gateway.port(), "{\"refuse\":\"no\"}", "payment-18"))
          .startsWith("500 ")
          .contains("\"code\":" + Counter.ODD);
      assertThat(post(gateway.port(), "{}", "payment of gateway " + gateways))
          .isEqualTo("200 {\"count\":" + (gateways + 2) + "}");
      assertThat(post(gateway.port(), "{}", "a read of gateway " + gateways, "Weir-Read", "0"))
          .as("it changes nothing")
          .isEqualTo("200 {\"count\":" + (gateways + 2) + "}");
      Futures.result("it is closed", gateway.close());
    }
  }

  private static String post(int port, String body, String key, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/services/counter"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  @Test
  void aNodeWithoutAClientPortIsToldSo() {
    try (ClusterNode none =
        ClusterNode.start(
            member.node.options().setMemberName("b").setPort(FreePorts.one()).setClientPort(0))) {
      assertThatThrownBy(() -> Groups.start(member.vertx, member.weir, none))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("clientPort is 0");
    }
  }

  record Transfer(String from, String to, long cents) {}

  record Account(long cents, int transfers) {
    Account plus(long more) {
      return new Account(cents + more, transfers + 1);
    }
  }

  /** Moves money between accounts that are never overdrawn. */
  private static Account transfer(GroupMessage<Transfer> message, GroupState state) {
    Table<Account> accounts = state.table("accounts", Serde.json(Account.class));
    Transfer transfer = message.body();
    if (transfer.from() != null) {
      accounts.put(transfer.from(), of(accounts, transfer.from()).plus(-transfer.cents()));
      if (of(accounts, transfer.from()).cents() < 0) {
        throw new RefusedException(1001, transfer.from() + " has too little");
      }
    }
    Account after = of(accounts, transfer.to()).plus(transfer.cents());
    accounts.put(transfer.to(), after);
    return after;
  }

  private static Account of(Table<Account> accounts, String name) {
    Account account = accounts.get(name);
    return account == null ? new Account(0, 0) : account;
  }

  @Test
  void aProcessorOfAClassGetsItAndItsReplyIsJson() {
    Futures.result(
        "transfers",
        groups.serveGroup(
            "transfers",
            Transfer.class,
            new GroupOptions().setMembers(List.of("a")),
            new ServiceOptions(),
            () -> GroupServiceTest::transfer));
    assertThat(move(null, "ann", 500)).isEqualTo(account(500, 1));
    assertThat(move("ann", "bob", 300)).isEqualTo(account(300, 1));
    assertThat(refusal("transfers", body("ann", "bob", 300), new DeliveryOptions()))
        .hasMessage("ann has too little")
        .matches(refused -> refused.failureCode() == 1001);
    assertThat(move("ann", "bob", 200)).isEqualTo(account(500, 2));

    for (Object bad :
        List.of(body("ann", "bob", 1).put("cents", "many"), new JsonArray().add(1), "text")) {
      assertThat(refusal("transfers", bad, new DeliveryOptions()))
          .hasMessage("the body is no valid Transfer")
          .matches(refused -> refused.failureCode() == FlowFailure.BAD_REQUEST.code());
    }
    assertThat(move("bob", "ann", 500)).isEqualTo(account(500, 4));
  }

  private static JsonObject body(String from, String to, long cents) {
    return new JsonObject().put("from", from).put("to", to).put("cents", cents);
  }

  private static JsonObject account(long cents, int transfers) {
    return new JsonObject().put("cents", cents).put("transfers", transfers);
  }

  private static JsonObject move(String from, String to, long cents) {
    return Futures.result(
            "moved",
            member.vertx.eventBus().<JsonObject>request("transfers", body(from, to, cents)))
        .body();
  }
}
