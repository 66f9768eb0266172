package dev.weir.bench.load;

import java.util.concurrent.CompletableFuture;

/** A running round as its watch sees it. */
interface Watched {

  /** A figure that changes as long as the round makes progress. */
  long progress();

  /** Ends the round with what it has; without effect once it has ended. */
  void stop();

  /** Completes when the round has ended. */
  CompletableFuture<RoundResult> result();
}
