package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An administrator looks at the messages that wait for a running service, and deletes one. */
class AdminMessagesTest {
  private static final String MESSAGES = "admin/services/orders/messages";

  @TempDir Path directory;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final CompletableFuture<String> isReleased = new CompletableFuture<>();
  private final List<Object> handled = new CopyOnWriteArrayList<>();
  private DashboardServer node;
  private Service service;

  /** One worker has the first message and keeps it until the test ends it. */
  @BeforeEach
  void start() {
    node = new DashboardServer(directory);
    service =
        node.serve(
            "orders",
            new ServiceOptions().setWorkers(1),
            message -> {
              handled.add(message.body().toString());
              return Future.fromCompletionStage(isReleased);
            });
    send("first", "id-first");
    Await.until("the first is in handling", () -> handled.size() == 1);
  }

  @AfterEach
  void stop() {
    isReleased.complete("done");
    node.close();
  }

  private void send(Object body, String id) {
    DeliveryOptions options = new DeliveryOptions().addHeader("from", "me");
    Futures.result("send", node.weir.sendWithId("orders", body, Durability.PROCESS, options, id));
  }

  private JsonObject ask(int status, String method, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(node.url() + path))
            .method(method, BodyPublishers.noBody())
            .header("Authorization", "Bearer " + DashboardServer.TOKEN)
            .build();
    HttpResponse<String> response =
        Futures.result(
            method + " " + path,
            Future.fromCompletionStage(client.sendAsync(request, BodyHandlers.ofString())));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return new JsonObject(response.body());
  }

  private static List<String> texts(JsonObject page) {
    return page.getJsonArray("messages").stream()
        .map(message -> ((JsonObject) message).getJsonObject("body").getString("text"))
        .toList();
  }

  @Test
  void whatWaitsForALiveServiceIsListedInPages() {
    List.of("second", "third", "fourth").forEach(text -> send(text, "id-" + text));
    send("ü".repeat(200), "id-long");
    JsonObject first = ask(200, "GET", MESSAGES + "?max=3");
    assertThat(texts(first)).containsExactly("second", "third", "fourth");
    assertThat(first.getLong("count")).isEqualTo(4);
    JsonObject second = first.getJsonArray("messages").getJsonObject(0);
    assertThat(second.getString("id")).isEqualTo("id-second");
    assertThat(second.getString("state")).isEqualTo("waiting");
    assertThat(second.getBoolean("durable")).isTrue();
    assertThat(second.getInteger("deliveries")).isZero();
    assertThat(second.getString("acceptedAt")).endsWith("Z");
    assertThat(second.getJsonArray("headers"))
        .containsExactly(new JsonObject().put("name", "from").put("value", "me"));

    JsonObject last = ask(200, "GET", MESSAGES + "?from=" + first.getLong("next"));
    assertThat(texts(last)).containsExactly("ü".repeat(128));
    assertThat(last.getValue("next")).isNull();
    long sequence = last.getJsonArray("messages").getJsonObject(0).getLong("sequence");
    JsonObject whole = ask(200, "GET", MESSAGES + "/" + sequence);
    assertThat(whole.getJsonObject("body").getString("text")).isEqualTo("ü".repeat(200));
  }

  @Test
  void oneIsFoundByTheIdThatItsSenderGaveOrItsHandlerWillSee() {
    send("second", "id-second");
    Futures.result("send", node.weir.send("orders", "third", Durability.PROCESS));
    String generated =
        ask(200, "GET", MESSAGES).getJsonArray("messages").getJsonObject(1).getString("id");
    assertThat(generated).startsWith("orders-");
    assertThat(texts(ask(200, "GET", MESSAGES + "?id=id-second"))).containsExactly("second");
    assertThat(texts(ask(200, "GET", MESSAGES + "?id=" + generated))).containsExactly("third");
    for (String id : List.of("nobody", "orders-", "orders-zz", "orders-7fffffffffffffff")) {
      assertThat(texts(ask(200, "GET", MESSAGES + "?id=" + id))).as(id).isEmpty();
    }
  }

  @Test
  void oneThatIsDeletedIsNeverHandledAndTheOthersAre() {
    List.of("second", "third", "fourth").forEach(text -> send(text, "id-" + text));
    JsonArray messages = ask(200, "GET", MESSAGES).getJsonArray("messages");
    String third = MESSAGES + "/" + messages.getJsonObject(1).getLong("sequence");

    assertThat(ask(200, "DELETE", third).getInteger("deleted")).isEqualTo(1);

    assertThat(ask(404, "DELETE", third).getString("detail")).contains("waits for orders");
    ask(404, "GET", third);
    assertThat(texts(ask(200, "GET", MESSAGES))).containsExactly("second", "fourth");
    isReleased.complete("done");
    Await.until("the others are handled", () -> service.stats().completed() == 3);
    assertThat(handled).containsExactly("first", "second", "fourth");
  }

  @Test
  void oneThatIsInHandlingIsNeitherListedNorDeleted() {
    send("second", "id-second");
    JsonObject second = ask(200, "GET", MESSAGES).getJsonArray("messages").getJsonObject(0);
    long first = second.getLong("sequence") - 1;
    ask(404, "GET", MESSAGES + "/" + first);
    assertThat(ask(409, "DELETE", MESSAGES + "/" + first).getString("detail"))
        .contains("is in handling");
  }

  @Test
  void bytesAreShownAsTheyAre() {
    send(Buffer.buffer(new byte[] {0, 1, -1}), "id-bytes");
    JsonObject shown = ask(200, "GET", MESSAGES).getJsonArray("messages").getJsonObject(0);
    assertThat(shown.getJsonObject("body").getString("base64")).isEqualTo("AAH/");
  }

  @Test
  void aServiceWithoutADiskTierHasNone() {
    node.serve("memory", new ServiceOptions().setDiskBytes(0), m -> Future.succeededFuture());
    String path = "admin/services/memory/messages";
    JsonObject none = ask(200, "GET", path);
    assertThat(none.getLong("count")).isZero();
    assertThat(texts(none)).isEmpty();
    assertThat(texts(ask(200, "GET", path + "?id=x"))).isEmpty();
    ask(404, "DELETE", path + "/0");
  }
}
