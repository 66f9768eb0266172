package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client gets the code and the incident of a failure; the log gets its text. */
class IncidentTest extends GatewayTestBase {
  private static final String SECRET = "jdbc:postgresql://db/orders?user=app&password=s3cret";

  private LogCapture log;

  /** Held, because a client that nobody holds is closed. */
  private WebSocketClient sockets;

  @BeforeEach
  void capture() {
    log = new LogCapture();
  }

  @AfterEach
  void release() {
    log.close();
  }

  private static RuntimeException broken() {
    return new IllegalStateException("cannot reach " + SECRET, new RuntimeException("the cause"));
  }

  private void assertIncident(HttpResponse<String> response, ProblemType type) {
    assertIncident(assertProblem(response, type));
  }

  private void assertIncident(JsonObject problem) {
    assertThat(problem.encode()).doesNotContain("s3cret").doesNotContain("IllegalState");
    String incident = problem.getString("incident");
    assertThat(incident).isNotBlank();
    assertThat(problem.getString("detail")).contains(incident);
    assertThat(log.text()).contains(incident).contains(SECRET);
  }

  @Test
  void theExceptionOfAHandlerGoesIntoTheLogAndNotToTheClient() {
    serve("fails", memoryOnly(), message -> Future.failedFuture(broken()));
    serve(
        "throws",
        memoryOnly(),
        message -> {
          throw broken();
        });
    for (String address : new String[] {"fails", "throws"}) {
      HttpResponse<String> response = send(postJson("/services/" + address, "1"));
      assertIncident(response, ProblemType.HANDLER_FAILED);
      assertThat(new JsonObject(response.body()).getInteger("code"))
          .isEqualTo(FlowFailure.HANDLER_FAILED.code());
    }
    assertThat(log.text()).contains("the cause").contains("IncidentTest.broken");
  }

  @Test
  void aRepeatedRequestGetsTheSameIncident() {
    serve("fails", memoryOnly(), message -> Future.failedFuture(broken()));
    String first = send(postJson("/services/fails", "1", "Idempotency-Key", "k")).body();
    assertThat(first).contains("incident");
    assertThat(send(postJson("/services/fails", "1", "Idempotency-Key", "k")).body())
        .isEqualTo(first);
  }

  @Test
  void aFailureWithoutACodeOfItsOwnIsNotForTheClient() {
    vertx.eventBus().consumer("proxy", message -> message.fail(-1, SECRET));
    vertx
        .eventBus()
        .consumer("bus", message -> message.reply(new ReplyException(ReplyFailure.ERROR, SECRET)));
    assertIncident(send(postJson("/services/proxy", "1")), ProblemType.HANDLER_FAILED);
    assertIncident(send(postJson("/services/bus", "1")), ProblemType.INTERNAL);
  }

  @Test
  void whatAHandlerSaysToItsRequesterIsForTheClient() {
    vertx.eventBus().consumer("stock", message -> message.fail(4711, "no stock"));
    JsonObject problem =
        assertProblem(send(postJson("/services/stock", "1")), ProblemType.HANDLER_FAILED);
    assertThat(problem.getString("detail")).isEqualTo("no stock");
    assertThat(problem.containsKey("incident")).isFalse();
  }

  @Test
  void theStoresOwnWordsAreNotForTheClient() {
    for (FlowFailure failure :
        new FlowFailure[] {FlowFailure.STORE_FAILED, FlowFailure.DISK_FULL, FlowFailure.LOST}) {
      vertx
          .eventBus()
          .consumer(failure.name(), message -> message.fail(failure.code(), "/data: " + SECRET));
      assertThat(send(postJson("/services/" + failure.name(), "1")).body())
          .doesNotContain("s3cret")
          .doesNotContain("/data");
    }
  }

  @Test
  void aReplyThatCannotBeSentIsAnIncident() {
    serve("odd", memoryOnly(), message -> Future.succeededFuture(new Object()));
    HttpResponse<String> response = send(postJson("/services/odd", "1"));
    JsonObject problem = assertProblem(response, ProblemType.HANDLER_FAILED);
    assertThat(log.text()).contains(problem.getString("incident"));
    vertx
        .eventBus()
        .consumer(
            "header", message -> message.reply("x", new DeliveryOptions().addHeader("a", "b\nc")));
    problem = assertProblem(send(postJson("/services/header", "1")), ProblemType.HANDLER_FAILED);
    assertThat(log.text()).contains(problem.getString("incident"));
  }

  @Test
  void theExceptionsOfSocketsAndStreamsGoIntoTheLogToo() {
    serve("fails", new ServiceOptions().setMaxAttempts(1), m -> Future.failedFuture(broken()));
    sockets = vertx.createWebSocketClient();
    WebSocket socket =
        Futures.result(
            "a socket",
            sockets.connect(
                new WebSocketConnectOptions()
                    .setHost("127.0.0.1")
                    .setPort(gateway.port())
                    .setURI("/services/fails/ws")));
    for (boolean stream : new boolean[] {false, true}) {
      Promise<String> answer = Promise.promise();
      socket.textMessageHandler(answer::tryComplete);
      socket.writeTextMessage(new JsonObject().put("id", 1).put("stream", stream).encode());
      JsonObject frame = new JsonObject(Futures.result("an answer", answer.future()));
      assertIncident(frame.getJsonObject("problem"));
    }
    Futures.result("it closes", socket.close());
  }

  @Test
  void aTextCannotForgeALineOfTheLog() {
    vertx
        .eventBus()
        .consumer("forge", message -> message.fail(-1, "x\nINFO: all is well\u001b[2J"));
    send(postJson("/services/forge", "1"));
    assertThat(log.text()).contains("x?INFO: all is well?[2J");
  }
}
