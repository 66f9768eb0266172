package dev.weir.bench.eventbus;

import io.vertx.core.Future;

/** What a handler waits for, keeping its worker busy meanwhile. Used on one event loop. */
interface BackEnd {
  /** A future that completes later, with the answer. */
  Future<Object> later(Object answer);

  /** In words, for the results. */
  String describe();
}
