package dev.weir.processor;

import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.cluster.NodeMembers;
import dev.weir.gateway.health.GroupCheck;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.metrics.GroupMetrics;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.options.HeapBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The HTTP server of a member: the cars of its groups, health and metrics. */
final class HttpFront {
  /** Stands for the HTTP server of a member that has none. */
  static final HttpFront NONE = new HttpFront(null, null, null);

  private static final long DRAIN_MS = 10_000;
  private static final long LAST_ANSWERS_MS = 1_000;

  private final Weir weir;
  private final List<CarService> cars = new ArrayList<>();
  private final Metrics metrics;
  private final Health health;
  private Gateway gateway;

  private HttpFront(Weir weir, Metrics metrics, Health health) {
    this.weir = weir;
    this.metrics = metrics;
    this.health = health;
  }

  /**
   * Starts to listen. The address of a single group is {@code cars}; each of several groups has the
   * address {@code cars.} followed by its name.
   *
   * @param cluster whose members operators see
   * @param clients how all groups are reached
   * @return fails if the port is in use
   */
  static Future<HttpFront> start(
      Vertx vertx,
      ClusterNode cluster,
      List<ProcessorGroup> groups,
      ProcessorClientOptions clients,
      Encoding encoding,
      GatewayOptions options) {
    Weir weir = Weir.create(vertx, new WeirOptions().setHeapBytes(heapBytes()));
    Health health = Health.of(weir, options.getHealth());
    HttpFront front = new HttpFront(weir, Metrics.create().bind(weir), health);
    front.metrics.bindCluster(new NodeMembers(cluster::members));
    Future<?> serving = Future.succeededFuture();
    for (ProcessorGroup group : groups) {
      String name = group.options().getName();
      front.metrics.bind(new GroupMetrics(group));
      front.health.add(new GroupCheck(group));
      ProcessorClientOptions own = new ProcessorClientOptions(clients).setGroup(name);
      String address = CarService.ADDRESS + (groups.size() == 1 ? "" : "." + name);
      serving = serving.compose(v -> front.serve(vertx, address, own, encoding));
    }
    return serving.compose(served -> front.listen(vertx, options));
  }

  /** Half of the heap: the other half is for the groups. */
  private static long heapBytes() {
    return Math.max(HeapBudget.MIN_HEAP_BYTES, Runtime.getRuntime().maxMemory() / 2);
  }

  private Future<Service> serve(
      Vertx vertx, String address, ProcessorClientOptions clients, Encoding encoding) {
    CarService service = new CarService(vertx, clients, encoding);
    cars.add(service);
    return weir.serve(address, new ServiceOptions().setWorkers(clients.getWindow()), service);
  }

  private Future<HttpFront> listen(Vertx vertx, GatewayOptions options) {
    return Gateway.start(vertx, weir, forwardKey(options), metrics, health)
        .map(
            listening -> {
              gateway = listening;
              return this;
            });
  }

  private static GatewayOptions forwardKey(GatewayOptions options) {
    List<String> headers = new ArrayList<>(options.getForwardedHeaders());
    headers.add(CarService.KEY);
    return new GatewayOptions(options).setForwardedHeaders(headers);
  }

  int port() {
    return gateway.port();
  }

  int managementPort() {
    return gateway.managementPort();
  }

  /** Refuses new requests, waits for the replies to those accepted, and closes. */
  Future<Void> close() {
    if (gateway == null) {
      return Future.succeededFuture();
    }
    return gateway
        .drain()
        .timeout(DRAIN_MS, TimeUnit.MILLISECONDS)
        .eventually(() -> Future.join(weir.services().stream().map(each -> each.close(0)).toList()))
        .eventually(weir::close)
        .eventually(() -> gateway.close(LAST_ANSWERS_MS))
        .eventually(() -> Future.join(cars.stream().map(CarService::close).toList()))
        .onComplete(closed -> metrics.close())
        .otherwiseEmpty();
  }
}
