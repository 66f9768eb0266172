package dev.weir.state.engine;

import dev.weir.options.ByteBudget;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import java.util.concurrent.Executor;

/**
 * The bytes of documents that were read for one request, until it is their turn to be handed over:
 * the thread that reads must not fill the heap with what a busy event loop has not taken yet. On
 * the query thread.
 */
public final class Held {
  private static final int SMALL_BYTES = 16 << 10;

  private final ByteBudget inFlight;
  private final Executor delivery;
  private long bytes;

  /**
   * @param delivery runs on the thread of whoever asked
   */
  Held(ByteBudget inFlight, Executor delivery) {
    this.inFlight = inFlight;
    this.delivery = delivery;
  }

  /**
   * Takes bytes of an answer. A small one always gets them, so that those who fill the budget with
   * operations do not keep others from reading.
   *
   * @return whether there is room for them
   */
  public static boolean tryTake(ByteBudget inFlight, long bytes) {
    return tryTake(inFlight, bytes, bytes);
  }

  private static boolean tryTake(ByteBudget inFlight, long all, long more) {
    if (all <= SMALL_BYTES) {
      inFlight.take(more);
      return true;
    }
    return inFlight.tryTake(more);
  }

  /**
   * Holds as many in all. One request holds half of the budget at most, so that it is never refused
   * for itself.
   *
   * @throws DocumentException {@code BUSY} if there is no room for them beside those of others
   */
  void cover(long all) {
    long wanted = Math.min(all, inFlight.limitBytes() / 2);
    if (wanted > bytes) {
      if (!tryTake(inFlight, wanted, wanted - bytes)) {
        throw busy();
      }
      bytes = wanted;
    }
  }

  static DocumentException busy() {
    return new DocumentException(
        DocumentFailure.BUSY, "too many bytes of operations and their answers are under way");
  }

  /** Hands over what was read; it does not count any more then. */
  void deliver(Runnable handOver) {
    long held = bytes;
    delivery.execute(
        () -> {
          inFlight.give(held);
          handOver.run();
        });
    // Not before: what is not accepted is released when the reading fails.
    bytes = 0;
  }

  /** Gives up what was read. */
  void release() {
    inFlight.give(bytes);
    bytes = 0;
  }
}
