package dev.weir.state.call;

import dev.weir.state.Document;
import dev.weir.state.QueryPage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** A page of documents as JSON. */
public final class PageJson {
  private PageJson() {}

  /** Members {@code documents} and, if there is a further page, {@code cursor}. */
  public static JsonObject of(QueryPage page) {
    JsonArray documents = new JsonArray();
    for (Document document : page.documents()) {
      JsonObject each =
          new JsonObject()
              .put("key", document.key())
              .put("version", document.version())
              .put("content", document.json());
      if (document.expiresAtMs() != 0) {
        each.put("expiresAtMs", document.expiresAtMs());
      }
      documents.add(each);
    }
    JsonObject json = new JsonObject().put("documents", documents);
    return page.cursor() == null ? json : json.put("cursor", page.cursor());
  }
}
