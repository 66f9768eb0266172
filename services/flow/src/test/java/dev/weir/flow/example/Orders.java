package dev.weir.flow.example;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.queue.Durability;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

public class Orders {
  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(args[0]));

    weir.serve(
            "orders",
            new ServiceOptions().setWorkers(200).setDiskBytes(8L << 30),
            message -> Future.succeededFuture("accepted " + message.body()))
        .compose(service -> vertx.eventBus().request("orders", "one")) // any Vert.x code, as ever
        .onSuccess(reply -> System.out.println(reply.body()))
        .compose(reply -> weir.send("orders", "two", Durability.PROCESS)) // can no longer be lost
        .onSuccess(done -> System.out.println("two is kept"))
        .eventually(() -> vertx.close()); // closes the service, its files and the event bus
  }
}
