package dev.weir.bench.eventbus.http;

import dev.weir.bench.program.Names;

/** The servers that answer, with their names in the results. */
enum HttpPath {
  /** A Vert.x HTTP server and nothing else. */
  BARE,
  /** The gateway, and a service behind it. */
  GATEWAY;

  @Override
  public String toString() {
    return Names.of(this);
  }
}
