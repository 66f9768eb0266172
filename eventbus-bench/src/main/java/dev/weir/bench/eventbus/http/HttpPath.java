package dev.weir.bench.eventbus.http;

/** The servers that answer, with their names in the results. */
enum HttpPath {
  /** A Vert.x HTTP server and nothing else. */
  BARE("bare"),
  /** The gateway, and a service behind it. */
  GATEWAY("gateway");

  private final String label;

  HttpPath(String label) {
    this.label = label;
  }

  @Override
  public String toString() {
    return label;
  }
}
