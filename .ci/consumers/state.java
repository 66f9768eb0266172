import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

public class Main {
  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    Documents documents =
        Documents.open(vertx, new DocumentsOptions().setDirectory(args[0])).await();
    DocumentFactory mail = documents.factory("mail", new FactoryOptions()).await();
    mail.put("a", new JsonObject().put("text", "hello")).await();
    JsonObject step = new JsonObject().put("op", "move").put("from", "/text").put("path", "/body");
    JsonObject patched = mail.patch("a", new JsonArray().add(step)).await().json();
    System.out.println("hello".equals(patched.getString("body")) ? "ok" : patched.encode());
    vertx.close().await();
  }
}
