package dev.weir.state.call;

import dev.weir.state.ChangePage;
import dev.weir.state.Document;
import dev.weir.state.DocumentChange;
import dev.weir.state.DocumentVersion;
import dev.weir.state.QueryPage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;

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

  /** Changes, and the position behind them. */
  public static JsonObject of(ChangePage page) {
    JsonArray changes = new JsonArray();
    page.changes().forEach(change -> changes.add(of(change)));
    return new JsonObject().put("changes", changes).put("position", page.position());
  }

  /** A change; with the content of the document if there is one. */
  public static JsonObject of(DocumentChange change) {
    JsonObject json =
        new JsonObject()
            .put("position", change.position())
            .put("timeMs", change.timeMs())
            .put("kind", kind(change))
            .put("key", change.key())
            .put("version", change.version());
    if (change.document() != null) {
      addContent(json, change.document());
    }
    return json;
  }

  /** The kind of a change as it is told: {@code put}, {@code out} or {@code delete}. */
  public static String kind(DocumentChange change) {
    return change.kind().name().toLowerCase(Locale.ROOT);
  }

  private static void addContent(JsonObject json, Document document) {
    json.put("content", document.json());
    if (document.expiresAtMs() != 0) {
      json.put("expiresAtMs", document.expiresAtMs());
    }
  }

  /**
   * The same as {@link #of(QueryPage)}, encoded. One document after another, because the objects of
   * a document take many times the heap of its bytes.
   */
  public static Buffer encode(QueryPage page) {
    Buffer json = Buffer.buffer().appendString("{\"documents\":[");
    String separator = "";
    for (Document document : page.documents()) {
      json.appendString(separator).appendBuffer(of(document).toBuffer());
      separator = ",";
    }
    json.appendString("]");
    if (page.cursor() != null) {
      json.appendString(",\"cursor\":").appendString(Json.encode(page.cursor()));
    }
    return json.appendString("}");
  }

  private static JsonObject of(Document document) {
    JsonObject json =
        new JsonObject().put("key", document.key()).put("version", document.version());
    addContent(json, document);
    return json;
  }

  /** Members {@code documents} and, if there is a further page, {@code cursor}. */
  public static JsonObject of(QueryPage page) {
    JsonArray documents = new JsonArray();
    page.documents().forEach(document -> documents.add(of(document)));
    JsonObject json = new JsonObject().put("documents", documents);
    return page.cursor() == null ? json : json.put("cursor", page.cursor());
  }
}
