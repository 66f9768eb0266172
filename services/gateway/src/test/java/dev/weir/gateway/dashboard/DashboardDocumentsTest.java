package dev.weir.gateway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.metrics.DocumentMetrics;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryStats;
import dev.weir.state.QueryStats;
import dev.weir.state.call.ServedFactory;
import dev.weir.testing.Futures;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DashboardDocumentsTest {
  private final Vertx vertx = Vertx.vertx();
  private final Documents documents =
      Futures.result("the store", Documents.open(vertx, new DocumentsOptions().setDirectory(null)));

  @AfterEach
  void close() {
    Futures.result("vert.x closes", vertx.close());
  }

  /** What the dashboard shows of the only factory. */
  private JsonObject shown() {
    MeterRegistry registry = new SimpleMeterRegistry();
    new DocumentMetrics(documents).bindTo(registry);
    return DashboardDocuments.json(DashboardFigures.read(registry), new DashboardRates())
        .getJsonArray("factories")
        .getJsonObject(0);
  }

  /** Of members elsewhere: what they have in memory is not known here. */
  private static ServedFactory replicated() {
    FactoryStats stats = new FactoryStats(10, 1, 5, -1, -1, 3, new QueryStats(0, 0, 0, 0), 900);
    return (ServedFactory)
        Proxy.newProxyInstance(
            ServedFactory.class.getClassLoader(),
            new Class<?>[] {ServedFactory.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "name" -> "cars";
                  case "options" -> new FactoryOptions();
                  case "stats" -> stats;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void showsWhatAFactoryOfThisNodeFoundInMemory() {
    FactoryOptions inMemory = new FactoryOptions().setPersisted(false);
    DocumentFactory cars = Futures.result("cars", documents.factory("cars", inMemory));
    assertThat(shown().getValue("hitRate")).isNull();
    Futures.result("a put", cars.put("a", new JsonObject()));
    JsonObject shown = shown();
    assertThat(shown.getDouble("hitRate")).isEqualTo(1);
    assertThat(shown.getLong("documents")).isEqualTo(1);
    assertThat(shown.getLong("resident")).isEqualTo(1);
    assertThat(shown.getLong("paused")).isZero();
  }

  @Test
  void leavesOutWhatIsNotKnownOfAReplicatedFactory() {
    Futures.result("cars", documents.serve(replicated(), 1_000));
    JsonObject shown = shown();
    assertThat(shown.getLong("documents")).isEqualTo(3);
    assertThat(shown.getLong("operations")).isEqualTo(10);
    assertThat(shown.getValue("hitRate")).isNull();
    assertThat(shown.getValue("resident")).isNull();
    assertThat(shown.getValue("paused")).isNull();
  }
}
