package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.SmallDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A full disk of 48 MiB becomes empty again, whatever its consumer does with the messages, as long
 * as the dead letters are bounded by less than the disk has for them.
 */
class FullDiskMixTest extends QueueTestBase {
  private static final int MESSAGE = 4000;
  private static final int KEYS = 20;

  /** What a foreign file leaves of the disk of a queue that delivers one message at a time. */
  private static final int ROOM_IN_ORDER = 16 << 20;

  private SmallDisk smallDisk;

  @BeforeEach
  void mount() throws Exception {
    smallDisk = SmallDisk.mount(directory.resolve("disk"), 48);
  }

  @AfterEach
  void unmount() {
    if (smallDisk != null) {
      smallDisk.unmount();
    }
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions()
        .setDirectory(directory.resolve("disk").resolve("data"))
        .setMinFreeBytes(8 << 20)
        .setPacketBytes(16 << 10);
  }

  /** Half of this write buffer holds 128 messages; the dead letters fit beside a full disk. */
  private static QueueOptions options() {
    return new QueueOptions()
        .setWriteBufferBytes(1 << 20)
        .setRetry(RetryOptions.fixed(3, 5))
        .setDeadLetters(new DeadLetterOptions().setMaxBytes(4 << 20));
  }

  private static void send(
      DurableQueue<String> queue, int number, MessageOptions options, List<Outcome> outcomes) {
    Outcome outcome = new Outcome();
    queue.append(text(number, MESSAGE), options, Durability.PROCESS, outcome);
    outcomes.add(outcome);
  }

  /** Appends until the disk is full; returns the numbers of the messages that were accepted. */
  private static Set<Integer> fill(DurableQueue<String> queue, Random random) {
    Set<Integer> accepted = new TreeSet<>();
    for (int from = 0; accepted.size() == from; from += 50) {
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        MessageOptions its = MessageOptions.NONE;
        if (random != null && random.nextInt(3) > 0) {
          its = its.withKey("k" + random.nextInt(KEYS));
        }
        if (random != null && random.nextInt(20) == 0) {
          its = its.withNotBeforeMs(System.currentTimeMillis() + random.nextInt(1500));
        }
        send(queue, from + i, its, outcomes);
      }
      for (int i = 0; i < outcomes.size(); i++) {
        if (outcomes.get(i).await().isAccepted()) {
          accepted.add(from + i);
        }
      }
    }
    assertThat(accepted).hasSizeGreaterThan(1000);
    return accepted;
  }

  /** Dead letters that are kept, and those that had to go for them. */
  private static long dead(DurableQueue<String> queue) {
    return queue.deadLetters().count() + queue.stats().deadLettersTrimmed();
  }

  private static int number(Delivery<String> delivery) {
    String text = delivery.message();
    int number = Integer.parseInt(text.substring(0, text.indexOf(':')));
    assertThat(text.equals(text(number, MESSAGE))).as("%s is intact", number).isTrue();
    return number;
  }

  @Tag("slow")
  @Test
  void aConsumerWhoseHandlersAllFailOnceIsGivenEveryMessageOfAFullDiskAgain() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options())) {
      Set<Integer> accepted = fill(queue, null);
      QueueReader<String> reader = new QueueReader<>(queue);
      Set<Integer> failed = new TreeSet<>();
      Set<Integer> done = new TreeSet<>();
      while (done.size() < accepted.size()) {
        Delivery<String> delivery = reader.next();
        if (failed.add(number(delivery))) {
          queue.fail(delivery, "not now");
        } else {
          done.add(number(delivery));
          queue.acknowledge(delivery);
        }
      }
      assertThat(done).isEqualTo(accepted);
      Await.until("space is given back", () -> store.fault() == null);
      Await.until("nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
    }
  }

  @Test
  void everyMessageOfAFullDiskCanBecomeADeadLetter() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options())) {
      Set<Integer> accepted = fill(queue, null);
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; i < accepted.size(); i++) {
        queue.reject(reader.next(), "poison");
      }
      Await.until(() -> "all are dead: " + queue.stats(), () -> dead(queue) == accepted.size());
      queue.deadLetters().purgeAll();
      Await.until("space is given back", () -> store.fault() == null);
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 4, 12, 16})
  void aFullDiskBecomesEmptyWhateverMixOfEndsItsMessagesHave(long seed) throws IOException {
    fillAndDrain(seed);
  }

  @Tag("soak")
  @ParameterizedTest
  @ValueSource(longs = {3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17, 18, 19, 20})
  void aFullDiskBecomesEmptyInManyMoreMixes(long seed) throws IOException {
    fillAndDrain(seed);
  }

  private void fillAndDrain(long seed) throws IOException {
    Random random = new Random(seed);
    DeliveryOrder[] orders = DeliveryOrder.values();
    QueueOptions options =
        options()
            .setOrder(orders[random.nextInt(orders.length)])
            .setReadAheadBytes(random.nextInt(256 << 10))
            .setWriteThrough(random.nextBoolean());
    int acknowledged = 20 + random.nextInt(60);
    int rejected = random.nextInt(10);
    if (options.getOrder() == DeliveryOrder.QUEUE) {
      // Here every retry holds up all messages: 10,000 of them take minutes on a slow machine.
      smallDisk.fillUp(ROOM_IN_ORDER);
    }
    Set<Integer> accepted;
    Set<Integer> done = new TreeSet<>();
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      accepted = fill(queue, random);
      QueueReader<String> reader = new QueueReader<>(queue);
      List<Delivery<String>> held = new ArrayList<>();
      while (done.size() + held.size() + queue.stats().deadLettered() < accepted.size()) {
        Delivery<String> delivery = reader.next();
        int dice = random.nextInt(100);
        if (dice < acknowledged) {
          done.add(number(delivery));
          queue.acknowledge(delivery);
        } else if (dice < acknowledged + rejected) {
          queue.reject(delivery, "poison");
        } else if (dice > 97 && options.getOrder() == DeliveryOrder.NONE && held.size() < 100) {
          held.add(delivery);
        } else {
          queue.fail(delivery, "not now");
        }
      }
      for (Delivery<String> delivery : held) {
        done.add(number(delivery));
        queue.acknowledge(delivery);
      }
      Await.until(
          () -> "all others are dead letters: " + queue.stats(),
          () -> done.size() + dead(queue) == accepted.size());
      Await.until("nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
      queue.deadLetters().list(0, DeadLetters.MAX_LIST);
      queue.deadLetters().purgeAll();
      Await.until("space is given back", () -> store.fault() == null);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      assertThat(queue.waiting() + queue.stats().scheduled()).isZero();
    }
  }
}
