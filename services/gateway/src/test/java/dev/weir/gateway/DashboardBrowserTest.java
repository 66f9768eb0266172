package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.queue.DeadLetterOptions;
import dev.weir.queue.Durability;
import dev.weir.queue.OverflowPolicy;
import dev.weir.testing.Await;
import dev.weir.testing.Browser;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The dashboard in a real browser; skipped on a machine that has none. */
@Tag("slow")
class DashboardBrowserTest extends DashboardBrowserTestBase {
  private static final String DETAIL = "#figures dd[data-figure='%s']";

  /** What the page shows of a service, and the series of the scrape it is to equal. */
  private static final Map<String, String> SERIES = new LinkedHashMap<>();

  static {
    SERIES.put("workers", "weir_service_workers");
    SERIES.put("busyWorkers", "weir_service_workers_busy");
    SERIES.put("waitingInMemory", "weir_service_memory_messages");
    SERIES.put("waitingInMemoryBytes", "weir_service_memory_bytes");
    SERIES.put("waitingOnDisk", "weir_service_disk_messages");
    SERIES.put("waitingOnDiskBytes", "weir_service_disk_bytes");
    SERIES.put("diskLimitBytes", "weir_service_disk_limit_bytes");
    SERIES.put("scheduled", "weir_service_scheduled_messages");
    SERIES.put("accepted", "weir_service_accepted_total");
    SERIES.put("completed", "weir_service_completed_total");
    SERIES.put("failed", "weir_service_failed_total");
    SERIES.put("retried", "weir_service_retried_total");
    SERIES.put("rejected", "weir_service_rejected_total");
    SERIES.put("dropped", "weir_service_dropped_total");
    SERIES.put("deadLetters", "weir_service_dead_letters");
  }

  private static final Map<String, Double> QUANTILES =
      Map.of("p50", 0.5, "p90", 0.9, "p99", 0.99, "p999", 0.999);

  /** What the page shows of a service, exactly. */
  private static final String SHOWN =
      "return Object.fromEntries([...document.querySelectorAll('#figures dd[data-figure]')]"
          + ".map(each => [each.dataset.figure, each.dataset.value]))";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static ServiceOptions options() {
    return new ServiceOptions().setWorkers(3).setMaxAttempts(1);
  }

  private Service broken(String address, AtomicBoolean broken) {
    return node.serve(
        address,
        options(),
        message ->
            broken.get()
                ? Future.failedFuture(new IllegalStateException("no stock"))
                : Future.succeededFuture("ok"));
  }

  private void send(String address, String body) {
    Futures.result("send", node.weir.send(address, Buffer.buffer(body), Durability.PROCESS));
  }

  private void signIn() {
    browser.click("#sign");
    browser.find("#token").sendKeys(DashboardServer.TOKEN, Keys.ENTER);
    browser.awaitText("#sign", "Sign out");
  }

  private String exact(String css) {
    return browser.is(css) ? browser.find(css).getDomAttribute("data-value") : "";
  }

  private PrometheusText scrape() {
    HttpRequest request = HttpRequest.newBuilder(URI.create(node.url() + "metrics")).build();
    try {
      return new PrometheusText(http.send(request, BodyHandlers.ofString()).body());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no scrape", e);
    }
  }

  @Test
  void showsWhatTheMetricsSay() throws Exception {
    Queue<Promise<Object>> held = new ConcurrentLinkedQueue<>();
    Service full =
        node.serve(
            "full",
            options().setMemoryMessages(4).setDiskBytes(0).setPolicy(OverflowPolicy.FAIL),
            message -> {
              Promise<Object> reply = Promise.promise();
              held.add(reply);
              return reply.future();
            });
    Service mixed =
        node.serve(
            "mixed",
            options(),
            message -> {
              String body = message.body().toString();
              return body.endsWith("3")
                  ? Future.failedFuture(new IllegalStateException("no stock"))
                  : Future.succeededFuture(body);
            });
    browser.open(node.url());
    IntStream.range(0, 12)
        .forEach(i -> node.vertx.eventBus().request("full", Buffer.buffer("message " + i)));
    IntStream.range(0, 200)
        .forEach(i -> node.vertx.eventBus().request("mixed", Buffer.buffer("message " + i)));
    IntStream.range(0, 20).forEach(i -> send("mixed", "durable " + i));
    Await.until("full rejects", () -> full.stats().rejected() == 5);
    Await.until(
        "mixed has done all", () -> mixed.stats().completed() + mixed.stats().failed() == 220);
    Await.until("mixed is at rest", () -> mixed.stats().busyWorkers() == 0);
    for (String address : new String[] {"full", "mixed"}) {
      browser.click("#services tr[data-key='" + address + "'] button");
      browser.awaitText("#detail-title", address);
      Await.until(
          () -> "the page shows what the metrics say, not " + differing(address),
          () -> differing(address).isEmpty() || Browser.isLater());
    }
    assertThat(exact(DETAIL.formatted("handled-p99"))).isNotEmpty();
    assertThat(browser.text("#services tr[data-key='full'] [data-figure='busyWorkers']"))
        .isEqualTo("3");
    assertThat(browser.text(DETAIL.formatted("accepted"))).isEqualTo("220");
    assertThat(scrape().value("weir_gateway_ready")).isEqualTo(1);
    assertThat(browser.text("#readiness")).isEqualTo("ready");
    assertStoreEqualsMetrics();
    assertThat(browser.complaints()).isEmpty();
    held.forEach(reply -> reply.complete("ok"));
  }

  /** Figures of a service that the page does not show as a scrape has them: all at one moment. */
  private List<String> differing(String address) {
    PrometheusText scraped = scrape();
    Map<?, ?> shown = (Map<?, ?>) browser.run(SHOWN);
    List<String> differing = new ArrayList<>();
    SERIES.forEach(
        (figure, series) -> {
          double value = scraped.value(series + "{address=\"" + address + "\"}");
          compare(figure, shown.get(figure), value, 0, differing);
        });
    if (address.equals("mixed")) {
      for (String what : new String[] {"waited", "handled"}) {
        String series = what.equals("waited") ? "waiting" : "handling";
        QUANTILES.forEach(
            (name, quantile) -> {
              double value =
                  scraped.quantileMs(quantile, "weir_service_" + series + "_seconds", address);
              compare(what + "-" + name, shown.get(what + "-" + name), value, 0.001, differing);
            });
      }
    }
    return differing;
  }

  private static void compare(
      String figure, Object shown, double value, double within, List<String> differing) {
    String text = shown == null ? "" : shown.toString();
    if (text.isEmpty() || Math.abs(Double.parseDouble(text) - value) > within) {
      differing.add(figure + " '" + text + "' for " + value);
    }
  }

  private void assertStoreEqualsMetrics() throws Exception {
    String tag = "{directory=\"" + directory + "\"}";
    String used = "#store [data-figure='usedBytes']";
    // Scraped each time: the store may write of itself.
    Await.until(
        () -> "the log has as many bytes as a scrape says, not " + exact(used),
        () ->
            Double.parseDouble(exact(used)) == scrape().value("weir_store_log_bytes" + tag)
                || Browser.isLater());
    assertThat(exact("#store [data-figure='minFreeBytes']"))
        .isEqualTo(Long.toString((long) scrape().value("weir_store_min_free_bytes" + tag)));
    assertThat(exact("#store [data-figure='budgetBytes']"))
        .isEqualTo(Long.toString(ServiceOptions.DEFAULT_DISK_BYTES));
  }

  @Test
  void showsWhatTheMetricsSayOfAGroup() throws Exception {
    try (ProcessorGroup group = node.group("cars")) {
      Await.until("it accepts", () -> group.stats().accepting());
      browser.open(node.url());
      String row = "#groups tr[data-key='cars'] ";
      browser.awaitText(row + "[data-figure='role']", "primary");
      browser.awaitText(row + "[data-figure='accepting']", "yes");
      browser.awaitText(row + "[data-figure='primary']", "node-a");
      PrometheusText scrape = scrape();
      assertThat(scrape.value("weir_group_role{group=\"cars\",role=\"primary\"}")).isEqualTo(1);
      Map.of("epoch", "epoch", "inSync", "in_sync", "lag", "lag_messages")
          .forEach(
              (figure, series) ->
                  assertThat(Double.parseDouble(exact(row + "[data-figure='" + figure + "']")))
                      .as(figure)
                      .isEqualTo(scrape.value("weir_group_" + series + "{group=\"cars\"}")));
      assertThat(browser.text(row + "td:nth-child(5)")).isEqualTo("1 / 1");
      assertThat(browser.text(row + ".reason")).isEqualTo(group.stats().reason());
      assertThat(browser.hindrances()).isEmpty();
      browser.resize(320, 640, true);
      assertNoSidewaysScroll();
    }
  }

  @Test
  void aLinkThatIsNotWellFormedOpensThePageToo() {
    broken("orders", new AtomicBoolean());
    browser.open(node.url() + "#%");
    browser.awaitText("#detail-title", "orders");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aPageThatIsLoadedShowsWhatWasBefore() {
    broken("orders", new AtomicBoolean());
    browser.open(node.url());
    browser.awaitText("#detail-title", "orders");
    Await.until("some points", () -> pointsShown() >= 5);
    browser.open("about:blank");
    browser.open(node.url());
    browser.awaitText("#detail-title", "orders");
    assertThat(pointsShown()).isGreaterThanOrEqualTo(5);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void eachAxisHasItsUnit() {
    broken("orders", new AtomicBoolean());
    browser.open(node.url());
    browser.awaitText("#detail-title", "orders");
    Map.of("rates", "messages/s", "waiting", "messages", "latency", "ms")
        .forEach((chart, unit) -> assertThat(unitShown(chart)).as(chart).isEqualTo(unit));
    String first = "return Chart.getChart('chart-%s').scales.x.ticks[0]?.label";
    for (String chart : new String[] {"rates", "waiting", "latency"}) {
      Await.until(
          chart + " begins two minutes ago",
          () -> "120 s".equals(browser.run(first.formatted(chart))) || Browser.isLater());
    }
  }

  private static Object unitShown(String chart) {
    return browser.run(
        "const { title } = Chart.getChart('chart-%s').options.scales.y;".formatted(chart)
            + "return title.display ? title.text : ''");
  }

  @Test
  void whatTookLessThanTheFirstBoundIsNotMadeUp() {
    Service service =
        node.serve("orders", options(), message -> Future.succeededFuture(message.body()));
    browser.open(node.url());
    browser.awaitText("#detail-title", "orders");
    String p50 = DETAIL.formatted("handled-p50");
    Await.until(
        () -> "half of them take less than the first bound, not " + exact(p50),
        () -> {
          IntStream.range(0, 500)
              .forEach(i -> node.vertx.eventBus().request("orders", Buffer.buffer("x")));
          Await.until("all are handled", () -> service.stats().busyWorkers() == 0);
          return exact(p50).equals("0.01") || Browser.isLater();
        });
    assertThat(browser.text(p50)).isEqualTo("≤ 10 µs");
  }

  @Test
  void beforeTheSignInNobodyIsOfferedToChangeAnything() {
    broken("orders", new AtomicBoolean());
    browser.open(node.url());
    browser.awaitText("#detail-title", "orders");
    assertActionsShown(false);
    signIn();
    assertActionsShown(true);
    browser.click("#sign");
    browser.awaitText("#sign", "Sign in");
    assertActionsShown(false);
  }

  private static void assertActionsShown(boolean shown) {
    for (String action :
        new String[] {"pause", "workers", "release", "waiting", "letters", "backup", "queues"}) {
      assertThat(browser.isShown("#" + action)).as(action).isEqualTo(shown);
    }
  }

  @Test
  void showsTheLastHourToo() throws IOException {
    broken("orders", new AtomicBoolean());
    browser.open(node.url());
    browser.awaitText("#detail-title", "orders");
    browser.click("#hour");
    String chart = "return Chart.getChart('chart-rates').options.scales.x.";
    Await.until("an hour", () -> (Long) browser.run(chart + "min") == -3600);
    assertThat(browser.run(chart + "ticks.callback(-1800)")).isEqualTo("30 min");
    assertThat(browser.is("#hour[aria-pressed='true']")).isTrue();
    assertThat(browser.is("#minutes[aria-pressed='false']")).isTrue();
    assertThat(browser.hindrances()).isEmpty();
    browser.click("#minutes");
    Await.until("two minutes", () -> (Long) browser.run(chart + "min") == -120);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void showsTheFiguresOfTheProcess() {
    browser.open(node.url());
    browser.awaitText("#process [data-figure='heapUsedBytes']", "MiB");
    browser.awaitText("#process [data-figure='cpu']", "%");
    assertThat(Double.parseDouble(exact("#process [data-figure='threads']"))).isPositive();
  }

  @Test
  void showsTheFiguresOfTheGatewayItself() throws Exception {
    broken("orders", new AtomicBoolean());
    Gateway gateway =
        Futures.result(
            "the gateway starts",
            Gateway.start(node.vertx, node.weir, new GatewayOptions().setPort(0)));
    try {
      String url = "http://127.0.0.1:" + gateway.port() + "/";
      browser.open(url);
      HttpRequest denied =
          HttpRequest.newBuilder(URI.create(url + "services/orders"))
              .header("Origin", "https://elsewhere.example")
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      assertThat(http.send(denied, BodyHandlers.discarding()).statusCode()).isEqualTo(403);
      String figure = "#gateway [data-figure='%s']";
      browser.awaitText(figure.formatted("deniedRequests"), "1");
      Await.until(
          "the browser's own connection is counted",
          () -> exact(figure.formatted("connections")).matches("[1-9].*") || Browser.isLater());
      for (String other :
          new String[] {"requestsPerSecond", "inFlight", "refusedConnections", "timeouts"}) {
        // A rate is known from the second snapshot on.
        Await.until(
            other + " is shown",
            () -> !exact(figure.formatted(other)).isEmpty() || Browser.isLater());
      }
    } finally {
      browser.open("about:blank");
      Futures.result("the gateway closes", gateway.close());
    }
  }

  private static long pointsShown() {
    return (Long) browser.run("return Chart.getChart('chart-rates').data.datasets[0].data.length");
  }

  @Test
  void textsOfMessagesAndServicesAreNoMarkup() {
    String address = "<img src=x onerror=document.title='pwned'>";
    Service service =
        node.serve(
            address,
            options(),
            message -> Future.failedFuture(new IllegalStateException("<b id=bold>" + address)));
    Futures.result(
        "send",
        node.weir.send(
            address,
            "<script>document.title='pwned'</script>" + address,
            Durability.PROCESS,
            new DeliveryOptions().addHeader("<i>", address)));
    Await.until("it is dead", () -> service.deadLetters().count() == 1);
    browser.open(node.url());
    signIn();
    browser.awaitText("#letters", "(1)");
    browser.click("#letters");
    browser.awaitText("#letters-list", "onerror");
    browser.awaitText("#letters-list", "<script>");
    assertThat(browser.is("#letters-list img, #services img, #bold, #letters-list i")).isFalse();
    assertThat(browser.run("return document.title")).isEqualTo("Weir");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void pausesAndResumesAndChangesWorkersByClicking() {
    Service service = broken("orders", new AtomicBoolean());
    browser.open(node.url());
    browser.awaitText("#detail-title", "orders");
    signIn();
    browser.click("#pause");
    Await.until("it is paused", () -> service.stats().paused());
    browser.awaitText("#said", "orders is paused.");
    browser.awaitText("#pause", "Resume");
    assertThat(browser.isShown("#paused")).isTrue();
    browser.click("#pause");
    Await.until("it is resumed", () -> !service.stats().paused());
    browser.awaitText("#pause", "Pause");
    browser.click("#workers");
    browser.find("#workers-number").sendKeys(Keys.chord(Keys.CONTROL, "a"), "17", Keys.ENTER);
    Await.until("it has 17 workers", () -> service.stats().workers() == 17);
    browser.awaitText("#said", "orders has 17 workers.");
    browser.awaitText(DETAIL.formatted("workers"), "17");
    assertThat(browser.url()).doesNotContain(DashboardServer.TOKEN);
    assertThat(browser.run("return JSON.stringify(localStorage) + document.cookie").toString())
        .doesNotContain(DashboardServer.TOKEN);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void requeuesAndPurgesDeadLettersByClicking() {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    Service service = broken("orders", isBroken);
    IntStream.range(0, 5).forEach(i -> send("orders", "{\"order\": " + i + "}"));
    Await.until("five are dead", () -> service.deadLetters().count() == 5);
    browser.open(node.url());
    signIn();
    browser.awaitText("#letters", "(5)");
    browser.click("#letters");
    browser.awaitText("#letters-list li:first-child", "{\"order\": 0}");
    browser.awaitText("#letters-list li:first-child", "no stock");
    isBroken.set(false);
    browser.click("#letters-list li:first-child button");
    Await.until("it is handled", () -> service.stats().completed() == 1);
    browser.awaitText("#letters-count", "4 messages");
    browser.click("#letters-list li:first-child button.danger");
    browser.awaitText("#confirm-text", "1 message of orders is deleted.");
    browser.click("#confirm-yes");
    browser.awaitText("#letters-count", "3 messages");
    assertThat(service.deadLetters().count()).isEqualTo(3);
    browser.click("#purge-all");
    browser.awaitText("#confirm-title", "Purge 3 messages?");
    browser.press(Keys.ESCAPE);
    Await.until("it is not confirmed", () -> !browser.isShown("#confirm-dialog"));
    assertThat(service.deadLetters().count()).isEqualTo(3);
    browser.click("#requeue-all");
    browser.awaitText("#confirm-title", "Requeue 3 messages?");
    browser.press(Keys.ESCAPE);
    Await.until("it is not confirmed", () -> !browser.isShown("#confirm-dialog"));
    assertThat(service.stats().completed()).isEqualTo(1);
    browser.click("#requeue-all");
    browser.click("#confirm-yes");
    Await.until("they are handled", () -> service.stats().completed() == 4);
    browser.awaitText("#letters-dialog", "No dead letters");
  }

  @Test
  void findsAndDeletesAMessageThatWaitsOnDiskByClicking() {
    CompletableFuture<String> isReleased = new CompletableFuture<>();
    Service service =
        node.serve(
            "orders", options().setWorkers(1), message -> Future.fromCompletionStage(isReleased));
    IntStream.range(0, 4).forEach(i -> send("orders", "{\"order\": " + i + "}"));
    Await.until("three wait", () -> service.waitingMessages().count() == 3);
    browser.open(node.url());
    signIn();
    browser.click("#waiting");
    browser.awaitText("#waiting-count", "3 messages, 3 shown");
    browser.awaitText("#waiting-list li:first-child", "{\"order\": 1}");
    browser.find("#waiting-id").sendKeys("nobody", Keys.ENTER);
    browser.awaitText("#waiting-empty", "No message of this id waits on disk.");
    browser.find("#waiting-id").clear();
    browser.find("#waiting-id").sendKeys(Keys.ENTER);
    browser.awaitText("#waiting-count", "3 messages, 3 shown");
    browser.click("#waiting-list li:first-child .danger");
    browser.awaitText("#confirm-text", "1 message of orders is deleted");
    browser.click("#confirm-yes");
    browser.awaitText("#waiting-count", "2 messages, 2 shown");
    browser.awaitText("#waiting-list li:first-child", "{\"order\": 2}");
    isReleased.complete("done");
    Await.until("the others are handled", () -> service.stats().completed() == 3);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void deletesTheQueueOfAServiceThatIsGone() {
    Service old = broken("old", new AtomicBoolean(true));
    broken("orders", new AtomicBoolean());
    send("old", "{\"order\": 0}");
    Await.until("it is dead", () -> old.deadLetters().count() == 1);
    Futures.result("close", old.close());
    browser.open(node.url() + "#orders");
    browser.awaitText("#detail-title", "orders");
    signIn();
    browser.click("#queues");
    browser.awaitText("#queues-list", "0 waiting, 0 scheduled, 1 dead");
    browser.click("#queues-list .danger");
    browser.awaitText("#confirm-title", "Delete queue old?");
    browser.click("#confirm-yes");
    browser.awaitText("#queues-dialog", "None: each queue on disk belongs to a service");
    assertThat(Futures.result("queues", node.weir.unservedQueues())).isEmpty();
  }

  @Test
  void backsUpTheDirectoryReleasesAndMovesByClicking() {
    Service orders = broken("orders", new AtomicBoolean(true));
    Service spare = broken("spare", new AtomicBoolean());
    send("orders", "{\"order\": 0}");
    Await.until("it is dead", () -> orders.deadLetters().count() == 1);
    browser.open(node.url() + "#orders");
    browser.awaitText("#detail-title", "orders");
    signIn();
    browser.click("#backup");
    browser.find("#backup-name").sendKeys(Keys.chord(Keys.CONTROL, "a"), "monday", Keys.ENTER);
    browser.awaitText("#backup-state", "Backup done");
    assertThat(directory.resolve("backups/monday/weir.format")).exists();
    browser.click("#release");
    browser.click("#confirm-yes");
    browser.awaitText("#said", "0 messages released.");
    browser.click("#letters");
    browser.awaitText("#letters-list li:first-child", "{\"order\": 0}");
    browser.click("#letters-list li:first-child [aria-label^='Move number']");
    browser.find("#move-to").sendKeys("spare", Keys.ENTER);
    Await.until("it is handled there", () -> spare.stats().completed() == 1);
    browser.awaitText("#letters-dialog", "No dead letters");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void requeuesThoseThatFitAFilterAtARate() throws IOException {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    Service service =
        node.serve(
            "orders",
            options(),
            message ->
                isBroken.get()
                    ? Future.failedFuture(new IllegalStateException("no " + message.body()))
                    : Future.succeededFuture("ok"));
    for (String body : new String[] {"stock", "money", "stock", "stock"}) {
      send("orders", body);
    }
    Await.until("four are dead", () -> service.deadLetters().count() == 4);
    browser.open(node.url());
    signIn();
    browser.awaitText("#letters", "(4)");
    browser.click("#letters");
    browser.awaitText("#letters-count", "4 messages");
    browser.find("#letters-reason").sendKeys("No Stock", Keys.ENTER);
    browser.awaitText("#letters-count", "3 of 4 messages shown");
    assertThat(browser.isShown("#purge-all")).isFalse();
    isBroken.set(false);
    browser.find("#letters-rate").sendKeys("10");
    browser.click("#requeue-all");
    browser.awaitText("#confirm-text", "10 a second");
    browser.click("#confirm-yes");
    Await.until("they are handled", () -> service.stats().completed() == 3);
    browser.awaitText("#letters-count", "0 of 1 message shown");
    assertThat(service.deadLetters().count()).isEqualTo(1);
    assertThat(browser.hindrances()).isEmpty();
    assertThat(browser.complaints()).isEmpty();
  }

  private void sendDead(Service service, String id, String key) {
    DeliveryOptions about = new DeliveryOptions().addHeader(ServiceMessage.KEY, key);
    long before = service.deadLetters().count();
    Futures.result(
        "send", node.weir.sendWithId("orders", Buffer.buffer(id), Durability.PROCESS, about, id));
    Await.until(id + " is dead", () -> service.deadLetters().count() == before + 1);
  }

  /** Fills the filter; a time is typed in the language of the browser, so a script sets it. */
  private void filter(String id, String key, String after, String before) {
    browser.run(
        "for (const [id, value] of Object.entries(arguments[0]))"
            + " document.getElementById(`letters-${id}`).value = value",
        Map.of("id", id, "key", key, "after", after, "before", before));
    browser.click("#letters-filter [type='submit']");
  }

  @Test
  void showsTheDeadLettersOfAnIdOfAKeyAndOfATime() {
    Service service = broken("orders", new AtomicBoolean(true));
    sendDead(service, "first", "alice");
    sendDead(service, "second", "bob");
    sendDead(service, "third", "alice");
    browser.open(node.url());
    signIn();
    browser.awaitText("#letters", "(3)");
    browser.click("#letters");
    browser.awaitText("#letters-count", "3 messages");

    filter("second", "", "", "");
    browser.awaitText("#letters-count", "1 of 3 messages shown");
    browser.awaitText("#letters-list li:first-child", "second");
    filter("", "alice", "", "");
    browser.awaitText("#letters-count", "2 of 3 messages shown");
    browser.awaitText("#letters-list li:first-child", "first");
    filter("first", "bob", "", "");
    browser.awaitText("#letters-count", "0 of 3 messages shown");
    filter("", "", "2020-01-01T00:00", "");
    browser.awaitText("#letters-count", "3 of 3 messages shown");
    filter("", "", "", "2020-01-01T00:00");
    browser.awaitText("#letters-count", "0 of 3 messages shown");
    filter("", "bob", "2020-01-01T00:00", "2120-01-01T00:00");
    browser.awaitText("#letters-count", "1 of 3 messages shown");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void purgesAllOnlyIfNothingHasCome() {
    Service service = broken("orders", new AtomicBoolean(true));
    send("orders", "one");
    Await.until("one is dead", () -> service.deadLetters().count() == 1);
    browser.open(node.url());
    signIn();
    browser.awaitText("#letters", "(1)");
    browser.click("#letters");
    browser.awaitText("#letters-count", "1 message");
    send("orders", "two");
    Await.until("two are dead", () -> service.deadLetters().count() == 2);
    browser.click("#purge-all");
    browser.click("#confirm-yes");
    browser.awaitText("#letters-dialog .error", "there are 2 dead letters");
    browser.click("#letters-dialog [data-close]");
    browser.click("#letters");
    browser.awaitText("#letters-count", "2 messages");
    browser.click("#purge-all");
    browser.click("#confirm-yes");
    Await.until("all are gone", () -> service.deadLetters().count() == 0);
    browser.awaitText("#said", "2 messages purged.");
  }

  @Test
  void purgesNoneThatHasTakenThePlaceOfAnother() {
    Service service =
        node.serve(
            "orders",
            options().setDeadLetters(new DeadLetterOptions().setMaxCount(1)),
            message -> Future.failedFuture(new IllegalStateException("no stock")));
    send("orders", "one");
    Await.until("one is dead", () -> service.deadLetters().count() == 1);
    browser.open(node.url());
    signIn();
    browser.awaitText("#letters", "(1)");
    browser.click("#letters");
    browser.awaitText("#letters-list li:first-child", "one");
    send("orders", "two");
    Await.until("one is dropped", () -> service.queueStats().deadLettersTrimmed() == 1);
    browser.click("#purge-all");
    browser.click("#confirm-yes");
    browser.awaitText("#letters-dialog .error", "others than those that were listed");
    assertThat(service.deadLetters().count()).isEqualTo(1);
    browser.click("#requeue-all");
    browser.click("#confirm-yes");
    browser.awaitText("#said", "0 messages requeued.");
    browser.awaitText("#letters-list li:first-child", "two");
    browser.click("#purge-all");
    browser.click("#confirm-yes");
    browser.awaitText("#said", "1 message purged.");
    assertThat(service.deadLetters().count()).isZero();
  }

  @Test
  void saysThatAWrongTokenIsRefused() {
    Service service = broken("orders", new AtomicBoolean());
    browser.open(node.url());
    browser.click("#sign");
    browser.find("#token").sendKeys("wrong", Keys.ENTER);
    browser.awaitText("#sign-dialog .error", "The token was refused.");
    assertThat(service.stats().paused()).isFalse();
    assertThat(browser.text("#sign")).isEqualTo("Sign in");
    browser.press(Keys.ESCAPE);
    Await.until("the dialog closes", () -> !browser.isShown("#sign-dialog"));
    assertThat(browser.isShown("#actions")).isFalse();
    assertThat(service.stats().paused()).isFalse();
  }

  @Test
  void asksForATokenWhereTheFiguresNeedOne() {
    Service service = broken("orders", new AtomicBoolean());
    node.figuresLocked = true;
    browser.open(node.url());
    browser.awaitText("#connection", "locked");
    browser.awaitText("#stale", "need a token");
    browser.click("#sign");
    browser.find("#token").sendKeys(DashboardServer.LOOK, Keys.ENTER);
    browser.awaitText("#connection", "live");
    browser.awaitText("#services", "orders");
    assertThat(browser.isShown("#actions")).isFalse();
    assertThat(service.stats().paused()).isFalse();
    browser.click("#sign");
    browser.awaitText("#connection", "locked");
    signIn();
    browser.awaitText("#connection", "live");
  }

  @Test
  void worksByKeyboardAlone() {
    broken("mail", new AtomicBoolean());
    Service service = broken("orders", new AtomicBoolean());
    browser.open(node.url());
    browser.awaitText("#detail-title", "mail");
    browser.tabTo("#services tr[data-key='orders'] button");
    assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
        .isEqualTo("solid");
    browser.press(Keys.ENTER);
    browser.awaitText("#detail-title", "orders");
    browser.tabTo("#sign");
    browser.press(Keys.SPACE);
    Await.until("the token is asked for", () -> browser.is("#token:focus"));
    for (int i = 0; i < 6; i++) {
      browser.press(Keys.TAB);
      assertThat(browser.is("main :focus, header :focus")).as("focus leaves the dialog").isFalse();
    }
    browser.tabTo("#token");
    browser.press(DashboardServer.TOKEN, Keys.ENTER);
    browser.awaitText("#sign", "Sign out");
    Await.until("focus is back", () -> browser.is("#sign:focus"));
    browser.tabTo("#pause");
    browser.press(Keys.SPACE);
    Await.until("it is paused", () -> service.stats().paused());
    assertThat(browser.is("#pause:focus")).isTrue();
  }

  @Test
  void fitsAPhoneAndHindersNobodyInLightAndDark() throws IOException {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    Service service = broken("a-service.with.a-rather-long-address.of-its-own", isBroken);
    send(service.address(), "x".repeat(2000));
    Await.until("it is dead", () -> service.deadLetters().count() == 1);
    browser.open(node.url());
    browser.awaitText("#services", "a-service");
    String light = (String) browser.run("return getComputedStyle(document.body).backgroundColor");
    assertThat(browser.hindrances()).isEmpty();
    browser.prefer("dark");
    assertThat(browser.run("return getComputedStyle(document.body).backgroundColor"))
        .isNotEqualTo(light);
    assertThat(browser.hindrances()).isEmpty();
    browser.resize(320, 640, true);
    assertNoSidewaysScroll();
    assertThat(browser.hindrances()).isEmpty();
    signIn();
    browser.click("#letters");
    browser.awaitText("#letters-list", "no stock");
    assertNoSidewaysScroll();
    assertThat(browser.hindrances()).isEmpty();
    browser.press(Keys.ESCAPE);
    browser.click("#theme");
    browser.awaitText("#theme", "Theme: light");
    assertThat(browser.run("return getComputedStyle(document.body).backgroundColor"))
        .isEqualTo(light);
    browser.run("localStorage.clear()");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void saysThatItIsStaleAndConnectsAgainByItself() {
    broken("orders", new AtomicBoolean());
    // Not one that the system may give to a connection while nobody listens on it.
    int port = FreePorts.one();
    node.stop();
    node.listen(port);
    browser.open(node.url());
    browser.awaitText("#connection", "live");
    node.stop();
    browser.awaitText("#connection", "stale");
    browser.awaitText("#stale", "Connecting again.");
    broken("payments", new AtomicBoolean());
    node.listen(port);
    browser.awaitText("#connection", "live");
    browser.awaitText("#services", "payments");
    assertThat(browser.isShown("#stale")).isFalse();
  }

  @Test
  void saysThatThereAreNoServicesYet() throws IOException {
    browser.open(node.url());
    browser.awaitText("#no-services", "No services yet.");
    assertThat(browser.isShown("#detail")).isFalse();
    assertThat(browser.hindrances()).isEmpty();
    broken("orders", new AtomicBoolean());
    browser.awaitText("#services", "orders");
    assertThat(browser.isShown("#no-services")).isFalse();
    assertThat(browser.complaints()).isEmpty();
  }
}
