package dev.weir.state.engine;

import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the streams of changes of a store, and refuses those that are too many. Any thread. */
public final class StreamSlots {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  /**
   * @param most so many streams may be open at a time
   */
  public StreamSlots(int most) {
    this.most = most;
  }

  /**
   * Begins a stream.
   *
   * @throws DocumentException {@code BUSY} if too many are open
   */
  public void open() {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      throw new DocumentException(
          DocumentFailure.BUSY, "as many streams of changes are open as may be: " + most);
    }
  }

  /** Ends a stream. */
  public void close() {
    open.decrementAndGet();
  }

  /** The number of streams that are open. */
  public int count() {
    return open.get();
  }
}
