package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.Node;
import dev.weir.gateway.limits.ServerMaker;
import dev.weir.testing.Await;
import dev.weir.testing.LoggedLines;
import dev.weir.testing.MissingClasses;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The figures of requests where nothing is there of what fits Vert.x 5.0 only. */
@Timeout(120)
class PlainHttpMetricsTest {
  private static final String VERTX_50 = "dev.weir.gateway.vertx50.";
  private static final String UNKNOWN = "vertx_http_server_requests_total{code=\"404\"";

  @TempDir private Path directory;

  /** The directory of a node in, its scrape out. */
  static final class Scraping implements UnaryOperator<String> {
    @Override
    public String apply(String directory) {
      try (Node node = Node.start(Path.of(directory))) {
        node.serve("orders", new ServiceOptions(), message -> Future.succeededFuture());
        if (node.get("/nowhere").statusCode() != 404) {
          throw new AssertionError("/nowhere is somewhere");
        }
        Await.until("it is counted", () -> node.scrape().contains(UNKNOWN));
        return node.scrape();
      }
    }
  }

  @Test
  void requestsAreMeasuredByVertxItselfUnderTheSameNames() {
    try (LoggedLines log = LoggedLines.of(ServerMaker.class.getName(), Level.WARNING)) {
      UnaryOperator<String> scraping =
          new MissingClasses(List.of("dev.weir.gateway."), List.of(VERTX_50)).make(Scraping.class);
      Scrape scrape = new Scrape(scraping.apply(directory.toString()));

      assertThat(matching(scrape, UNKNOWN)).containsExactly(1.0);
      assertThat(matching(scrape, "vertx_http_server_response_time_seconds_count{code=\"404\""))
          .containsExactly(1.0);
      assertThat(matching(scrape, "weir_service_workers{address=\"orders\"")).hasSize(1);
      assertThat(log.lines()).containsExactly(warning());
    }
  }

  private static Stream<Double> matching(Scrape scrape, String name) {
    return scrape.samples.entrySet().stream()
        .filter(sample -> sample.getKey().startsWith(name))
        .map(sample -> sample.getValue());
  }

  private static String warning() {
    return "Without "
        + VERTX_50
        + "GuardedServer connections are counted and timed only from their first request on, and"
        + " the framing of HTTP/1 requests is checked by Netty alone";
  }
}
