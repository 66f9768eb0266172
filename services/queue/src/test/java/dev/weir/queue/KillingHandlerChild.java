package dev.weir.queue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Handles all messages of a queue; one of them ends the process as soon as it is handled. */
final class KillingHandlerChild {
  static final String KILLS = "kills";

  /** What the process ends with. */
  static final int KILLED = 9;

  private KillingHandlerChild() {}

  static QueueOptions options(DeliveryOrder order) {
    return new QueueOptions()
        .setOrder(order)
        .setRetry(RetryOptions.fixed(2, 5).setMaxDeliveries(3));
  }

  /**
   * Arguments: data directory, order, at how many failures the message kills. Prints each message
   * and its delivery count.
   */
  public static void main(String[] args) throws InterruptedException {
    int failures = Integer.parseInt(args[2]);
    try (QueueStore store = QueueStore.open(new QueueStoreOptions(Path.of(args[0])));
        DurableQueue<byte[]> queue =
            store.queue(
                "q",
                Serde.BYTES,
                options(DeliveryOrder.valueOf(args[1])),
                (attachment, reason) -> {})) {
      Semaphore readable = new Semaphore(0);
      queue.onReadable(readable::release);
      while (isToHandle(queue.stats())) {
        Delivery<byte[]> next = queue.poll();
        if (next == null) {
          readable.tryAcquire(10, TimeUnit.MILLISECONDS);
          continue;
        }
        String message = new String(next.message(), StandardCharsets.UTF_8);
        if (message.equals(KILLS) && next.failures() >= failures) {
          System.out.println(KILLS + " " + next.deliveryCount());
          Runtime.getRuntime().halt(KILLED);
        } else if (message.equals(KILLS)) {
          queue.fail(next, "fails first");
        } else {
          System.out.println(message + " " + next.deliveryCount());
          queue.acknowledge(next);
        }
      }
    }
  }

  /** Of one moment: a retry that falls due between two readings would be in neither. */
  private static boolean isToHandle(QueueStats stats) {
    return stats.waiting() + stats.scheduled() > 0;
  }
}
