package dev.weir.gateway.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.HealthOptions;
import dev.weir.gateway.Node;
import dev.weir.gateway.metrics.MetricsFormat;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HealthTest {
  @TempDir Path directory;
  private Node node;

  @BeforeEach
  void start() {
    node = Node.start(directory);
  }

  @AfterEach
  void close() {
    node.close();
  }

  private HttpResponse<String> ready() {
    return node.get("/health/ready");
  }

  private static String state(HttpResponse<String> response, String check) {
    return new JsonObject(response.body())
        .getJsonArray("checks").stream()
            .map(JsonObject.class::cast)
            .filter(each -> each.getString("name").equals(check))
            .map(each -> each.getString("status") + " " + each.getString("detail", ""))
            .findFirst()
            .orElseThrow()
            .strip();
  }

  private void assertNotReady(String check, String why) {
    HttpResponse<String> response = ready();
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(new JsonObject(response.body()).getString("status")).isEqualTo("DOWN");
    assertThat(state(response, check)).isEqualTo("DOWN " + why);
    assertThat(node.scrape())
        .contains("weir_gateway_ready 0.0")
        .contains("weir_gateway_check{check=\"" + check + "\"} 0.0");
    assertThat(node.get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void aNodeThatServesIsLiveAndReady() {
    node.serve("orders", new ServiceOptions(), message -> Future.succeededFuture());
    assertThat(node.get("/health/live").body()).isEqualTo("{\"status\":\"UP\"}");
    HttpResponse<String> response = ready();
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(response.headers().firstValue("cache-control")).hasValue("no-store");
    assertThat(state(response, "disk")).isEqualTo("UP");
    assertThat(node.scrape()).contains("weir_gateway_ready 1.0");
  }

  @Test
  void isNotReadyWhileAServiceIsOpened() {
    CountDownLatch hold = new CountDownLatch(1);
    Future<Service> opening =
        node.onAnotherEventLoop(
            () -> {
              Future<Service> started =
                  node.weir.serve("orders", new ServiceOptions(), m -> Future.succeededFuture());
              awaitUninterrupted(hold);
              return started;
            });
    Await.until("it begins", () -> !node.weir.opening().isEmpty());
    assertNotReady("recovery", "opening orders");
    hold.countDown();
    Futures.result("it is open", opening);
    assertThat(ready().statusCode()).isEqualTo(200);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void isNotReadyWhileAServiceDrains() {
    Promise<Object> gate = Promise.promise();
    node.serve("orders", new ServiceOptions(), message -> gate.future());
    Future<?> held = node.vertx.eventBus().request("orders", "held");
    Await.until("it is held", () -> node.weir.service("orders").stats().busyWorkers() == 1);
    Future<Void> closing = node.weir.service("orders").close();
    assertNotReady("draining", "closing orders");
    gate.complete("done");
    Futures.result("it drains", Future.all(held, closing));
    assertThat(ready().statusCode()).isEqualTo(200);
  }

  @Test
  void isNotReadyWhenTheWeirIsClosed() {
    Futures.result("it closes", node.weir.close());
    assertNotReady("draining", "closing");
  }

  @Test
  void isNotReadyWhileTheGatewayDrains() {
    node.gateway.drain();
    assertNotReady("gateway", "draining");
  }

  @Test
  void aClosedGatewayLeavesTheHealthAndTheMetricsAsTheyWere() {
    Futures.result("it closes", node.gateway.close());
    assertThat(node.health.report().results()).doesNotContainKey("gateway");
    assertThat(node.metrics.scrape(MetricsFormat.PROMETHEUS_TEXT))
        .contains("weir_gateway_ready 1.0")
        .doesNotContain("check=\"gateway\"")
        .doesNotContain("weir_gateway_in_flight_requests");
  }

  @Test
  void isNotReadyOverItsShareOfADiskBudget() {
    node.serve(
        "orders",
        new ServiceOptions().setMemoryMessages(0).setDiskBytes(100_000),
        message -> Future.succeededFuture());
    Futures.result("it pauses", node.weir.service("orders").pause());
    assertThat(ready().statusCode()).isEqualTo(200);
    for (int i = 0; i < 95; i++) {
      node.vertx.eventBus().send("orders", Buffer.buffer(new byte[950]));
    }
    Await.until("they wait", () -> node.weir.service("orders").stats().waitingOnDisk() == 95);
    HttpResponse<String> response = ready();
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(state(response, "disk")).matches("DOWN orders uses 9\\d % of its disk budget");
    Futures.result("it resumes", node.weir.service("orders").resume());
    Await.until("it has room again", () -> ready().statusCode() == 200);
  }

  @Test
  void isReadyAsAPrimaryThatMayAcknowledge() {
    ProcessorGroup group = node.group("cars");
    node.health.add(new GroupCheck(group));
    Await.until("it accepts", () -> group.stats().accepting());
    assertThat(state(ready(), "group-cars")).isEqualTo("UP PRIMARY, 1 in sync");
    group.close();
    assertThat(ready().statusCode()).isEqualTo(503);
    assertThat(state(ready(), "group-cars")).startsWith("DOWN");
  }

  @Test
  void usersAddTheirOwnChecks() {
    node.health.add(HealthCheck.of("database", () -> HealthResult.fail("no connection")));
    assertNotReady("database", "no connection");
  }

  @Test
  void aCheckThatThrowsHasNotPassed() {
    node.health.add(
        HealthCheck.of(
            "database",
            () -> {
              throw new IllegalStateException("no connection");
            }));
    assertNotReady("database", "the check failed, see the log");
  }

  @Test
  void norHasOneThatThrowsAnError() {
    node.health.add(
        HealthCheck.of(
            "database",
            () -> {
              throw new NoClassDefFoundError("com/example/Driver");
            }));
    assertNotReady("database", "the check failed, see the log");
  }

  @Test
  void aNameIsTakenOnce() {
    HealthCheck check = HealthCheck.of("disk", HealthResult::pass);
    assertThatThrownBy(() -> node.health.add(check))
        .hasMessage("check is disk, allowed is each name once");
  }

  @Test
  void theThresholdIsAnOption() {
    assertThat(new HealthOptions(new JsonObject().put("diskPercent", 50)).getDiskPercent())
        .isEqualTo(50);
    assertThatThrownBy(() -> new HealthOptions().setDiskPercent(0))
        .hasMessage("diskPercent is 0, allowed is 1 to 100");
  }
}
