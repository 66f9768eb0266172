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
import io.vertx.openapi.contract.Operation;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Answers to an administrator are as the served document says. */
class OpenApiAdminTest extends OpenApiTestBase {
  private static final String TAG = "administration";
  private static final String ORDERS = "/admin/services/orders";
  private static final String LETTERS = ORDERS + "/dead-letters";

  private final AtomicBoolean broken = new AtomicBoolean(true);

  private HttpResponse<String> check(String operation, String method, String path) {
    return checked(operation, method(method, path, "Authorization", ADMIN));
  }

  private HttpResponse<String> checked(String operation, HttpRequest request) {
    HttpResponse<String> response = send(request);
    check(operation, response);
    return response;
  }

  @Test
  void everyAnswerIsDocumentedAndEveryDocumentedOneIsSeen() {
    Service orders =
        serve(
            "orders",
            new ServiceOptions().setWorkers(3).setMaxAttempts(1),
            message ->
                broken.get()
                    ? Future.failedFuture(new IllegalStateException("no stock"))
                    : Future.succeededFuture("ok"));
    check("getCluster", "GET", "/admin/cluster");
    control();
    waitingMessages();
    readDeadLetters(orders);
    choose(orders);
    move(orders);
    requeue(orders);
    purge(orders);
    check("releaseScheduled", "POST", ORDERS + "/release");
    backUp();
    deleteQueues();
    refuseWhatIsNotThere();
    refuseWithoutAToken(TAG);
    refuseWhenTooManyAreInFlight(TAG);
    document.assertAllWasSeen(TAG);
  }

  private void control() {
    check("listServices", "GET", "/admin/services");
    check("getService", "GET", ORDERS);
    check("pauseService", "POST", ORDERS + "/pause");
    check("getService", "GET", ORDERS);
    check("resumeService", "POST", ORDERS + "/resume");
    setWorkers("{\"workers\":7}");
    setWorkers("{\"workers\":0}");
    setWorkers("[");
    setWorkers(" ".repeat(5_000));
  }

  private void setWorkers(String body) {
    checked(
        "setWorkers",
        to(ORDERS + "/workers")
            .header("Authorization", ADMIN)
            .PUT(BodyPublishers.ofString(body))
            .build());
  }

  private void waitingMessages() {
    CompletableFuture<String> isReleased = new CompletableFuture<>();
    Service slow =
        serve(
            "slow",
            new ServiceOptions().setWorkers(1),
            message -> Future.fromCompletionStage(isReleased));
    String path = "/admin/services/slow/messages";
    check("listWaitingMessages", "GET", path);
    for (Object body : new Object[] {"first", "second", Buffer.buffer(new byte[] {0, -1}), null}) {
      Futures.result("it is kept", weir.send("slow", body, Durability.PROCESS));
    }
    Await.until("one is in handling", () -> slow.stats().busyWorkers() == 1);
    JsonArray messages =
        new JsonObject(check("listWaitingMessages", "GET", path + "?max=100").body())
            .getJsonArray("messages");
    long second = messages.getJsonObject(0).getLong("sequence");
    check("getWaitingMessage", "GET", path + "/" + second);
    check("deleteWaitingMessage", "DELETE", path + "/" + (second - 1));
    check("deleteWaitingMessage", "DELETE", path + "/" + second);
    check("deleteWaitingMessage", "DELETE", path + "/second");
    check("getWaitingMessage", "GET", path + "/" + second);
    check("getWaitingMessage", "GET", path + "/second");
    check("listWaitingMessages", "GET", path + "?id=" + messages.getJsonObject(1).getString("id"));
    check("listWaitingMessages", "GET", path + "?id=nobody");
    check("listWaitingMessages", "GET", path + "?from=x");
    isReleased.complete("done");
    Await.until("the others are handled", () -> slow.stats().completed() == 3);
  }

  private void readDeadLetters(Service orders) {
    check("listDeadLetters", "GET", LETTERS);
    JsonObject json = new JsonObject().put("a", 1);
    Object[] bodies = {"text", json, Buffer.buffer(new byte[] {0, 1, -1}), "ü".repeat(200), null};
    die(orders, bodies);
    JsonArray letters = letters(check("listDeadLetters", "GET", LETTERS));
    assertThat(letters).hasSize(bodies.length);
    for (Object letter : letters) {
      long number = ((JsonObject) letter).getLong("number");
      check("getDeadLetter", "GET", LETTERS + "/" + number);
    }
    check("listDeadLetters", "GET", LETTERS + "?from=1&max=2");
    check("listDeadLetters", "GET", LETTERS + "?max=101");
  }

  private static JsonArray letters(HttpResponse<String> listed) {
    return new JsonObject(listed.body()).getJsonArray("letters");
  }

  private void die(Service orders, Object... bodies) {
    long before = orders.deadLetters().count();
    DeliveryOptions options = new DeliveryOptions().addHeader("from", "me");
    for (Object body : bodies) {
      Futures.result("it is kept", weir.send("orders", body, Durability.PROCESS, options));
    }
    Await.until("they are dead", () -> orders.deadLetters().count() == before + bodies.length);
  }

  private String firstLetter() {
    HttpResponse<String> listed = check("listDeadLetters", "GET", LETTERS);
    return LETTERS + "/" + letters(listed).getJsonObject(0).getLong("number");
  }

  private void choose(Service orders) {
    for (String filter :
        new String[] {
          "reason=NO+STOCK&after=2000-01-01T00:00:00Z", "id=x&key=y&before=2000-01-01T00:00:00Z"
        }) {
      check("listDeadLetters", "GET", LETTERS + "?" + filter);
    }
    check("listDeadLetters", "GET", LETTERS + "?after=yesterday");
    check("requeueDeadLetters", "POST", LETTERS + "/requeue?rate=100&id=none");
    check("requeueDeadLetters", "POST", LETTERS + "/requeue?rate=0");
    check("requeueDeadLetters", "POST", LETTERS + "/requeue?mark=1-0-0");
  }

  private void move(Service orders) {
    serve("other", new ServiceOptions(), message -> Future.succeededFuture());
    serve("memory", memoryOnly(), message -> Future.succeededFuture());
    check("moveDeadLetter", "POST", firstLetter() + "/move?to=memory");
    check("moveDeadLetter", "POST", firstLetter() + "/move?to=nobody");
    die(orders, "one more");
    check("moveDeadLetter", "POST", firstLetter() + "/move?to=other");
    check("moveDeadLetter", "POST", LETTERS + "/" + Long.MAX_VALUE + "/move?to=other");
  }

  private void requeue(Service orders) {
    broken.set(false);
    check("requeueDeadLetter", "POST", firstLetter() + "/requeue");
    check("requeueDeadLetter", "POST", LETTERS + "/x/requeue");
    check("requeueDeadLetters", "POST", LETTERS + "/requeue");
    Await.until("all are handled", () -> orders.stats().completed() == 5);
    broken.set(true);
  }

  private void purge(Service orders) {
    die(orders, "one", "two", "three");
    check("purgeDeadLetter", "DELETE", firstLetter());
    check("purgeDeadLetters", "DELETE", LETTERS);
    check("purgeDeadLetters", "DELETE", LETTERS + "?count=1");
    check("purgeDeadLetters", "DELETE", LETTERS + "?count=-1");
    check("purgeDeadLetters", "DELETE", LETTERS + "?count=2");
    check("purgeDeadLetters", "DELETE", LETTERS + "?count=2&mark=all");
    String mark = new JsonObject(check("listDeadLetters", "GET", LETTERS).body()).getString("mark");
    check("purgeDeadLetters", "DELETE", LETTERS + "?count=2&mark=" + mark);
    assertThat(orders.deadLetters().count()).isZero();
  }

  private void backUp() {
    check("getBackup", "GET", "/admin/backup");
    check("startBackup", "POST", "/admin/backup?name=../other");
    check("startBackup", "POST", "/admin/backup?name=first");
    Await.until(
        "the backup is made",
        () -> check("getBackup", "GET", "/admin/backup").body().contains("\"done\""));
    check("startBackup", "POST", "/admin/backup?name=first");
  }

  private void deleteQueues() {
    Service old = serve("old", new ServiceOptions(), message -> Future.succeededFuture());
    check("deleteQueue", "DELETE", "/admin/queues/old?count=0");
    Futures.result("close", old.close());
    check("listQueues", "GET", "/admin/queues");
    check("deleteQueue", "DELETE", "/admin/queues/old");
    check("deleteQueue", "DELETE", "/admin/queues/old?count=none");
    check("deleteQueue", "DELETE", "/admin/queues/old?count=0&mark=-1");
  }

  private void refuseWhatIsNotThere() {
    for (Operation operation : document.operations(TAG)) {
      if (document.documents(operation, 404)) {
        check(operation, ask(operation, "nobody", "Authorization", ADMIN));
        check(operation, ask(operation, "__x", "Authorization", ADMIN));
        checkRaw(
            operation.getOperationId(),
            operation.getHttpMethod() + " " + path(operation, "%zz") + " HTTP/1.1",
            "Authorization: " + ADMIN,
            "Connection: close");
      }
    }
    String missing = LETTERS + "/" + Long.MAX_VALUE;
    check("getDeadLetter", "GET", missing);
    check("purgeDeadLetter", "DELETE", missing);
    check("requeueDeadLetter", "POST", missing + "/requeue");
  }
}
