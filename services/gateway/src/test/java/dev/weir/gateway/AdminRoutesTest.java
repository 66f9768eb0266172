package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.RemoteConsumerOptions;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.admin.AdminRoutes;
import dev.weir.queue.DeadLetterOptions;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueStats;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminRoutesTest {
  private static final String ORDERS = "admin/services/orders";

  @TempDir Path directory;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicBoolean broken = new AtomicBoolean(true);
  private DashboardServer node;
  private Service service;

  @BeforeEach
  void start() {
    node = new DashboardServer(directory);
    service =
        node.serve(
            "orders",
            new ServiceOptions().setWorkers(3).setMaxAttempts(1),
            message ->
                broken.get()
                    ? Future.failedFuture(new IllegalStateException("no stock"))
                    : Future.succeededFuture("ok"));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private HttpResponse<String> request(String method, String path, String body, String token) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(node.url() + path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + token)
            .build();
    return Futures.result(
        method + " " + path,
        Future.fromCompletionStage(client.sendAsync(request, BodyHandlers.ofString())));
  }

  private JsonObject ask(String method, String path, String body) {
    HttpResponse<String> response = request(method, path, body, DashboardServer.TOKEN);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.headers().firstValue("cache-control")).contains("no-store");
    return new JsonObject(response.body());
  }

  private JsonObject refused(int status, String method, String path, String body) {
    HttpResponse<String> response = request(method, path, body, DashboardServer.TOKEN);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    return new JsonObject(response.body());
  }

  private void die(Object... bodies) {
    dieAt("orders", bodies);
  }

  private void dieAt(String address, Object... bodies) {
    QueueStats before = node.weir.service(address).queueStats();
    for (Object body : bodies) {
      DeliveryOptions options = new DeliveryOptions().addHeader("from", "me");
      Futures.result("send", node.weir.send(address, body, Durability.PROCESS, options));
    }
    long dead = before.deadLetters() + before.deadLettersTrimmed() + bodies.length;
    Await.until(
        "they are dead",
        () -> {
          QueueStats now = node.weir.service(address).queueStats();
          return now.deadLetters() + now.deadLettersTrimmed() == dead;
        });
  }

  private Service serveBroken(String address, DeadLetterOptions kept) {
    return node.serve(
        address,
        new ServiceOptions().setMaxAttempts(1).setDeadLetters(kept),
        message -> Future.failedFuture(new IllegalStateException("no stock")));
  }

  /** The query of a purge of what was listed. */
  private static String confirmed(JsonObject listed) {
    return "?count=" + listed.getLong("count") + "&mark=" + listed.getString("mark");
  }

  @Test
  void listsTheServices() {
    JsonArray services = ask("GET", "admin/services", null).getJsonArray("services");
    assertThat(services).hasSize(1);
    assertThat(services.getJsonObject(0).getString("address")).isEqualTo("orders");
    assertThat(services.getJsonObject(0).getInteger("workers")).isEqualTo(3);
    assertThat(services.getJsonObject(0).getJsonArray("consumers")).isEmpty();
    assertThat(ask("GET", ORDERS, null)).isEqualTo(services.getJsonObject(0));
  }

  @Test
  void listsTheConsumersOfAServiceThatIsHandledElsewhere() {
    Futures.result("serving", node.weir.remote().serve("letters", new ServiceOptions()));
    Futures.result(
        "consuming",
        node.weir
            .remote()
            .consume(
                "letters",
                new RemoteConsumerOptions().setCredits(7).setName("printer"),
                message -> Future.succeededFuture()));
    Await.until("it has come", () -> node.weir.service("letters").stats().workers() == 7);
    assertThat(ask("GET", "admin/services/letters", null).getJsonArray("consumers"))
        .containsExactly(
            new JsonObject()
                .put("name", "printer")
                .put("credits", 7)
                .put("out", 0)
                .put("answered", 0));
  }

  @Test
  void letsNobodyInWithoutTheToken() {
    for (String path : List.of("admin/services", ORDERS, ORDERS + "/dead-letters")) {
      assertThat(request("GET", path, null, "other").statusCode()).isEqualTo(401);
    }
    assertThat(request("POST", ORDERS + "/pause", null, "").statusCode()).isEqualTo(401);
    assertThat(service.stats().paused()).isFalse();
  }

  @Test
  void pausesAndResumes() {
    assertThat(ask("POST", ORDERS + "/pause", null).getBoolean("paused")).isTrue();
    assertThat(service.stats().paused()).isTrue();
    assertThat(ask("POST", ORDERS + "/resume", null).getBoolean("paused")).isFalse();
    assertThat(service.stats().paused()).isFalse();
  }

  @Test
  void backsUpTheDirectoryInUseAndTellsHowFarItIs() {
    assertThat(ask("GET", "admin/backup", null).getString("state")).isEqualTo("none");
    service.pause();
    Futures.result("send", node.weir.send("orders", "kept", Durability.PROCESS));

    ask("POST", "admin/backup?name=monday", null);

    Await.until(
        "it has ended",
        () -> !ask("GET", "admin/backup", null).getString("state").equals("running"));
    JsonObject done = ask("GET", "admin/backup", null);
    Path target = directory.resolve("backups/monday");
    assertThat(done.getString("state")).as(done.encode()).isEqualTo("done");
    assertThat(done.getString("target")).isEqualTo(target.toString());
    assertThat(done.getLong("doneBytes")).isPositive().isEqualTo(done.getLong("totalBytes"));
    try (QueueDirectory copy = QueueDirectory.open(target)) {
      assertThat(copy.queues()).containsExactly("orders");
    }
    assertThat(refused(409, "POST", "admin/backup?name=monday", null).getString("detail"))
        .endsWith("monday exists");
    assertThat(refused(400, "POST", "admin/backup?name=../sunday", null).getString("detail"))
        .startsWith("name is ../sunday, allowed are");
  }

  @Test
  void releasesRetriesThatWaitForTheirTime() {
    ServiceOptions patient = new ServiceOptions().setMaxAttempts(2).setMaxBackoffMs(3_600_000);
    Service later =
        node.serve(
            "later",
            patient.setBackoffMs(3_600_000),
            message ->
                broken.get()
                    ? Future.failedFuture(new IllegalStateException("no stock"))
                    : Future.succeededFuture("ok"));
    Futures.result("send", node.weir.send("later", "again", Durability.PROCESS));
    Await.until("it waits for its time", () -> later.stats().scheduled() == 1);
    broken.set(false);

    assertThat(ask("POST", "admin/services/later/release", null).getLong("released")).isEqualTo(1);

    Await.until("it is handled", () -> later.stats().completed() == 1);
  }

  @Test
  void changesTheNumberOfWorkers() {
    assertThat(ask("PUT", ORDERS + "/workers", "{\"workers\": 7}").getInteger("workers"))
        .isEqualTo(7);
    assertThat(service.stats().workers()).isEqualTo(7);
  }

  @Test
  void saysWhatIsAllowedForWorkers() {
    for (String body :
        List.of(
            "{\"workers\": 0}",
            "{\"workers\": 1000001}",
            "{\"workers\": \"7\"}",
            "{}",
            "[7]",
            "{",
            "")) {
      assertThat(refused(400, "PUT", ORDERS + "/workers", body).getString("detail"))
          .as(body)
          .endsWith("allowed is {\"workers\": n} with n from 1 to 1000000");
    }
    refused(413, "PUT", ORDERS + "/workers", " ".repeat(5000) + "{\"workers\": 7}");
    assertThat(service.stats().workers()).isEqualTo(3);
  }

  @Test
  void answersWith404WhenNobodyServesTheAddress() {
    assertThat(refused(404, "POST", "admin/services/mail/pause", null).getString("detail"))
        .isEqualTo("there is no service mail");
  }

  @Test
  void findsAServiceWhoseAddressHasToBeEscaped() {
    node.serve("a/b c?d", new ServiceOptions(), message -> Future.succeededFuture());
    assertThat(ask("GET", "admin/services/a%2Fb%20c%3Fd", null).getString("address"))
        .isEqualTo("a/b c?d");
  }

  @Test
  void showsDeadLettersInPages() {
    die(Buffer.buffer("one"), Buffer.buffer(new byte[] {0, 1, (byte) 0xff}), "ü".repeat(200));
    JsonObject first = ask("GET", ORDERS + "/dead-letters?max=2", null);
    assertThat(first.getLong("count")).isEqualTo(3);
    JsonArray letters = first.getJsonArray("letters");
    assertThat(letters).hasSize(2);
    JsonObject one = letters.getJsonObject(0);
    assertThat(one.getString("reason")).contains("no stock");
    assertThat(one.getInteger("deliveries")).isEqualTo(1);
    assertThat(one.getString("lastAttemptAt")).endsWith("Z");
    assertThat(one.getJsonArray("headers"))
        .containsExactly(new JsonObject().put("name", "from").put("value", "me"));
    assertThat(one.getJsonObject("body").getString("text")).isEqualTo("one");
    assertThat(letters.getJsonObject(1).getJsonObject("body").getString("base64"))
        .isEqualTo("AAH/");
    long next = letters.getJsonObject(1).getLong("number") + 1;
    JsonObject last =
        ask("GET", ORDERS + "/dead-letters?from=" + next, null)
            .getJsonArray("letters")
            .getJsonObject(0);
    assertThat(last.getJsonObject("body").getBoolean("cut")).isTrue();
    assertThat(last.getJsonObject("body").getString("text")).isEqualTo("ü".repeat(128));
    JsonObject whole = ask("GET", ORDERS + "/dead-letters/" + last.getLong("number"), null);
    assertThat(whole.getJsonObject("body").getString("text")).isEqualTo("ü".repeat(200));
    assertThat(whole.getJsonObject("body").getInteger("bytes")).isEqualTo(400);
  }

  @Test
  void requeuesOneAndThenAll() {
    die("one", "two", "three");
    long number = firstNumber();
    broken.set(false);
    assertThat(ask("POST", ORDERS + "/dead-letters/" + number + "/requeue", null))
        .isEqualTo(new JsonObject().put("requeued", 1));
    Await.until("it is handled", () -> service.stats().completed() == 1);
    assertThat(ask("POST", ORDERS + "/dead-letters/requeue", null))
        .isEqualTo(new JsonObject().put("requeued", 2));
    Await.until("all are handled", () -> service.stats().completed() == 3);
    refused(404, "POST", ORDERS + "/dead-letters/" + number + "/requeue", null);
  }

  private long firstNumber() {
    return ask("GET", ORDERS + "/dead-letters", null)
        .getJsonArray("letters")
        .getJsonObject(0)
        .getLong("number");
  }

  @Test
  void purgesOneAndThenAllIfTheirNumberIsGiven() {
    die("one", "two", "three");
    long number = firstNumber();
    assertThat(ask("DELETE", ORDERS + "/dead-letters/" + number, null))
        .isEqualTo(new JsonObject().put("purged", 1));
    refused(404, "DELETE", ORDERS + "/dead-letters/" + number, null);
    String confirmed = confirmed(ask("GET", ORDERS + "/dead-letters", null));
    String mark = confirmed.replace("?count=2", "");
    for (String query : List.of("", "?count=2", "?count=3" + mark, "?count=1" + mark)) {
      assertThat(refused(409, "DELETE", ORDERS + "/dead-letters" + query, null).getString("detail"))
          .isEqualTo("there are 2 dead letters; to purge them all, say so: " + confirmed);
    }
    assertThat(ask("DELETE", ORDERS + "/dead-letters" + confirmed, null))
        .isEqualTo(new JsonObject().put("purged", 2));
    assertThat(service.deadLetters().count()).isZero();
  }

  @Test
  void purgesNoDeadLetterThatCameAfterTheList() {
    service = serveBroken("few", new DeadLetterOptions().setMaxCount(2));
    dieAt("few", "a", "b");
    JsonObject listed = ask("GET", "admin/services/few/dead-letters", null);
    dieAt("few", "c");
    Await.until("a is dropped", () -> service.queueStats().deadLettersTrimmed() == 1);

    assertThat(service.deadLetters().count()).isEqualTo(listed.getLong("count"));
    assertThat(
            refused(409, "DELETE", "admin/services/few/dead-letters" + confirmed(listed), null)
                .getString("detail"))
        .startsWith("there are 2 dead letters, others than those that were listed; ");
    assertThat(service.deadLetters().count()).isEqualTo(2);
    listed = ask("GET", "admin/services/few/dead-letters", null);
    assertThat(ask("DELETE", "admin/services/few/dead-letters" + confirmed(listed), null))
        .isEqualTo(new JsonObject().put("purged", 2));
  }

  @Test
  void requeuesNoneAgainThatFailsAgain() {
    die("1", "2", "3", "4", "5", "6", "7");
    String mark = ask("GET", ORDERS + "/dead-letters", null).getString("mark");
    long requeued = 0;
    Long from = 0L;
    for (int request = 0; from != null; request++) {
      assertThat(request).as("requests").isLessThan(10);
      JsonObject answer =
          ask(
              "POST",
              ORDERS + "/dead-letters/requeue?max=2&reason=stock&mark=" + mark + "&from=" + from,
              null);
      requeued += answer.getLong("requeued");
      from = answer.getLong("next");
      Await.until("they are dead again", () -> service.deadLetters().count() == 7);
    }
    assertThat(requeued).isEqualTo(7);
    assertThat(ask("POST", ORDERS + "/dead-letters/requeue?mark=" + mark, null))
        .isEqualTo(new JsonObject().put("requeued", 0));
  }

  @Test
  void changesNothingByAMarkFromBeforeARestart() {
    die("one");
    JsonObject listed = ask("GET", ORDERS + "/dead-letters", null);
    Futures.result("close", service.close());
    service = serveBroken("orders", new DeadLetterOptions());
    String mark = listed.getString("mark");
    for (String rate : List.of("", "&rate=1000")) {
      assertThat(
              refused(409, "POST", ORDERS + "/dead-letters/requeue?mark=" + mark + rate, null)
                  .getString("detail"))
          .isEqualTo("the service was started again since mark " + mark + "; list them again");
    }
    refused(409, "DELETE", ORDERS + "/dead-letters" + confirmed(listed), null);
    refused(400, "DELETE", ORDERS + "/dead-letters?count=1&mark=all", null);
    refused(400, "POST", ORDERS + "/dead-letters/requeue?mark=all", null);
    assertThat(service.deadLetters().count()).isEqualTo(1);
  }

  @Test
  void saysWhatIsAllowedInNumbers() {
    refused(400, "GET", ORDERS + "/dead-letters?max=101", null);
    refused(400, "GET", ORDERS + "/dead-letters?from=-1", null);
    refused(400, "DELETE", ORDERS + "/dead-letters/x", null);
    assertThat(refused(400, "GET", ORDERS + "/dead-letters?max=many", null).getString("detail"))
        .isEqualTo("max is many, allowed is a whole number from 1 to 100");
  }

  @Test
  void hasNoDeadLettersWithoutADiskTier() {
    node.serve("memory", new ServiceOptions().setDiskBytes(0), m -> Future.succeededFuture());
    JsonObject none = ask("GET", "admin/services/memory/dead-letters", null);
    assertThat(none.getLong("count")).isZero();
    assertThat(none.getJsonArray("letters")).isEmpty();
  }

  @Test
  void logsWhatWasChangedButNeverTheToken() {
    List<String> lines = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            lines.add(new SimpleFormatter().formatMessage(entry));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(AdminRoutes.class.getName());
    logger.addHandler(handler);
    try {
      die("one");
      ask("PUT", ORDERS + "/workers", "{\"workers\": 7}");
      ask("POST", ORDERS + "/pause", null);
      JsonObject listed = ask("GET", ORDERS + "/dead-letters", null);
      ask("DELETE", ORDERS + "/dead-letters" + confirmed(listed), null);
      ask("GET", ORDERS, null);
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(lines)
        .containsExactly(
            "service orders: workers 3 -> 7, by an administrator at 127.0.0.1",
            "service orders: paused, by an administrator at 127.0.0.1",
            "service orders: purged all dead letters, 1, by an administrator at 127.0.0.1");
  }

  private List<Object> listed(String filter) {
    JsonObject answer = ask("GET", ORDERS + "/dead-letters?" + filter, null);
    return answer.getJsonArray("letters").stream()
        .map(letter -> ((JsonObject) letter).getJsonObject("body").getValue("text"))
        .toList();
  }

  @Test
  void choosesDeadLettersByIdKeyReasonAndTime() {
    die("one", "two", "three");
    JsonObject two =
        ask("GET", ORDERS + "/dead-letters", null).getJsonArray("letters").getJsonObject(1);
    String at = two.getString("diedAt");
    assertThat(listed("id=" + two.getString("id"))).containsExactly("two");
    assertThat(listed("id=nobody")).isEmpty();
    assertThat(listed("key=k")).isEmpty();
    assertThat(listed("reason=NO%20STOCK")).containsExactly("one", "two", "three");
    assertThat(listed("reason=other")).isEmpty();
    assertThat(listed("after=" + at)).contains("two", "three");
    assertThat(listed("before=" + at)).doesNotContain("two", "three");
    assertThat(listed("after=2100-01-01T00:00:00Z")).isEmpty();
    assertThat(refused(400, "GET", ORDERS + "/dead-letters?before=now", null).getString("detail"))
        .isEqualTo("before is now, allowed is a time such as 2026-01-31T23:59:59Z");
    DeliveryOptions keyed = new DeliveryOptions().addHeader(ServiceMessage.KEY, "k");
    Futures.result("send", node.weir.send("orders", "keyed", Durability.PROCESS, keyed));
    Await.until("it is dead", () -> service.deadLetters().count() == 4);
    assertThat(listed("key=k")).containsExactly("keyed");
    assertThat(listed("key=k&reason=other")).isEmpty();
  }

  @Test
  void pagesThroughWhatIsChosen() {
    die("one", "two", "three");
    JsonObject first = ask("GET", ORDERS + "/dead-letters?max=2&reason=stock", null);
    assertThat(first.getJsonArray("letters")).hasSize(2);
    long next = first.getLong("next");
    assertThat(listed("max=2&reason=stock&from=" + next)).containsExactly("three");
    assertThat(ask("GET", ORDERS + "/dead-letters?max=2&from=" + next, null).getValue("next"))
        .isNull();
  }

  /** The store lists some megabytes at once. */
  @Test
  void showsAndRequeuesAllThatIsChosenHoweverLargeTheBodiesAre() {
    Object[] large = new Object[7];
    Arrays.fill(large, "x".repeat(1 << 20));
    die(large);

    assertThat(ask("GET", ORDERS + "/dead-letters", null).getJsonArray("letters")).hasSize(7);
    assertThat(listed("reason=stock")).hasSize(7);
    broken.set(false);
    JsonObject answer = ask("POST", ORDERS + "/dead-letters/requeue?reason=stock", null);
    assertThat(answer.getInteger("requeued")).isEqualTo(7);
    assertThat(answer.getValue("next")).isNull();
    Await.until("they are handled", () -> service.stats().completed() == 7);
  }

  @Test
  void requeuesWhatIsChosenAtARate() {
    die("one", "two", "three", "four");
    broken.set(false);
    String two =
        ask("GET", ORDERS + "/dead-letters", null)
            .getJsonArray("letters")
            .getJsonObject(1)
            .getString("id");
    assertThat(ask("POST", ORDERS + "/dead-letters/requeue?id=" + two, null).getInteger("requeued"))
        .isEqualTo(1);
    Await.until("it is handled", () -> service.stats().completed() == 1);
    long startNs = System.nanoTime();
    JsonObject answer = ask("POST", ORDERS + "/dead-letters/requeue?rate=10", null);
    assertThat(answer.getInteger("requeued")).isEqualTo(3);
    assertThat(answer.getValue("next")).isNull();
    assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(200_000_000L);
    Await.until("they are handled", () -> service.stats().completed() == 4);
    refused(400, "POST", ORDERS + "/dead-letters/requeue?rate=0", null);
  }

  @Test
  void aMoveIsRefusedWhileAnotherMessageHasItsId() {
    node.serve("payments", new ServiceOptions(), message -> Future.succeededFuture());
    die("one");
    JsonObject letter =
        ask("GET", ORDERS + "/dead-letters", null).getJsonArray("letters").getJsonObject(0);
    long number = letter.getLong("number");
    long diedAtMs = Instant.parse(letter.getString("diedAt")).toEpochMilli();
    Futures.result(
        "a message of a client under the id",
        node.weir.sendWithId(
            "payments",
            "other",
            Durability.PROCESS,
            new DeliveryOptions(),
            "moved-orders-" + number + "-" + diedAtMs,
            "other"));
    refused(409, "POST", ORDERS + "/dead-letters/" + number + "/move?to=payments", null);
    assertThat(service.deadLetters().count()).isEqualTo(1);
  }

  @Test
  void aMovedDeadLetterKeepsItsKeyAndIsNeitherDelayedNorExpiredAgain() {
    List<String> moved = new CopyOnWriteArrayList<>();
    node.serve(
        "payments",
        new ServiceOptions(),
        message -> {
          moved.add(message.body() + " of " + message.key());
          return Future.succeededFuture();
        });
    DeliveryOptions times =
        new DeliveryOptions()
            .addHeader(ServiceMessage.DELAY_MS, "3600000")
            .addHeader(ServiceMessage.EXPIRES_IN_MS, "7200000");
    Futures.result(
        "a send",
        node.weir.send(
            "orders", "one", Durability.PROCESS, times, MessageOptions.NONE.withKey("k")));
    Await.until("it is scheduled", () -> service.stats().scheduled() == 1);
    assertThat(Futures.result("released", service.releaseScheduled())).isEqualTo(1);
    Await.until("it is dead", () -> service.deadLetters().count() == 1);
    JsonObject letter =
        ask("GET", ORDERS + "/dead-letters", null).getJsonArray("letters").getJsonObject(0);

    ask("POST", ORDERS + "/dead-letters/" + letter.getLong("number") + "/move?to=payments", null);

    Await.until("it is handled there", () -> moved.size() == 1);
    assertThat(moved).containsExactly("one of k");
  }

  /** An amount that is encoded when it is sent. */
  private record Amount(int cents) {}

  @Test
  void aMoveOfADeadLetterThatIsRequeuedMeanwhileIsAConflict() {
    AtomicBoolean requeues = new AtomicBoolean();
    node.weir.registerCodec(
        Amount.class,
        new MessageCodec<Amount, Amount>() {
          @Override
          public void encodeToWire(Buffer buffer, Amount amount) {
            if (requeues.get()) {
              service.deadLetters().requeueAll();
              Await.until("it is requeued", () -> service.deadLetters().count() == 0);
            }
            buffer.appendInt(amount.cents());
          }

          @Override
          public Amount decodeFromWire(int position, Buffer buffer) {
            return new Amount(buffer.getInt(position));
          }

          @Override
          public Amount transform(Amount amount) {
            return amount;
          }

          @Override
          public String name() {
            return "amount";
          }

          @Override
          public byte systemCodecID() {
            return -1;
          }
        });
    node.serve("payments", new ServiceOptions(), message -> Future.succeededFuture());
    die(new Amount(7));
    broken.set(false);
    requeues.set(true);
    long number =
        ask("GET", ORDERS + "/dead-letters", null)
            .getJsonArray("letters")
            .getJsonObject(0)
            .getLong("number");
    String move = ORDERS + "/dead-letters/" + number + "/move?to=payments";
    assertThat(refused(409, "POST", move, null).getString("detail"))
        .isEqualTo(
            "dead letter "
                + number
                + " was requeued or purged meanwhile; payments has its message all the same");
  }

  @Test
  void movesADeadLetterToAnotherService() {
    List<Object> moved = new CopyOnWriteArrayList<>();
    node.serve(
        "payments",
        new ServiceOptions(),
        message -> {
          moved.add(message.body() + " from " + message.headers().get("from"));
          return Future.succeededFuture();
        });
    node.serve("memory", new ServiceOptions().setDiskBytes(0), m -> Future.succeededFuture());
    die("one", "two");
    long number =
        ask("GET", ORDERS + "/dead-letters", null)
            .getJsonArray("letters")
            .getJsonObject(0)
            .getLong("number");
    String move = ORDERS + "/dead-letters/" + number + "/move?to=";
    assertThat(ask("POST", move + "payments", null).getInteger("moved")).isEqualTo(1);
    Await.until("it is handled there", () -> moved.size() == 1);
    assertThat(moved).containsExactly("one from me");
    assertThat(service.deadLetters().count()).isEqualTo(1);
    refused(404, "POST", move + "payments", null);
    String rest = ORDERS + "/dead-letters/" + (number + 1) + "/move";
    for (String to : List.of("", "?to=nobody", "?to=orders")) {
      refused(400, "POST", rest + to, null);
    }
    refused(409, "POST", rest + "?to=memory", null);
    assertThat(service.deadLetters().count()).isEqualTo(1);
  }
}
