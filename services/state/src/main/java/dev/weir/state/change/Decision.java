package dev.weir.state.change;

import io.vertx.core.json.JsonObject;

/**
 * What an operation does.
 *
 * @param after the state of the key from now on; the same object as before if nothing changes
 * @param shown the state that the requester gets: that of {@code after}, or what was deleted
 * @param reply the reply of an action; null for other operations
 * @param created whether there was no document before, and there is one now
 */
public record Decision(State after, State shown, JsonObject reply, boolean created) {
  Decision(State after, State shown, JsonObject reply) {
    this(after, shown, reply, false);
  }
}
