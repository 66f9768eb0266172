package dev.weir.gateway;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A node with a gateway, for tests: a Weir on a directory, its metrics and its health. */
public final class Node implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  public final Metrics metrics = Metrics.create();
  public final Vertx vertx;
  public final Weir weir;
  public final Health health;
  public final Gateway gateway;
  private final List<ProcessorGroup> groups = new ArrayList<>();

  /** Where the gateway's requests are served. */
  private final ContextInternal http;

  private Node(WeirOptions options) {
    vertx = metrics.vertx(new VertxOptions()).build();
    http = ((VertxInternal) vertx).createEventLoopContext();
    weir = Weir.create(vertx, options);
    metrics.bind(weir);
    health = Health.of(weir, new HealthOptions());
    gateway =
        Futures.result(
            "the gateway listens",
            on(
                http,
                () ->
                    Gateway.start(vertx, weir, new GatewayOptions().setPort(0), metrics, health)));
  }

  /** Does something on an event loop that serves no requests, and may be blocked therefore. */
  public <T> Future<T> onAnotherEventLoop(Supplier<Future<T>> action) {
    ContextInternal other = ((VertxInternal) vertx).createEventLoopContext();
    while (other.nettyEventLoop() == http.nettyEventLoop()) {
      other = ((VertxInternal) vertx).createEventLoopContext();
    }
    return on(other, action);
  }

  private static <T> Future<T> on(ContextInternal context, Supplier<Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(ignored -> action.get().onComplete(promise));
    return promise.future();
  }

  public static Node start(Path directory) {
    return new Node(new WeirOptions().setDirectory(directory.toString()));
  }

  public <T> Service serve(String address, ServiceOptions options, ServiceHandler<T> handler) {
    return Futures.result("serving " + address, weir.serve(address, options, handler));
  }

  /** A group of this process alone that counts its messages. */
  public ProcessorGroup group(String name) {
    ProcessorGroup group =
        GroupBuilder.alone(
                new GroupOptions()
                    .setName(name)
                    .setMembers(List.of("one"))
                    .setPersistence(false)
                    .setAckLevel(AckLevel.RECEIVED),
                null)
            .processor(new CountingProcessor())
            .replies((client, sequence, buffer, offset, length) -> {})
            .start();
    groups.add(group);
    return group;
  }

  public HttpResponse<String> get(String path, String... headers) {
    return request("GET", path, headers);
  }

  public HttpResponse<String> request(String method, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(method + " " + path, e);
    }
  }

  public String scrape() {
    return get("/metrics").body();
  }

  @Override
  public void close() {
    groups.forEach(ProcessorGroup::close);
    Futures.result("the gateway closes", gateway.close());
    Futures.result("the Weir closes", weir.close());
    metrics.close();
    Futures.result("Vert.x closes", vertx.close());
  }
}
