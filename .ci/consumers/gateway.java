import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class Main {
  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx();
    Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(args[0]));
    Gateway gateway =
        weir.serve(
                "orders", new ServiceOptions(), message -> Future.succeededFuture(message.body()))
            .compose(service -> Gateway.start(vertx, weir, new GatewayOptions().setPort(0)))
            .await();
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + gateway.port() + "/services/orders"))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"ok\":true}"))
            .build();
    String body = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    System.out.println(body.equals("{\"ok\":true}") ? "ok" : body);
    vertx.close().await();
  }
}
