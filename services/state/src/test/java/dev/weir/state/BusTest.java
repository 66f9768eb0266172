package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BusTest extends StateTestBase {
  private DocumentFactory cars;

  @BeforeEach
  void openFactory() {
    FactoryRules rules =
        new FactoryRules()
            .addAction("echo", (current, body) -> ActionResult.keep(body.put("echo", true)));
    FactoryOptions options =
        new FactoryOptions()
            .setMaxDocumentBytes(100)
            .setHistoryVersions(1)
            .setIndexes(List.of("n", "color"));
    cars = factory("cars", options, rules);
  }

  private Future<Message<JsonObject>> send(String action, Object body, String... headers) {
    DeliveryOptions options = new DeliveryOptions().addHeader(BusHeaders.ACTION, action);
    for (int i = 0; i < headers.length; i += 2) {
      options.addHeader(headers[i], headers[i + 1]);
    }
    return vertx.eventBus().request("documents.cars", body, options);
  }

  private void assertRefused(Future<?> request, DocumentFailure failure, String message) {
    Throwable cause = Futures.failure("request", request);
    assertThat(cause).isInstanceOf(ReplyException.class).hasMessageContaining(message);
    assertThat(((ReplyException) cause).failureCode()).isEqualTo(failure.code());
  }

  @Test
  void everyOperationIsReachedByTheEventBus() {
    Message<JsonObject> created = done(send("create", json("{'n':1}"), "key", "a"));
    assertThat(created.body()).isEqualTo(json("{'n':1}"));
    assertThat(created.headers().get("version")).isEqualTo("1");
    assertThat(created.headers().get("key")).isEqualTo("a");
    assertThat(done(send("put", json("{'n':2}"), "key", "a")).headers().get("version"))
        .isEqualTo("2");
    done(send("replace", Buffer.buffer("{\"n\":3}"), "key", "a", "version", "2"));
    done(send("merge", json("{'m':1}"), "key", "a", "version", "*"));
    JsonArray patch = new JsonArray().add(json("{'op':'remove','path':'/n'}"));
    assertThat(done(send("patch", patch, "key", "a")).body()).isEqualTo(json("{'m':1}"));
    assertThat(done(send("get", null, "key", "a")).headers().get("version")).isEqualTo("5");
    assertThat(done(send("echo", json("{'x':1}"), "key", "a")).body())
        .isEqualTo(json("{'x':1,'echo':true}"));
    assertThat(done(send("echo", null, "key", "a")).body()).isEqualTo(json("{'echo':true}"));
    assertThat(done(send("delete", null, "key", "a")).body()).isEqualTo(json("{'m':1}"));
  }

  @Test
  void aRequestMaySayWhenTheDocumentExpires() {
    Message<JsonObject> put = done(send("put", json("{}"), "key", "a", "expiry-ms", "3600000"));
    assertThat(Long.parseLong(put.headers().get("expires-at-ms")))
        .isGreaterThan(System.currentTimeMillis());
  }

  @Test
  void earlierVersionsAreReadAndListed() {
    done(cars.put("a", json("{'n':1}")));
    done(cars.put("a", json("{'n':2}")));
    Message<JsonObject> first = done(send("get", null, "key", "a", "version", "1"));
    assertThat(first.body()).isEqualTo(json("{'n':1}"));
    assertThat(first.headers().get("version")).isEqualTo("1");
    assertThat(done(send("get", null, "key", "a", "version", "*")).body())
        .isEqualTo(json("{'n':2}"));
    JsonArray listed = done(send("versions", null, "key", "a")).body().getJsonArray("versions");
    assertThat(listed).hasSize(2);
    assertThat(listed.getJsonObject(0).getLong("version")).isEqualTo(2);
    assertRefused(
        send("get", null, "key", "a", "version", "7"), DocumentFailure.NOT_FOUND, "not kept");
    assertRefused(
        send("get", null, "key", "a", "version", "0"), DocumentFailure.BAD_REQUEST, "version is 0");
  }

  @Test
  void aDocumentThatHasNotTheFormThatIsAcceptedIsRepliedInItsOwn() {
    factory("planes");
    DeliveryOptions options =
        new DeliveryOptions()
            .addHeader(BusHeaders.ACTION, "put")
            .addHeader(BusHeaders.KEY, "a")
            .addHeader(BusHeaders.ACCEPT, "application/cbor");
    JsonObject large = new JsonObject("{\"n\":" + "9".repeat(400) + "}");
    Message<JsonObject> made =
        done(vertx.eventBus().<JsonObject>request("documents.planes", large, options));
    assertThat(made.body()).isEqualTo(large);
    assertThat(made.headers().contains(BusHeaders.CONTENT_TYPE)).isFalse();
  }

  @Test
  void everyFailureHasItsCode() {
    assertRefused(send("get", null, "key", "a"), DocumentFailure.NOT_FOUND, "does not exist");
    assertRefused(send("get", null), DocumentFailure.BAD_REQUEST, "the header key is missing");
    assertRefused(send("put", "text", "key", "a"), DocumentFailure.BAD_REQUEST, "no");
    assertRefused(
        send("put", Buffer.buffer("{\"n\":"), "key", "a"),
        DocumentFailure.BAD_REQUEST,
        "the body is not a JSON object");
    assertRefused(
        send("patch", json("{}"), "key", "a"),
        DocumentFailure.BAD_REQUEST,
        "the body is not a JSON array");
    assertRefused(
        send("put", json("{}"), "key", "k".repeat(10 << 10)),
        DocumentFailure.TOO_LARGE,
        "the key has 10240 characters");
    assertRefused(
        send("put", new JsonObject().put("text", "x".repeat(100)), "key", "a"),
        DocumentFailure.TOO_LARGE,
        "would have 111 bytes");
    assertRefused(
        send("put", json("{}"), "key", "a", "version", "two"),
        DocumentFailure.BAD_REQUEST,
        "the header version is two");
    assertRefused(
        send("put", json("{}"), "key", "a", "version", "-3"),
        DocumentFailure.BAD_REQUEST,
        "version is -3");
    assertRefused(
        send("put", json("{}"), "key", "a", "expiry-ms", "-1"),
        DocumentFailure.BAD_REQUEST,
        "expiryMs is -1");
    assertRefused(
        send("put", json("{}"), "key", "a", "version", "7"),
        DocumentFailure.VERSION_MISMATCH,
        "expected is version 7");
    assertRefused(send("fly", null, "key", "a"), DocumentFailure.BAD_REQUEST, "has no action fly");
    assertRefused(
        vertx.eventBus().request("documents.cars", json("{}")),
        DocumentFailure.BAD_REQUEST,
        "the header action is missing");
    assertFails(cars.get("a"), DocumentFailure.NOT_FOUND, "does not exist");
  }

  @Test
  void aPatchThatDoesNotApplyAFieldWithoutAnIndexAndAHugeDocumentChangeNothing() {
    JsonObject before = json("{'n':1}");
    done(cars.put("a", before));
    JsonArray patch =
        new JsonArray()
            .add(json("{'op':'add','path':'/m','value':1}"))
            .add(json("{'op':'remove','path':'/x'}"));
    assertRefused(
        send("patch", patch, "key", "a"),
        DocumentFailure.PATCH_FAILED,
        "operation 1 of the patch failed");
    patch = new JsonArray().add(json("{'op':'test','path':'/n','value':2}"));
    assertRefused(
        send("patch", Buffer.buffer(patch.encode()), "key", "a"),
        DocumentFailure.PATCH_FAILED,
        "operation 0 of the patch failed");
    for (String action : List.of("query", "count")) {
      assertRefused(
          send(action, json("{'filter':'price = 1'}")),
          DocumentFailure.BAD_REQUEST,
          "factory cars has no index on price, indexed are: n, color");
      assertRefused(
          send(action, json("{'filtre':'n = 1'}")),
          DocumentFailure.BAD_REQUEST,
          "unknown member filtre of a query");
    }
    JsonObject huge = new JsonObject().put("text", "x".repeat(16 << 20));
    for (String action : List.of("put", "replace")) {
      assertRefused(
          send(action, huge, "key", "a"),
          DocumentFailure.TOO_LARGE,
          "document a would have 16777227 bytes, allowed are 100");
    }
    assertRefused(
        send("create", huge, "key", "b"),
        DocumentFailure.TOO_LARGE,
        "document b would have 16777227 bytes, allowed are 100");
    Message<JsonObject> after = done(send("get", null, "key", "a"));
    assertThat(after.body()).isEqualTo(before);
    assertThat(after.headers().get("version")).isEqualTo("1");
    assertFails(cars.get("b"), DocumentFailure.NOT_FOUND, "does not exist");
    assertThat(documents.stats().changes()).isEqualTo(1);
  }
}
