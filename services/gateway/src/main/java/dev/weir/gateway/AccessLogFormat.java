package dev.weir.gateway;

/** How a gateway logs each request that it has answered. */
public enum AccessLogFormat {
  /** Not at all. */
  NONE,
  /** The combined format of the Apache HTTP server, in printable ASCII. */
  COMBINED,
  /** One JSON object in a line, in printable ASCII. */
  JSON
}
