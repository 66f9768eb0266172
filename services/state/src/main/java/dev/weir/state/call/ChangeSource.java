package dev.weir.state.call;

import dev.weir.state.ChangeQuery;
import dev.weir.state.engine.StreamSlots;

/** Where the streams of changes of a factory come from. Any thread. */
public interface ChangeSource {
  /** Begins to read changes; does not count as a stream. */
  ChangePoll poll(ChangeQuery query);

  /** What counts the streams. */
  StreamSlots streams();
}
