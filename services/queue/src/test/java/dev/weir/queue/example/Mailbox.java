package dev.weir.queue.example;

import dev.weir.queue.Delivery;
import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStore;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.RetryOptions;
import dev.weir.queue.Serde;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

public class Mailbox {
  public static void main(String[] args) throws InterruptedException {
    QueueOptions options =
        new QueueOptions()
            .setOrder(
                DeliveryOrder.KEY) // one message of a customer at a time, customers in parallel
            .setRetry(RetryOptions.exponential(5, 100, 60_000)) // then it is a dead letter
            .setDedupMaxIds(100_000); // an id that was seen is not added again
    try (QueueStore store = QueueStore.open(new QueueStoreOptions(Path.of(args[0])));
        DurableQueue<byte[]> queue =
            store.queue("mail", Serde.BYTES, options, (attachment, reason) -> {})) {
      CountDownLatch readable = new CountDownLatch(1);
      queue.onReadable(readable::countDown);
      queue.append(
          "hello".getBytes(),
          MessageOptions.NONE.withId("order-17").withKey("customer-4"),
          Durability.MACHINE,
          failure -> System.out.println(failure == null ? "on the disk" : failure.getMessage()));
      readable.await();
      Delivery<byte[]> delivery = queue.poll();
      System.out.println(new String(delivery.message()) + " " + delivery.deliveryCount());
      queue.acknowledge(delivery); // or fail(delivery, reason), or reject(delivery, reason)
    }
  }
}
