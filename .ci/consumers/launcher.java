import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.launcher.LaunchedService;
import dev.weir.launcher.Launcher;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

public class Main implements LaunchedService {
  @Override
  public String name() {
    return "orders";
  }

  @Override
  public JsonObject defaults() {
    return new JsonObject();
  }

  @Override
  public void configure(JsonObject settings) {}

  @Override
  public Future<?> start(Vertx vertx, Weir weir) {
    return weir.serve("orders", new ServiceOptions(), message -> Future.succeededFuture("ok"))
        .onSuccess(service -> vertx.setTimer(100, timer -> stopSoon()));
  }

  private static void stopSoon() {
    System.out.println("ok");
    new Thread(() -> System.exit(0)).start();
  }

  @Override
  public void stop() {}

  public static void main(String[] args) {
    Launcher.run(new Main(), "--http-port=0", "--data=" + args[0]);
  }
}
