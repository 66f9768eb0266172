package dev.weir.cluster;

import java.io.DataOutput;
import java.io.IOException;

/**
 * The state of a processor as it was at one moment. Another thread writes it while the processor
 * handles further messages.
 */
public interface StateView {
  /**
   * Writes the whole state as of the moment of the view, in the layout of {@link
   * EventSourcedProcessor#save}.
   *
   * @throws IOException if {@code out} does
   */
  void save(DataOutput out) throws IOException;

  /** Called once when the view is not needed any more, by the thread that handles messages. */
  default void close() {}
}
