package dev.weir.gateway;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers to calls of services are as the served document says. */
class OpenApiServicesTest extends OpenApiTestBase {
  private static final String TAG = "services";
  private static final String UPGRADE = "Connection: Upgrade";
  private static final String VERSION = "Sec-WebSocket-Version: 13";
  private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

  private void request(String path, String body, String... headers) {
    check("request", send(postJson(path, body, headers)));
  }

  private void event(String path, String body, String... headers) {
    check("sendEvent", send(postJson(path, body, headers)));
  }

  @Test
  void everyAnswerIsDocumentedAndEveryDocumentedOneIsSeen() {
    succeed();
    refuseBeforeTheService();
    failInTheService();
    giveTickets();
    refuseWithoutAToken(TAG);
    refuseWhenTooManyAreInFlight(TAG);
    drain();
    document.saw("openSocket", 101);
    document.assertAllWasSeen(TAG);
  }

  private void succeed() {
    serve("echo", new ServiceOptions(), message -> Future.succeededFuture(message.body()));
    for (String body : new String[] {"{\"a\":1}", "[]", "1", "null"}) {
      request("/services/echo", body, "Idempotency-Key", body);
    }
    for (String type : new String[] {"text/plain", "application/octet-stream"}) {
      check("request", send(post("/services/echo", type, "abc")));
    }
    event("/services/echo/events", "{\"a\":1}", "Weir-Durability", "machine");
  }

  private void refuseBeforeTheService() {
    for (String path : new String[] {"/services/echo", "/services/echo/events"}) {
      String operation = path.endsWith("events") ? "sendEvent" : "request";
      check(operation, send(postJson(path, "{")));
      check(operation, send(postJson(path.replace("echo", "nobody"), "1")));
      check(operation, send(postJson(path, "\"" + "x".repeat(110_000) + "\"")));
      check(operation, send(post(path, "image/png", "1")));
      check(operation, send(postJson(path, "1", "Origin", "http://elsewhere")));
    }
    request("/services/echo", "2", "Idempotency-Key", "1");
    checkRaw("openSocket", "GET /services/%zz/ws HTTP/1.1", "Connection: close");
    handshake("Connection: close", VERSION, KEY);
    handshake(UPGRADE, VERSION);
    handshake(UPGRADE, KEY);
    check("openSocket", get("/services/__x/ws"));
    check("openSocket", get("/services/echo/ws"));
  }

  private void failInTheService() {
    for (FlowFailure failure : FlowFailure.values()) {
      String address = failure.name();
      for (String entry : new String[] {address, "weir.durable/" + address}) {
        vertx.eventBus().consumer(entry, message -> message.fail(failure.code(), "as asked"));
      }
      request("/services/" + address, "1");
      event("/services/" + address + "/events", "1");
    }
    for (int code : new int[] {403, 404, 409}) {
      vertx.eventBus().consumer("refuses" + code, message -> message.fail(code, "as asked"));
      request("/services/refuses" + code, "1");
    }
    vertx.eventBus().consumer("silent", message -> {});
    request("/services/silent", "1", "Weir-Timeout-Ms", "10");
    vertx
        .eventBus()
        .consumer(
            "weir.durable/silent",
            // As the bus itself tells of a time that is over.
            message ->
                message.reply(
                    new ReplyException(ReplyFailure.TIMEOUT, "Timed out"), new DeliveryOptions()));
    event("/services/silent/events", "1");
  }

  private void giveTickets() {
    for (int i = 0; i <= 100; i++) {
      check("createTicket", send(method("POST", "/tickets", "Authorization", ADMIN)));
    }
    with(
        super.options().setTokens(new TokenOptions()),
        () -> check("createTicket", send(method("POST", "/tickets"))));
  }

  private void drain() {
    Futures.result("it drains", gateway.drain());
    request("/services/echo", "1");
    event("/services/echo/events", "1");
    handshake(UPGRADE, VERSION, KEY);
  }

  private void handshake(String... headers) {
    List<String> lines = new ArrayList<>();
    lines.add("GET /services/echo/ws HTTP/1.1");
    lines.add("Upgrade: websocket");
    lines.addAll(List.of(headers));
    checkRaw("openSocket", lines.toArray(String[]::new));
  }
}
