package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Futures;
import io.vertx.core.json.JsonObject;
import io.vertx.openapi.contract.Operation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Answers that show how a node does are as the served document says. */
class OpenApiNodeTest extends OpenApiTestBase {

  @Test
  void everyAnswerAboutTheNodeIsDocumentedAndEveryDocumentedOneIsSeen() {
    document.operations("node").forEach(each -> check(each, ask(each, "echo")));
    check("getMetrics", get("/metrics", "Accept", "application/openmetrics-text; version=1.0.0"));
    refuseWithoutAToken("node");
    refuseWhenTooManyAreInFlight("node");
    Futures.result("it drains", gateway.drain());
    check("getReady", get("/health/ready"));
    check("headReady", send(method("HEAD", "/health/ready")));
    document.assertAllWasSeen("node");
  }

  @Test
  void everyAnswerOfTheDashboardIsDocumentedAndEveryDocumentedOneIsSeen() throws Exception {
    for (Operation operation : document.operations("dashboard")) {
      if (operation.getOperationId().equals("getDashboardEvents")) {
        checkFirstEvent();
      } else {
        HttpResponse<String> file = ask(operation, "echo");
        check(operation, file);
        String tag = file.headers().firstValue("etag").orElseThrow();
        check(operation, ask(operation, "echo", "If-None-Match", tag));
      }
    }
    refuseWithoutAToken("dashboard");
    refuseWhenTooManyAreInFlight("dashboard");
    document.assertAllWasSeen("dashboard");
  }

  private void checkFirstEvent() throws IOException, InterruptedException {
    HttpResponse<InputStream> events =
        client.send(to("/dashboard/events").build(), BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null && !line.equals("event: snapshot")) { // the history may come before
        line = lines.readLine();
      }
      assertThat(line).as("a snapshot").isNotNull();
      String data = lines.readLine();
      assertThat(new JsonObject(data.replace("data: ", "")).fieldNames())
          .containsExactly(
              "atMs",
              "node",
              "gateway",
              "process",
              "latencyMs",
              "services",
              "groups",
              "cluster",
              "documents",
              "store");
      String type = events.headers().firstValue("content-type").orElseThrow();
      document.check("getDashboardEvents", events.statusCode(), Map.of("content-type", type), data);
    }
  }
}
