package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.limits.ServerMaker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** The limits that hold where Vert.x has not the internals that the guarded server needs. */
class PlainServerTest extends LimitsTest {
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  @Override
  ServerMaker servers() {
    ServerMaker missing =
        (vertx, options, connections) -> {
          throw new NoClassDefFoundError("io/vertx/core/http/impl/HttpServerImpl");
        };
    return ServerMaker.either(missing, ServerMaker.plain());
  }

  @Test
  void aVertxWithoutTheInternalsCostsOneWarning() throws Exception {
    Handler log =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            warnings.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    log.setLevel(Level.WARNING);
    Logger logger = Logger.getLogger(ServerMaker.class.getName());
    logger.addHandler(log);
    try {
      serve();
    } finally {
      logger.removeHandler(log);
    }
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("Without io/vertx/core/http/impl/HttpServerImpl");
    try (RawClient client = new RawClient(port)) {
      assertThat(client.send(GET).line()).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void closesConnectionsBeyondTheirNumberWithTheirFirstRequest() throws Exception {
    limits.setMaxConnections(1);
    serve();

    try (RawClient first = new RawClient(port);
        RawClient second = new RawClient(port)) {
      assertThat(first.send(GET).line()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(second.send(GET).rest()).isEmpty();
      assertThat(first.send(GET).line()).isNotNull();
    }
    until("all to be gone", () -> guard.stats().connections() == 0);
    assertThat(guard.stats().refusedConnections()).isEqualTo(1);
  }

  // These limits are lost: a connection is seen with its first request only. Without the annotation
  // of the overridden method they are no tests.

  @Override
  void closesConnectionsBeyondTheirNumber() {}

  @Override
  void closesConnectionsBeyondThoseOfAPeer() {}

  @Override
  void closesOnAClientThatTricklesItsHeaders() {}

  @Override
  void closesOnAClientThatAsksNothing() {}
}
