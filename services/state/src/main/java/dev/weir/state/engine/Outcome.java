package dev.weir.state.engine;

import dev.weir.state.change.State;
import io.vertx.core.json.JsonObject;

/**
 * What a requester gets.
 *
 * @param state of the document, or what was deleted
 * @param reply of an action; null for other operations
 */
public record Outcome(State state, JsonObject reply) {}
