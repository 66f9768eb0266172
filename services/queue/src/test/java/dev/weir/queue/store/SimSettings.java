package dev.weir.queue.store;

import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.RetryOptions;
import java.util.SplittableRandom;

/**
 * What a simulated queue and its users are like.
 *
 * @param keys number of keys, 0 for none
 * @param ids number of ids, 0 for none
 * @param largestBytes size of the largest message
 * @param failing of 100 deliveries, how many fail
 * @param rejecting of 100 deliveries, how many are rejected
 * @param releasing of 100 deliveries, how many are kept for the next opening
 * @param delaying of 100 messages, how many are delayed
 * @param expiring of 100 messages, how many may expire
 * @param offering of 100 messages, how many are offered
 */
record SimSettings(
    QueueOptions options,
    int keys,
    int ids,
    int largestBytes,
    int failing,
    int rejecting,
    int releasing,
    int delaying,
    int expiring,
    int offering) {

  static SimSettings of(SplittableRandom random) {
    int attempts = 1 + random.nextInt(4);
    RetryOptions retry =
        RetryOptions.fixed(attempts, random.nextInt(3) == 0 ? 0 : random.nextInt(200));
    if (random.nextInt(6) == 0) {
      retry.setMaxDeliveries(attempts + random.nextInt(3));
    }
    boolean small = random.nextInt(2) == 0;
    OverflowPolicy policy = OverflowPolicy.values()[random.nextInt(4)];
    int ids = random.nextInt(3) == 0 ? 10 : 0;
    QueueOptions options =
        new QueueOptions()
            .setOrder(DeliveryOrder.values()[random.nextInt(3)])
            .setPolicy(policy)
            .setMaxBytes(small ? 600 + random.nextInt(6000) : 1 << 20)
            .setWriteBufferBytes(1024 << random.nextInt(5))
            .setReadAheadBytes(random.nextInt(3) * 1000)
            .setMaxBlocked(random.nextInt(2) == 0 ? 3 : 1000)
            .setWriteThrough(random.nextInt(4) == 0)
            .setDeadLetterExpired(random.nextBoolean())
            .setDedupMaxIds(ids == 0 ? 0 : 100_000)
            .setRetry(retry);
    if (!options.isDeadLetterExpired() && random.nextInt(4) == 0) {
      options.setTtlMs(1 + random.nextInt(500));
    }
    return new SimSettings(
        options,
        random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(5),
        ids,
        8 + random.nextInt(small ? 200 : 600),
        rarely(random, 60),
        rarely(random, 30),
        rarely(random, 10),
        rarely(random, 40),
        rarely(random, 20),
        rarely(random, 60));
  }

  private static int rarely(SplittableRandom random, int most) {
    return random.nextBoolean() ? 0 : random.nextInt(most);
  }
}
