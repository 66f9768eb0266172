package dev.weir.queue.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A message that is sent again and asks for more safety than the first time. */
class DuplicateTest {
  private static final int MAX_TURNS = 100;

  private final SteppedStore store = new SteppedStore();
  private final QueueOptions remembering = new QueueOptions().setDedupMaxIds(100);
  private final List<QueueException> told = new ArrayList<>();

  /**
   * @param uses so often the files are used, for the write of the first one, before it comes again
   */
  @ParameterizedTest
  @CsvSource({
    "NONE, 0", "NONE, 1", "NONE, 2", "NONE, 3", "NONE, 9",
    "PROCESS, 0", "PROCESS, 1", "PROCESS, 2", "PROCESS, 3", "PROCESS, 9"
  })
  void whoAsksForTheDeviceIsToldOnlyOfWhatSurvivesALossOfPower(Durability first, int uses) {
    DurableQueue<byte[]> queue = store.queue(remembering);
    store.pass(1);
    MessageOptions named = MessageOptions.NONE.withId("1");
    queue.append(new byte[10], named, first, failure -> {});
    Runnable again = () -> queue.append(new byte[10], named, Durability.MACHINE, told::add);
    AtomicInteger left = new AtomicInteger(uses);
    store.meanwhile =
        () -> {
          if (left.getAndDecrement() == 0) {
            again.run();
          }
        };
    store.writer().runDuty();
    store.meanwhile = () -> {};
    if (left.get() >= 0) {
      again.run();
    }
    for (int turn = 0; told.isEmpty() && turn < MAX_TURNS; turn++) {
      (turn % 2 == 0 ? store.writer() : store.sync()).runDuty();
    }

    assertThat(told).as("what the sender is told").hasSize(1).containsOnlyNulls();
    store.disk.losePower();
    store.open();
    assertThat(store.queue(remembering).stats().recovered()).as("what is left").isEqualTo(1);
  }

  @Test
  void everySenderIsToldHoweverManySendTheSame() {
    int senders = 100_000;
    DurableQueue<byte[]> queue = store.queue(remembering);
    store.pass(1);
    MessageOptions named = MessageOptions.NONE.withId("1");
    for (int i = 0; i < senders; i++) {
      queue.append(new byte[10], named, Durability.PROCESS, told::add);
    }

    store.pass(1);

    assertThat(told).hasSize(senders).containsOnlyNulls();
    assertThat(queue.waiting()).isEqualTo(1);
  }

  @Test
  void bodiesThatComeAgainDuringAWriteAreRefusedWhenTheyTakeMoreThanTheHeapHasForThem() {
    DurableQueue<byte[]> queue = store.queue(remembering);
    store.pass(1);
    MessageOptions named = MessageOptions.NONE.withId("1");
    queue.append(new byte[10], named, Durability.NONE, failure -> {});
    AtomicInteger uses = new AtomicInteger();
    store.meanwhile =
        () -> {
          for (int i = 0; uses.get() == 0 && i < 100; i++) {
            queue.append(new byte[100_000], named, Durability.PROCESS, told::add);
          }
          uses.incrementAndGet();
        };

    store.pass(10);

    assertThat(told).hasSize(100);
    List<QueueException> refusals = told.stream().filter(Objects::nonNull).toList();
    // The buffers of all queues have a mebibyte.
    assertThat(refusals).hasSizeBetween(90, 95);
    assertThat(refusals).allMatch(refusal -> refusal.reason() == Reason.BUFFER_FULL);
    assertThat(queue.waiting()).isEqualTo(1);
  }
}
