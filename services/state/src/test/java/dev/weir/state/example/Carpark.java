package dev.weir.state.example;

import dev.weir.state.ActionResult;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.Expected;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import dev.weir.state.RefusedException;
import dev.weir.state.WriteOptions;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;

public class Carpark {
  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    FactoryRules rules =
        new FactoryRules()
            .setValidator(
                (current, next) -> {
                  if (!next.containsKey("place")) {
                    throw new RefusedException("a car needs a place");
                  }
                })
            .addAction(
                "drive",
                (current, body) -> {
                  JsonObject car = current.json();
                  car.put("km", car.getInteger("km", 0) + body.getInteger("km"));
                  return ActionResult.write(car, new JsonObject().put("km", car.getInteger("km")));
                });
    DeliveryOptions drive =
        new DeliveryOptions().addHeader("action", "drive").addHeader("key", "B-XY 123");
    Documents.open(vertx, new DocumentsOptions().setDirectory(args[0]))
        .compose(documents -> documents.factory("cars", new FactoryOptions(), rules))
        .compose(
            cars ->
                cars.put("B-XY 123", new JsonObject().put("place", 17))
                    .compose(car -> vertx.eventBus().request("documents.cars", km(30), drive))
                    .compose(reply -> cars.get("B-XY 123"))
                    .onSuccess(car -> System.out.println(car.json() + ", version " + car.version()))
                    .compose(
                        car ->
                            cars.merge(
                                car.key(),
                                new JsonObject().putNull("place"),
                                WriteOptions.DEFAULT.expect(Expected.version(car.version())))))
        .onFailure(refused -> System.out.println(refused.getMessage()))
        .onComplete(done -> vertx.close());
  }

  private static JsonObject km(int km) {
    return new JsonObject().put("km", km);
  }
}
