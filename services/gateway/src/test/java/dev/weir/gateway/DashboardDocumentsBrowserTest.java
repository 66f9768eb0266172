package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.metrics.DocumentMetrics;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.testing.Futures;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Factories of documents on the dashboard in a real browser; skipped on a machine without one. */
@Tag("slow")
class DashboardDocumentsBrowserTest extends DashboardBrowserTestBase {
  @Test
  void showsTheFactoriesIfThereAreAny() throws IOException {
    browser.open(node.url());
    browser.awaitText("#connection", "live");
    assertThat(browser.isShown("#documents-section")).isFalse();
    Documents documents =
        Futures.result(
            "the store", Documents.open(node.vertx, new DocumentsOptions().setDirectory(null)));
    FactoryOptions inMemory =
        new FactoryOptions().setPersisted(false).setIndexes(List.of("owner.name", "color"));
    DocumentFactory cars = Futures.result("cars", documents.factory("cars", inMemory));
    Futures.result("a put", cars.put("a", new JsonObject()));
    Futures.result("a put", cars.put("b", new JsonObject()));
    Futures.failure("a get", cars.get("c"));

    node.metrics.bind(new DocumentMetrics(documents));

    String row = "#factories tr[data-key='cars'] ";
    browser.awaitText(row + "[data-figure='documents']", "2");
    assertThat(browser.text(row + "th")).isEqualTo("cars");
    assertThat(browser.text(row + "[data-figure='resident']")).isEqualTo("2");
    assertThat(browser.text(row + "[data-figure='paused']")).isEqualTo("0");
    assertThat(browser.text(row + "[data-figure='heapBytes']")).matches("\\d+ B");
    assertThat(browser.text(row + "[data-figure='failed']")).isEqualTo("1");
    assertThat(browser.text(row + "[data-figure='hitRate']")).isEqualTo("100.0 %");
    assertThat(browser.text(row + "[data-figure='indexes']")).isEqualTo("color, owner.name");
    assertThat(browser.text("#documents-heap")).contains("0 streams of changes");
    assertFitsAndHindersNobody();
  }
}
