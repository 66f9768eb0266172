package dev.weir.state;

import dev.weir.options.Checks;
import io.vertx.core.json.JsonObject;

/** What an action does with its document, and what its requester gets. */
public final class ActionResult {
  private final JsonObject content;
  private final boolean deletes;
  private final JsonObject reply;

  private ActionResult(JsonObject content, boolean deletes, JsonObject reply) {
    this.content = content;
    this.deletes = deletes;
    this.reply = Checks.notNull("reply", reply);
  }

  /** The document stays as it is. */
  public static ActionResult keep(JsonObject reply) {
    return new ActionResult(null, false, reply);
  }

  /** The document gets a new content; it is created if there is none. */
  public static ActionResult write(JsonObject content, JsonObject reply) {
    return new ActionResult(Checks.notNull("content", content), false, reply);
  }

  /** The document is deleted. */
  public static ActionResult delete(JsonObject reply) {
    return new ActionResult(null, true, reply);
  }

  /** The new content; null if the document is kept or deleted. */
  public JsonObject content() {
    return content;
  }

  public boolean deletes() {
    return deletes;
  }

  public JsonObject reply() {
    return reply;
  }
}
