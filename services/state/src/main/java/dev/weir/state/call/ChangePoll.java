package dev.weir.state.call;

import dev.weir.state.ChangePage;
import io.vertx.core.Future;

/**
 * One request for changes: reads a page, and waits for the next change if there is none. Any
 * thread.
 */
public interface ChangePoll {
  /** The page; without changes if none came in time. */
  Future<ChangePage> page();

  /** Ends the wait: the page comes with what there is. */
  void end();
}
