package dev.weir.gateway;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.ServedDocument;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.openapi.contract.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;

/** Holds the served document against what the server does. */
abstract class OpenApiTestBase extends GatewayTestBase {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";
  static final String ADMIN = "Bearer admin-" + TOKEN;

  /** Opens figures, and nothing else. */
  private static final String LOOK = "Bearer metrics-" + TOKEN;

  ServedDocument document;

  @Override
  GatewayOptions options() {
    return super.options().setTokens(new TokenOptions().setAdminTokensFile(tokenFile("admin")));
  }

  private String tokenFile(String kind) {
    try {
      Path file = directory.resolve(kind + ".tokens");
      Files.writeString(file, "someone:" + kind + "-" + TOKEN);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      return file.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void readTheServedDocument() {
    document = new ServedDocument(vertx, get("/openapi.json").body());
  }

  HttpResponse<String> get(String path, String... headers) {
    return send(method("GET", path, headers));
  }

  HttpRequest method(String method, String path, String... headers) {
    HttpRequest.Builder request = to(path).method(method, BodyPublishers.noBody());
    return (headers.length == 0 ? request : request.headers(headers)).build();
  }

  /** Asks for an operation on a service, without a body. */
  HttpResponse<String> ask(Operation operation, String address, String... headers) {
    return send(method(operation.getHttpMethod().name(), path(operation, address), headers));
  }

  static String path(Operation operation, String address) {
    return operation
        .getOpenAPIPath()
        .replace("{address}", address)
        .replace("{number}", "0")
        .replace("{sequence}", "0")
        .replace("{name}", address);
  }

  void check(String operation, HttpResponse<String> response) {
    Map<String, String> headers = new HashMap<>();
    response.headers().map().forEach((name, values) -> headers.put(name, values.get(0)));
    document.check(operation, response.statusCode(), headers, response.body());
  }

  void check(Operation operation, HttpResponse<String> response) {
    check(operation.getOperationId(), response);
  }

  /** For what a well-behaved client does not send. */
  void checkRaw(String operation, String... lines) {
    RawHttp.Response response = RawHttp.send(gateway.port(), lines);
    document.check(operation, response.status(), response.headers(), response.body());
  }

  /** Asks for all operations with a tag without a token, and with one for something else. */
  void refuseWithoutAToken(String tag) {
    GatewayOptions closed =
        options()
            // On a loopback address metrics need no token.
            .setHost("0.0.0.0")
            .setUnprotectedAllowed(true)
            .setTokens(
                new TokenOptions()
                    .setAdminTokensFile(tokenFile("admin"))
                    .setDataTokensFile(tokenFile("data"))
                    .setMetricsTokensFile(tokenFile("metrics")));
    with(closed, () -> document.operations(tag).forEach(this::refuseWithoutAToken));
  }

  private void refuseWithoutAToken(Operation operation) {
    if (document.documents(operation, 401)) {
      check(operation, ask(operation, "echo"));
      check(operation, ask(operation, "echo", "Authorization", "Bearer unknown"));
    }
    if (document.documents(operation, 403)) {
      check(operation, ask(operation, "echo", "Authorization", LOOK));
    }
  }

  /** Asks for all operations with a tag while as much is in flight as may be. */
  void refuseWhenTooManyAreInFlight(String tag) {
    GatewayOptions full = options().setLimits(new LimitOptions().setMaxRequestsInFlight(1));
    AtomicReference<Message<Object>> held = new AtomicReference<>();
    MessageConsumer<Object> holder = vertx.eventBus().consumer("held", held::set);
    with(
        full,
        () -> {
          CompletableFuture<?> only = sendAsync(postJson("/services/held", "1"));
          Await.until("a request is in flight", () -> held.get() != null);
          document.operations(tag).forEach(each -> check(each, ask(each, "echo")));
          held.get().reply("done");
          only.join();
        });
    Futures.result("nobody is held any more", holder.unregister());
  }

  /** Does something with another gateway. */
  void with(GatewayOptions options, Runnable action) {
    Gateway usual = gateway;
    gateway = Futures.result("another gateway starts", Gateway.start(vertx, weir, options));
    try {
      action.run();
    } finally {
      Futures.result("the other gateway closes", gateway.close());
      gateway = usual;
    }
  }
}
