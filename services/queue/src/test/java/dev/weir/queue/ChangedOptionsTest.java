package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue is opened with other options each time: nothing that was accepted is lost by that. */
@Tag("slow")
class ChangedOptionsTest extends QueueTestBase {
  private final Set<Integer> accepted = new TreeSet<>();
  private final Set<Integer> done = new TreeSet<>();
  private final List<Outcome> outcomes = new ArrayList<>();

  /** The number of the first message of an opening. */
  private int first;

  private QueueStoreOptions options(Random random) {
    return storeOptions()
        .setPacketBytes(1 << (10 + random.nextInt(6)))
        .setSegmentThresholdBytes(random.nextBoolean() ? 0 : 1 << (10 + random.nextInt(4)))
        .setAckFlushMs(1 + random.nextInt(20));
  }

  private static QueueOptions queueOptions(Random random) {
    QueueOptions options =
        new QueueOptions()
            .setOrder(DeliveryOrder.values()[random.nextInt(3)])
            .setPolicy(random.nextBoolean() ? OverflowPolicy.FAIL : OverflowPolicy.BLOCK)
            .setReadAheadBytes(random.nextInt(32 << 10))
            .setWriteThrough(random.nextBoolean())
            .setDedupMaxIds(random.nextInt(3) * 100)
            .setMaxDelayMs(1 + random.nextInt(200))
            .setRetry(RetryOptions.fixed(1 + random.nextInt(6), random.nextInt(30)));
    if (random.nextInt(3) == 0) {
      // Less than what waits already.
      options.setMaxMessageBytes(200).setMaxBytes(2_000);
    }
    return options;
  }

  private void append(DurableQueue<String> queue, Random random) {
    for (int i = 0; i < 100; i++) {
      MessageOptions its = MessageOptions.NONE;
      if (random.nextInt(2) == 0) {
        its = its.withKey("k" + random.nextInt(4));
      }
      if (random.nextInt(8) == 0) {
        its = its.withNotBeforeMs(System.currentTimeMillis() + random.nextInt(300));
      }
      if (random.nextInt(4) == 0) {
        its = its.withId("id" + (first + outcomes.size()));
      }
      Outcome outcome = new Outcome();
      queue.append(
          text(first + outcomes.size(), 20 + random.nextInt(1000)),
          its,
          Durability.PROCESS,
          outcome);
      outcomes.add(outcome);
    }
  }

  private static int number(String message) {
    return Integer.parseInt(message.substring(0, message.indexOf(':')));
  }

  private void consume(DurableQueue<String> queue, Random random) {
    for (int i = random.nextInt(120); i > 0; i--) {
      Delivery<String> delivery = queue.poll();
      if (delivery == null) {
        break;
      }
      int dice = random.nextInt(10);
      if (dice < 5) {
        assertThat(done.add(number(delivery.message()))).as("%s", delivery).isTrue();
        queue.acknowledge(delivery);
      } else if (dice < 8) {
        queue.fail(delivery, "not now");
      } else if (dice < 9) {
        queue.release(delivery);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nothingThatWasAcceptedIsLostByOtherOptions(long seed) {
    Random random = new Random(seed);
    for (int opening = 0; opening < 6; opening++) {
      try (QueueStore store = QueueStore.open(options(random));
          DurableQueue<String> queue = openQueue(store, "q", queueOptions(random), NO_LOSSES)) {
        append(queue, random);
        consume(queue, random);
      }
      // Who waits for room is told at the close.
      for (Outcome outcome : outcomes) {
        if (outcome.await().isAccepted()) {
          accepted.add(first);
        }
        first++;
      }
      outcomes.clear();
    }
    try (QueueStore store = QueueStore.open(options(random));
        DurableQueue<String> queue =
            openQueue(store, new QueueOptions().setRetry(RetryOptions.fixed(100, 1)))) {
      Await.until(
          () -> "all is drained: " + queue.stats(),
          () -> {
            queue.releaseScheduled().join();
            queue.deadLetters().requeueAll();
            for (Delivery<String> got = queue.poll(); got != null; got = queue.poll()) {
              assertThat(done.add(number(got.message()))).as("%s", got).isTrue();
              queue.acknowledge(got);
            }
            QueueStats stats = queue.stats();
            return stats.waiting() + stats.scheduled() + stats.deadLetters() == 0;
          });
      assertThat(queue.stats().lost()).isZero();
      Await.until("nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
    }
    assertThat(done).isEqualTo(accepted);
  }
}
