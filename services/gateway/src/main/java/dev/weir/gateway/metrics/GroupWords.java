package dev.weir.gateway.metrics;

import io.vertx.core.json.JsonObject;

/**
 * Describes the state of one replica of a processor group in words, where a figure cannot. Any
 * thread.
 */
public interface GroupWords {
  /** Name of the group. */
  String group();

  /** Name of the primary it knows of, or null. */
  String primary();

  /** Why it does not accept, or what it does; for people. */
  String reason();

  /**
   * The replica, the other members of its group as it knows them, and its last changes of role, as
   * {@code GET /admin/cluster} and the dashboard show them; may wait for the log. Null if there is
   * no more to say than the figures have.
   */
  default JsonObject replica() {
    return null;
  }
}
