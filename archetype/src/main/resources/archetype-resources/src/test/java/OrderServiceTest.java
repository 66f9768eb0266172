package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderServiceTest {
  @Test
  void anOrderIsAccepted(@TempDir Path directory) throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.toString()));
      OrderService service = new OrderService();
      service.configure(service.defaults());
      await(service.start(vertx, weir));

      Object reply =
          await(vertx.eventBus().request("orders", new JsonObject().put("order", 17))).body();

      assertEquals(new JsonObject().put("accepted", true), reply);
    } finally {
      await(vertx.close());
    }
  }

  private static <T> T await(io.vertx.core.Future<T> future) throws Exception {
    return future.await(2, TimeUnit.MINUTES);
  }
}
