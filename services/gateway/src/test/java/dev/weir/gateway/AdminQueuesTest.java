package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queues of services that are gone. */
class AdminQueuesTest {
  @TempDir Path directory;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private DashboardServer node;

  /** Leaves a queue with two messages and a dead letter. */
  @BeforeEach
  void closeAService() {
    node = new DashboardServer(directory);
    Service old =
        node.serve(
            "old",
            new ServiceOptions().setMaxAttempts(1),
            message -> Future.failedFuture(new IllegalStateException("no stock")));
    send("dead");
    Await.until("it is dead", () -> old.deadLetters().count() == 1);
    Futures.result("pause", old.pause());
    send("one");
    send("two");
    Futures.result("close", old.close(0));
    node.serve("new", new ServiceOptions(), message -> Future.succeededFuture());
  }

  private void send(String text) {
    Futures.result("send", node.weir.send("old", text, Durability.PROCESS));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private HttpResponse<String> request(String method, String path, String token) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(node.url() + "admin/queues" + path))
            .method(method, BodyPublishers.noBody())
            .header("Authorization", "Bearer " + token)
            .build();
    return Futures.result(
        method + path,
        Future.fromCompletionStage(client.sendAsync(request, BodyHandlers.ofString())));
  }

  private JsonObject answer(int status, String method, String path) {
    HttpResponse<String> response = request(method, path, DashboardServer.TOKEN);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return new JsonObject(response.body());
  }

  @Test
  void thoseOfNoServiceAreListedWithWhatTheyHold() {
    JsonObject old = answer(200, "GET", "").getJsonArray("queues").getJsonObject(0);
    assertThat(answer(200, "GET", "").getJsonArray("queues")).hasSize(1);
    assertThat(old.getString("name")).isEqualTo("old");
    assertThat(old.getLong("waiting")).isEqualTo(2);
    assertThat(old.getLong("scheduled")).isZero();
    assertThat(old.getLong("deadLetters")).isEqualTo(1);
    assertThat(old.getLong("bytes")).isPositive();
  }

  @Test
  void oneIsDeletedIfItsNumberOfMessagesIsGiven() {
    String confirmed = confirmed();
    String mark = confirmed.replace("?count=3", "");
    for (String count : new String[] {"", "?count=3", "?count=2" + mark, "?count=0" + mark}) {
      assertThat(answer(409, "DELETE", "/old" + count).getString("detail"))
          .isEqualTo(
              "there are 2 messages and 1 dead letters; to delete the queue with them, say so:"
                  + " "
                  + confirmed);
    }
    try (LogCapture log = new LogCapture()) {
      assertThat(answer(200, "DELETE", "/old" + confirmed))
          .isEqualTo(new JsonObject().put("deleted", 3));
      assertThat(log.text())
          .contains("queue old deleted, with 2 messages and 1 dead letters, by an administrator");
    }
    assertThat(answer(200, "GET", "").getJsonArray("queues")).isEmpty();
    answer(404, "DELETE", "/old?count=3");
    Service again = node.serve("old", new ServiceOptions(), message -> Future.succeededFuture());
    assertThat(again.stats().recovered()).isZero();
    assertThat(again.deadLetters().count()).isZero();
  }

  /** The query of a deletion of what is listed now. */
  private String confirmed() {
    JsonObject old = answer(200, "GET", "").getJsonArray("queues").getJsonObject(0);
    return "?count=3&mark=" + old.getString("mark");
  }

  @Test
  void oneWithAMessageThatCameAfterTheListIsNotDeleted() {
    String confirmed = confirmed();
    Service again =
        node.serve(
            "old",
            new ServiceOptions().setMaxAttempts(1),
            message -> Future.failedFuture(new IllegalStateException("no stock")));
    Await.until("all are dead", () -> again.deadLetters().count() == 3);
    long first = Futures.result("list", again.deadLetters().list(0, 1)).get(0).number();
    Futures.result("purge", again.deadLetters().purge(first));
    send("unseen");
    Await.until("all are dead", () -> again.deadLetters().count() == 3);
    Futures.result("close", again.close());

    assertThat(answer(409, "DELETE", "/old" + confirmed).getString("detail"))
        .startsWith("there are 0 messages and 3 dead letters, others than those that were listed;");
    assertThat(answer(200, "DELETE", "/old" + confirmed()))
        .isEqualTo(new JsonObject().put("deleted", 3));
  }

  @Test
  void oneThatIsServedOrUnknownIsRefused() {
    assertThat(answer(409, "DELETE", "/new?count=0").getString("detail"))
        .isEqualTo("new is served");
    answer(404, "DELETE", "/nobody?count=0");
    answer(400, "DELETE", "/old?count=all");
    assertThat(request("DELETE", "/old?count=3", "other").statusCode()).isEqualTo(401);
    assertThat(answer(200, "GET", "").getJsonArray("queues")).hasSize(1);
  }
}
