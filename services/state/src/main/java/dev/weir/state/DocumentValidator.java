package dev.weir.state;

import io.vertx.core.json.JsonObject;

/**
 * Checks each new content of the documents of a factory. It runs on a thread of the store, for one
 * operation of a key at a time, and must not wait: other keys wait for the same thread.
 */
@FunctionalInterface
public interface DocumentValidator {
  /**
   * Checks a content before it is written.
   *
   * @param current what is replaced; null if the document is created
   * @param next the new content, which the validator may change: what it leaves is written
   * @throws RefusedException to keep the document as it is
   */
  void check(Document current, JsonObject next) throws RefusedException;
}
