package ${package};

import dev.weir.flow.RunOn;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.launcher.LaunchedService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

/** Takes orders: each is handled at least once, after a crash too. Replace it by what you do. */
public final class OrderService implements LaunchedService {
  private Vertx vertx;
  private long workMs;

  @Override
  public String name() {
    return "orders";
  }

  @Override
  public JsonObject defaults() {
    return new JsonObject().put("workMs", 0L);
  }

  @Override
  public void configure(JsonObject settings) {
    workMs = settings.getLong("workMs");
    if (workMs < 0) {
      throw new IllegalArgumentException("workMs is " + workMs + ", allowed is 0 or more");
    }
  }

  @Override
  public Future<?> start(Vertx vertx, Weir weir) {
    this.vertx = vertx;
    return weir.serve("orders", new ServiceOptions().setRunOn(RunOn.WORKER), this::handle);
  }

  /** An order that is delivered again has the same id: store the result under that id. */
  Future<?> handle(ServiceMessage<Object> order) {
    Future<?> work = workMs == 0 ? Future.succeededFuture() : vertx.timer(workMs);
    return work.map(done -> accept(order));
  }

  private static JsonObject accept(ServiceMessage<Object> order) {
    System.out.println(
        "order " + order.body() + ", id " + order.id() + ", delivery " + order.deliveryCount());
    return new JsonObject().put("accepted", true);
  }

  @Override
  public void stop() {
    // nothing of its own to close
  }
}
