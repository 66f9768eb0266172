package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.flow.NoCopyBody;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceOptions;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import java.util.function.Consumer;

/**
 * The receiving end of requests over HTTP: a bare server, or a service behind the gateway.
 *
 * @param port on which it is reached
 * @param service null for a bare server
 * @param bare null for a service
 */
record HttpReceiver(int port, Service service, HttpServer bare) {
  private static final long CLOSE_TIMEOUT_MS = 10_000;

  /**
   * Opens it, blocking the caller.
   *
   * @param type the class that the service takes; Object for any
   * @param arrived gets each body
   */
  static HttpReceiver open(
      HttpFixture fixture,
      HttpPath path,
      HttpCase httpCase,
      String address,
      Class<?> type,
      Consumer<Object> arrived)
      throws InterruptedException {
    if (path == HttpPath.BARE) {
      HttpServer bare =
          ServiceFixture.await(
              ServiceFixture.call(
                  fixture.server(),
                  () -> BareServer.listen(fixture.fixture().vertx(), httpCase, arrived::accept)));
      return new HttpReceiver(bare.actualPort(), null, bare);
    }
    ServiceFixture services = fixture.fixture();
    ServiceOptions options = new ServiceOptions().setWorkers(RequestPath.WORKERS);
    Service service =
        type == Object.class
            ? services.serve(fixture.server(), address, options, handler(httpCase, arrived))
            : services.serve(fixture.server(), address, type, options, handler(httpCase, arrived));
    return new HttpReceiver(fixture.gatewayPort(), service, null);
  }

  private static <T> ServiceHandler<T> handler(HttpCase httpCase, Consumer<Object> arrived) {
    return message -> {
      arrived.accept(message.body());
      return Future.succeededFuture(
          httpCase.twoWay() ? NoCopyBody.of(message.body()) : Boolean.TRUE);
    };
  }

  void close() throws InterruptedException {
    ServiceFixture.await(bare == null ? service.close(CLOSE_TIMEOUT_MS) : bare.close());
  }
}
