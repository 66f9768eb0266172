package dev.weir.state;

import io.vertx.core.json.JsonObject;

/**
 * An operation on a document that a user adds to a factory. It runs on a thread of the store, for
 * one operation of a key at a time, and must not wait: other keys wait for the same thread.
 */
@FunctionalInterface
public interface DocumentAction {
  /**
   * Runs the action.
   *
   * @param current the document; null if there is none
   * @param body what the requester sent; an empty object if it sent nothing
   * @return what to do with the document, and the reply
   * @throws RefusedException to keep the document as it is
   */
  ActionResult run(Document current, JsonObject body) throws RefusedException;
}
