package dev.weir.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.LimitOptions;
import dev.weir.testing.Futures;
import dev.weir.testing.LoggedLines;
import dev.weir.testing.MissingClasses;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Makes a server where some classes inside Vert.x are missing, as they are in Vert.x 5.1. */
class ServerMakerTest {
  /** What is loaded anew, so that it links with what the loader has. */
  private static final List<String> ANEW =
      List.of(
          "dev.weir.gateway.limits.",
          "dev.weir.gateway.vertx50.",
          "dev.weir.gateway.metrics.Vertx50");

  /** In another package, or gone, in Vert.x 5.1. */
  private static final List<String> MOVED =
      List.of(
          "io.vertx.core.http.impl.HttpServerImpl",
          "io.vertx.core.http.impl.Http1xOrH2CHandler",
          "io.vertx.core.http.impl.Http1xServerConnection",
          "io.vertx.core.http.impl.VertxHttpRequestDecoder",
          "io.vertx.core.net.impl.NetServerImpl",
          "io.vertx.core.net.impl.NetServerInternal");

  /** By the classes of this package as the loader has them. */
  static final class Make implements Function<Vertx, HttpServer> {
    @Override
    public HttpServer apply(Vertx vertx) {
      LimitOptions limits = new LimitOptions();
      Connections connections =
          new Connections(vertx, limits, new ConnectionCounts(limits), null, false);
      return ServerMaker.best().create(vertx, new HttpServerOptions(), connections);
    }
  }

  private static HttpServer create(Vertx vertx, List<String> missing) {
    Function<Vertx, HttpServer> make = new MissingClasses(ANEW, missing).make(Make.class);
    return make.apply(vertx);
  }

  @Test
  void aPlainServerIsMadeWhenAnyOfTheInternalsIsMissing() {
    Vertx vertx = Vertx.vertx();
    try (LoggedLines log = LoggedLines.of(ServerMaker.class.getName(), Level.WARNING)) {
      for (String missing : MOVED) {
        assertThat(create(vertx, List.of(missing))).as("without %s", missing).isNotNull();
      }
      HttpServer plain = create(vertx, MOVED);
      assertThat(plain.getClass()).isEqualTo(vertx.createHttpServer().getClass());
      assertThat(log.lines()).isNotEmpty().allMatch(line -> line.startsWith("Without "));
    } finally {
      Futures.result("Vert.x closes", vertx.close());
    }
  }
}
