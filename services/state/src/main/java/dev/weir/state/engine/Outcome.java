package dev.weir.state.engine;

import dev.weir.state.change.Decision;
import dev.weir.state.change.State;
import io.vertx.core.json.JsonObject;

/**
 * What a requester gets.
 *
 * @param state of the document, or what was deleted
 * @param reply of an action; null for other operations
 * @param created whether there was no document before, and there is one now
 */
public record Outcome(State state, JsonObject reply, boolean created) {
  static Outcome of(Decision decision) {
    return new Outcome(decision.shown(), decision.reply(), decision.created());
  }
}
