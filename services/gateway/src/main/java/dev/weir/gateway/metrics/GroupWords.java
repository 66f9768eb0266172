package dev.weir.gateway.metrics;

/** What a replica of a processor group says of itself that is no figure. Any thread. */
public interface GroupWords {
  /** Name of the group. */
  String group();

  /** Name of the primary it knows of, or null. */
  String primary();

  /** Why it does not accept, or what it does; for people. */
  String reason();
}
