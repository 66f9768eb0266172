import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.queue.Durability;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

public class Main {
  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(args[0]));
    weir.serve("orders", new ServiceOptions(), message -> Future.succeededFuture("ok"))
        .compose(service -> weir.send("orders", "one", Durability.PROCESS))
        .compose(kept -> vertx.eventBus().request("orders", "two"))
        .onComplete(
            reply -> System.out.println(reply.succeeded() ? reply.result().body() : reply.cause()))
        .eventually(() -> vertx.close());
  }
}
