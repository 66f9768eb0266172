package dev.weir.gateway.metrics;

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
}
