package dev.weir.state.call;

import dev.weir.state.Document;
import dev.weir.state.DocumentVersion;
import dev.weir.state.QueryPage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Pages of documents, and lists of what is kept of them, as JSON. */
public final class PageJson {
  private PageJson() {}

  /** The versions of a document, in one member {@code versions}. */
  public static JsonObject of(List<DocumentVersion> versions) {
    JsonArray all = new JsonArray();
    versions.forEach(
        each ->
            all.add(new JsonObject().put("version", each.version()).put("timeMs", each.timeMs())));
    return new JsonObject().put("versions", all);
  }

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
