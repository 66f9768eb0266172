package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ReplyStream;
import dev.weir.flow.ServiceMessage;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.websocket.SocketFrame;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SocketTest extends GatewayTestBase {
  private static final int MAX_IN_FLIGHT = 4;

  private final Vertx clientVertx = Vertx.vertx();
  private final WebSocketClient sockets = clientVertx.createWebSocketClient();
  private final List<JsonObject> texts = new CopyOnWriteArrayList<>();
  private final List<Buffer> binaries = new CopyOnWriteArrayList<>();
  private WebSocket socket;

  @Override
  GatewayOptions options() {
    return super.options().setMaxInFlightPerWebSocket(MAX_IN_FLIGHT).setMaxStreamsPerWebSocket(2);
  }

  @BeforeEach
  void connect() {
    socket = connect("/services/work/ws");
    socket.textMessageHandler(text -> texts.add(new JsonObject(text)));
    socket.binaryMessageHandler(binaries::add);
  }

  private WebSocket connect(String path) {
    return Futures.result("the socket opens", sockets.connect(connectOptions(path)));
  }

  private WebSocketConnectOptions connectOptions(String path) {
    return new WebSocketConnectOptions()
        .setHost("127.0.0.1")
        .setPort(gateway.port())
        .setURI(path)
        .addSubProtocol("weir.v1");
  }

  @AfterEach
  void closeClient() {
    Futures.result("the client closes", clientVertx.close());
  }

  private void send(JsonObject frame) {
    socket.writeTextMessage(frame.encode());
  }

  private static JsonObject frame(Object id) {
    return new JsonObject().put("id", id);
  }

  private void awaitTexts(int count) {
    Await.until(count + " messages, are " + texts, () -> texts.size() == count);
  }

  private void assertProblem(JsonObject frame, Object id, ProblemType type) {
    assertThat(frame.getValue("id")).isEqualTo(id);
    assertThat(frame.getJsonObject("problem").getString("type")).isEqualTo(type.uri);
    assertThat(frame.getJsonObject("problem").getString("instance")).isEqualTo("/services/work/ws");
  }

  private List<Promise<Object>> hold() {
    List<Promise<Object>> held = new CopyOnWriteArrayList<>();
    serve(
        "work",
        memoryOnly(),
        message -> {
          Promise<Object> answer = Promise.promise();
          held.add(answer);
          return answer.future();
        });
    return held;
  }

  @Test
  void aStreamThatIsCancelledHoldsItsRoomUntilItsServiceIsDone() {
    List<Promise<Object>> held = hold();
    long idleBytes = gateway.guardStats().bodyBytesInFlight();
    for (int i = 0; i < 3; i++) {
      send(frame(i).put("stream", true).put("timeoutMs", 60_000));
      send(frame(i).put("op", "cancel"));
    }
    Await.until("all are in handling", () -> held.size() == 3);
    Await.until("all are cancelled", () -> gateway.inFlight() == 0);
    assertThat(gateway.guardStats().bodyBytesInFlight() - idleBytes)
        .isGreaterThanOrEqualTo(3 * (4 << 10));
    held.forEach(answer -> answer.complete("late"));
    Await.until("their room is free", () -> gateway.guardStats().bodyBytesInFlight() == idleBytes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestOfASocketThatIsGoneHoldsItsRoomUntilItsServiceIsDone(boolean stream) {
    List<Promise<Object>> held = hold();
    send(frame(1).put("stream", stream).put("timeoutMs", 60_000));
    Await.until("it is in handling", () -> held.size() == 1);
    Futures.result("the socket closes", socket.close());
    Await.until("its connection is gone", () -> gateway.guardStats().connections() == 0);
    assertThat(gateway.guardStats().bodyBytesInFlight()).isPositive();
    held.get(0).complete("late");
    Await.until("its room is free", () -> gateway.guardStats().bodyBytesInFlight() == 0);
    assertThat(gateway.inFlight()).isZero();
  }

  @Test
  void agreesOnTheProtocol() {
    assertThat(socket.subProtocol()).isEqualTo("weir.v1");
  }

  @Test
  void repliesCarryTheIdsOfTheirRequests() {
    serve("work", memoryOnly(), message -> Future.succeededFuture(message.body()));
    send(frame(1).put("body", new JsonObject().put("a", 1)));
    send(frame("two").put("body", "text"));
    send(frame(3));
    awaitTexts(3);
    assertThat(texts)
        .containsExactlyInAnyOrder(
            frame(1).put("body", new JsonObject().put("a", 1)),
            frame("two").put("body", "text"),
            frame(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\\r\\nb\":\"c\"}",
        "{\"\":\"c\"}",
        "{\"x-request-id\":\"a\\nb\"}",
        "{\"x-request-id\":\"a\\u0000\"}"
      })
  void refusesAHeaderThatHttpDoesNotAllow(String headers) {
    send(frame(1).put("headers", new JsonObject(headers)));
    awaitTexts(1);
    assertProblem(texts.get(0), 1, ProblemType.BAD_REQUEST);
  }

  @Test
  void bytesGoInBinaryMessages() {
    serve("work", memoryOnly(), message -> Future.succeededFuture(message.body()));
    Buffer request = SocketFrame.binary(frame("b"), Buffer.buffer("bytes"));
    socket.writeBinaryMessage(request);
    Await.until("the reply", () -> binaries.size() == 1);
    assertThat(binaries.get(0)).isEqualTo(request);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d\ude00", "\u20ac", "\u00fc", "y"})
  void aMessageLargerThanAFrameIsTakenWhole(String character) {
    serve("work", memoryOnly(), message -> Future.succeededFuture(message.body()));
    String body = "x" + character.repeat(24_000);
    send(frame(1).put("body", body));
    awaitTexts(1);
    assertThat(texts.get(0).getString("body")).isEqualTo(body);
  }

  @Test
  void aMessageThatBeginsWithAnEmptyFrameIsAnswered() {
    serve("work", memoryOnly(), message -> Future.succeededFuture(message.body()));
    socket.writeFrame(WebSocketFrame.textFrame("", false));
    socket.writeFrame(WebSocketFrame.continuationFrame(frame(1).toBuffer(), true));
    awaitTexts(1);
  }

  @Test
  void manyBytesArriveWhole() {
    serve("work", memoryOnly(), message -> Future.succeededFuture(message.body()));
    Buffer request = SocketFrame.binary(frame("b"), Buffer.buffer(new byte[99_999]));
    socket.writeBinaryMessage(request);
    Await.until("the reply", () -> binaries.size() == 1);
    assertThat(binaries.get(0)).isEqualTo(request);
  }

  @Test
  void headersGoBothWays() {
    AtomicReference<String> seen = new AtomicReference<>();
    vertx
        .eventBus()
        .consumer(
            "work",
            message -> {
              seen.set(
                  message.headers().get("x-request-id") + message.headers().get("authorization"));
              message.reply(null, new DeliveryOptions().addHeader("r", "s"));
            });
    JsonObject headers = new JsonObject().put("x-request-id", "b").put("authorization", "secret");
    send(frame(1).put("headers", headers));
    awaitTexts(1);
    assertThat(seen.get()).isEqualTo("bnull");
    assertThat(texts.get(0)).isEqualTo(frame(1).put("headers", new JsonObject().put("r", "s")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{                                       | ",
        "[1]                                     | ",
        "{\"body\":1}                            | ",
        "{\"id\":null}                           | ",
        "{\"id\":{}}                             | ",
        "{\"id\":\"a\",\"op\":\"dance\"}         | a",
        "{\"id\":\"a\",\"op\":7}                 | a",
        "{\"id\":\"a\",\"op\":null}              | a",
        "{\"id\":\"a\",\"timeoutMs\":0}          | a",
        "{\"id\":\"a\",\"timeoutMs\":\"x\"}      | a",
        "{\"id\":\"a\",\"headers\":1}            | a",
        "{\"id\":\"a\",\"stream\":true,\"credits\":0} | a",
        "{\"id\":\"a\",\"op\":\"credit\",\"credits\":-1} | a"
      })
  void aBadMessageIsAProblemAndNotTheEnd(String text, String id) {
    serve("work", memoryOnly(), message -> Future.succeededFuture("ok"));
    socket.writeTextMessage(text);
    awaitTexts(1);
    assertProblem(texts.get(0), id, ProblemType.BAD_REQUEST);
    socket.writeBinaryMessage(Buffer.buffer(new byte[] {1, 2, 3}));
    awaitTexts(2);
    assertProblem(texts.get(1), null, ProblemType.BAD_REQUEST);
    send(frame(1));
    awaitTexts(3);
    assertThat(texts.get(2).getString("body")).isEqualTo("ok");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"stream\":true"})
  void aNumberThatTheBusCannotSendIsAProblemAndLeavesNothingInFlight(String stream) {
    vertx.eventBus().serializableChecker(type -> false);
    socket.writeTextMessage("{\"id\":1,\"body\":123456789012345678901234567890" + stream + "}");
    awaitTexts(1);
    assertProblem(texts.get(0), 1, ProblemType.BAD_REQUEST);
    Await.until("nothing is in flight", () -> gateway.inFlight() == 0);
  }

  @Test
  void failuresAreProblems() {
    send(frame(1));
    awaitTexts(1);
    assertProblem(texts.get(0), 1, ProblemType.NO_SERVICE);
    vertx.eventBus().consumer("work", message -> message.fail(4711, "no"));
    send(frame(2));
    awaitTexts(2);
    assertProblem(texts.get(1), 2, ProblemType.HANDLER_FAILED);
    assertThat(texts.get(1).getJsonObject("problem").getInteger("code")).isEqualTo(4711);
  }

  @Test
  void isReadNoFurtherThanRequestsMayBeInFlight() {
    Queue<Promise<Object>> held = new ConcurrentLinkedQueue<>();
    AtomicInteger started = new AtomicInteger();
    serve(
        "work",
        memoryOnly(),
        message -> {
          Promise<Object> reply = Promise.promise();
          held.add(reply);
          started.incrementAndGet();
          return reply.future();
        });
    int all = 50;
    for (int i = 0; i < all; i++) {
      send(frame(i));
    }
    Await.until("as many as allowed are started", () -> started.get() == MAX_IN_FLIGHT);
    // What it does not read it cannot start: give it the chance.
    assertThat(send(postJson("/services/nobody", "1")).statusCode()).isEqualTo(404);
    assertThat(gateway.inFlight()).isEqualTo(MAX_IN_FLIGHT);
    for (int i = 0; i < all; i++) {
      Await.until("another is started", () -> !held.isEmpty());
      assertThat(gateway.inFlight()).isLessThanOrEqualTo(MAX_IN_FLIGHT);
      held.poll().complete("done");
    }
    awaitTexts(all);
  }

  // ---- streams

  private Future<?> count(ServiceMessage<Object> message) {
    ReplyStream stream = ReplyStream.of(vertx, message);
    return count(stream, 0, (Integer) message.body());
  }

  private static Future<Void> count(ReplyStream stream, int next, int end) {
    return next == end
        ? stream.end()
        : stream.write(next).compose(written -> count(stream, next + 1, end));
  }

  private JsonObject streamOf(int parts, int credits) {
    return frame("s").put("stream", true).put("credits", credits).put("body", parts);
  }

  @Test
  void aStreamBringsAllItsRepliesInOrderAndItsEnd() {
    serve("work", memoryOnly(), this::count);
    send(streamOf(500, 1000));
    awaitTexts(501);
    for (int i = 0; i < 500; i++) {
      assertThat(texts.get(i)).isEqualTo(frame("s").put("last", false).put("body", i));
    }
    assertThat(texts.get(500)).isEqualTo(frame("s").put("last", true));
    Await.until("nothing is in flight", () -> gateway.inFlight() == 0);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "3,2", "70,100"})
  void aStreamWaitsForCredit(int first, int more) {
    serve("work", memoryOnly(), this::count);
    send(streamOf(1000, first));
    awaitTexts(first);
    send(frame("s").put("op", "credit").put("credits", more));
    awaitTexts(first + more);
    send(frame("s").put("op", "credit").put("credits", 2000));
    awaitTexts(1001);
    assertThat(texts.get(1000).getBoolean("last")).isTrue();
  }

  @Test
  void aCancelledStreamStopsItsService() {
    Promise<Throwable> stopped = Promise.promise();
    serve(
        "work",
        memoryOnly(),
        message ->
            count(message).onFailure(stopped::complete).recover(e -> Future.succeededFuture()));
    send(streamOf(1000, 1));
    awaitTexts(1);
    send(frame("s").put("op", "cancel"));
    Throwable cause = Futures.result("the service is told", stopped.future());
    assertThat(((io.vertx.core.eventbus.ReplyException) cause).failureCode())
        .isEqualTo(FlowFailure.SERVICE_CLOSED.code());
    assertThat(texts).hasSize(1);
  }

  @Test
  void aStreamWhoseClientIsGoneStopsItsService() {
    Promise<Throwable> stopped = Promise.promise();
    serve(
        "work",
        memoryOnly(),
        message ->
            count(message).onFailure(stopped::complete).recover(e -> Future.succeededFuture()));
    send(streamOf(1000, 1));
    awaitTexts(1);
    Futures.result("the socket closes", socket.close());
    Futures.result("the service is told", stopped.future());
    Await.until("nothing is in flight", () -> gateway.inFlight() == 0);
  }

  @Test
  void aStreamEndsWithTheFailureOfItsHandler() {
    serve(
        "work",
        memoryOnly(),
        message ->
            ReplyStream.of(vertx, message)
                .write("one")
                .compose(written -> Future.failedFuture("broken")));
    send(streamOf(0, 10));
    awaitTexts(2);
    assertProblem(texts.get(1), "s", ProblemType.HANDLER_FAILED);
    Await.until("nothing is in flight", () -> gateway.inFlight() == 0);
  }

  @Test
  void aStreamInWhichNothingHappensEnds() {
    serve("work", memoryOnly(), message -> ReplyStream.of(vertx, message).write("one"));
    // The first reply must come before that.
    send(streamOf(0, 10).put("timeoutMs", 5_000));
    awaitTexts(2);
    assertProblem(texts.get(1), "s", ProblemType.DEADLINE);
  }

  @Test
  void aServiceThatSendsMoreThanItMayIsFoundOut() {
    vertx
        .eventBus()
        .consumer(
            "work",
            message -> {
              for (int i = 0; i < 3; i++) {
                vertx.eventBus().send(message.headers().get(ReplyStream.ADDRESS), i);
              }
            });
    send(streamOf(0, 2));
    awaitTexts(3);
    assertProblem(texts.get(2), "s", ProblemType.HANDLER_FAILED);
  }

  @Test
  void onlySoManyStreamsMayBeOpen() {
    serve("work", memoryOnly(), this::count);
    for (int i = 0; i < 3; i++) {
      send(streamOf(10, 1).put("id", i));
    }
    awaitTexts(3);
    JsonObject refused =
        texts.stream().filter(text -> text.containsKey("problem")).findFirst().orElseThrow();
    assertProblem(refused, 2, ProblemType.BUSY);
    send(streamOf(10, 1).put("id", 0));
    awaitTexts(4);
    assertProblem(texts.get(3), 0, ProblemType.BAD_REQUEST);
  }

  // ---- the handshake

  @Test
  void aPlainGetIsToldToUpgrade() {
    HttpResponse<String> response = send(to("/services/work/ws").GET().build());
    assertProblem(response, ProblemType.UPGRADE_REQUIRED);
    assertThat(response.headers().firstValue("upgrade")).contains("websocket");
  }

  @Test
  void aSocketToWhatIsInternalIsRefused() {
    Throwable refused =
        Futures.failure("connect", sockets.connect(connectOptions("/services/__vertx/ws")));
    assertThat(((UpgradeRejectedException) refused).getStatus()).isEqualTo(404);
  }
}
