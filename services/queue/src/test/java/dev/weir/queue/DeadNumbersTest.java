package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The number of a dead letter that is gone is not given again, so that a user who has an older list
 * changes the dead letter of that list or none.
 */
class DeadNumbersTest extends DataDirectoryTestBase {
  private static final List<String> THREE = List.of("a", "b", "c");
  private static final List<String> UNREADABLE = List.of(TextSerde.UNREADABLE);
  private static final QueueOptions KEEP = new QueueOptions();
  private static final QueueOptions KEEP_NONE =
      new QueueOptions().setDeadLetters(new DeadLetterOptions().setMaxCount(0));

  /** How the newest of three dead letters leaves an open queue. */
  enum InUse {
    PURGE_ALL(queue -> queue.deadLetters().purgeAll()),
    PURGE_ONE(queue -> queue.deadLetters().purge(3)),
    REQUEUE_ALL(queue -> handle(queue, queue.deadLetters().requeueAll())),
    REQUEUE_ONE(queue -> handle(queue, queue.deadLetters().requeue(3) ? 1 : 0));

    private final Consumer<DurableQueue<String>> removal;

    InUse(Consumer<DurableQueue<String>> removal) {
      this.removal = removal;
    }
  }

  /** How the newest of three dead letters leaves a queue in a closed directory. */
  enum Closed {
    PURGE_ALL(tool -> tool.purgeDead("q")),
    PURGE_CHOSEN(tool -> tool.purgeDead("q", letter -> letter.sequence() == 3)),
    REQUEUE(tool -> tool.requeue("q", null)),
    MOVE(tool -> tool.move("q", letter -> true, "other", 0)),
    DELETE(tool -> tool.delete("q", 3)),
    DELETE_QUEUE(tool -> tool.deleteQueue("q"));

    private final Consumer<QueueMaintenance> removal;

    Closed(Consumer<QueueMaintenance> removal) {
      this.removal = removal;
    }
  }

  private static void handle(DurableQueue<String> queue, long count) {
    new QueueReader<>(queue).drain((int) count);
  }

  private static void bury(DurableQueue<String> queue, List<String> messages) {
    long dead = queue.stats().deadLetters();
    appendAll(queue, messages);
    QueueReader<String> reader = new QueueReader<>(queue);
    messages.forEach(message -> queue.reject(reader.next(), "bad"));
    Await.until("all are dead", () -> queue.stats().deadLetters() == dead + messages.size());
  }

  private void use(QueueStoreOptions at, QueueOptions options, Consumer<DurableQueue<String>> use) {
    try (QueueStore store = QueueStore.open(at);
        DurableQueue<String> queue = openQueue(store, options)) {
      use.accept(queue);
    }
  }

  private void use(Consumer<DurableQueue<String>> use) {
    use(storeOptions(), KEEP, use);
  }

  private static long newest(DurableQueue<String> queue) {
    List<DeadLetter<String>> all = queue.deadLetters().list(0, 10);
    return all.get(all.size() - 1).number();
  }

  /** A message that becomes a dead letter after three others gets the fourth number. */
  private static void buryFourth(DurableQueue<String> queue) {
    bury(queue, List.of("d"));
    assertThat(newest(queue)).as("number of the fourth").isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void isNotGivenAgainAfterARestart(InUse way) {
    use(
        queue -> {
          bury(queue, THREE);
          way.removal.accept(queue);
        });
    use(queue -> assertThat(queue.deadLetters().mark().last()).isEqualTo(3));
    use(DeadNumbersTest::buryFourth);
  }

  @ParameterizedTest
  @EnumSource
  void isNotGivenAgainAfterAKill(InUse way) throws IOException {
    QueueStoreOptions killed = storeOptions().setDirectory(directory.resolve("killed"));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      bury(queue, THREE);
      way.removal.accept(queue);
      KilledStore.copy(data(), killed.getDirectory());
    }
    use(killed, KEEP, DeadNumbersTest::buryFourth);
  }

  @ParameterizedTest
  @EnumSource
  void isNotGivenAgainAfterWorkOnAClosedDirectory(Closed way) {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      bury(queue, THREE);
      openQueue(store, "other", KEEP, NO_LOSSES).close();
    }
    try (QueueMaintenance tool = QueueMaintenance.open(data())) {
      way.removal.accept(tool);
    }
    use(
        queue -> {
          new QueueReader<>(queue).drainAll();
          buryFourth(queue);
        });
  }

  @Test
  void isNotGivenAgainAfterTheDeletionOfTheQueue() {
    try (QueueStore store = openStore()) {
      try (DurableQueue<String> queue = openQueue(store)) {
        bury(queue, THREE);
      }
      store.deleteQueue("q");
      try (DurableQueue<String> queue = openQueue(store)) {
        buryFourth(queue);
      }
    }
  }

  @Test
  void isNotGivenAgainAfterTooManyWereRemoved() {
    use(
        storeOptions(),
        KEEP_NONE,
        queue -> {
          appendAll(queue, THREE);
          THREE.forEach(message -> queue.reject(new QueueReader<>(queue).next(), "bad"));
          Await.until("all are removed", () -> queue.stats().deadLettersTrimmed() == 3);
        });
    use(DeadNumbersTest::buryFourth);
  }

  @Test
  void isNotGivenToAnImportedDeadLetter() {
    use(queue -> bury(queue, THREE));
    try (QueueMaintenance tool = QueueMaintenance.open(data())) {
      StoredMessage[] third = new StoredMessage[1];
      tool.purgeDead(
          "q",
          letter -> {
            third[0] = letter;
            return true;
          });
      QueueAppender appender = tool.appender("q");
      appender.add(third[0]);
      appender.commit();
    }
    use(queue -> assertThat(newest(queue)).isEqualTo(4));
  }

  @Test
  void ofAMessageThatCannotBeReadIsNotGivenAgain() {
    for (int number = 0; number < 3; number++) {
      use(queue -> appendAll(queue, UNREADABLE));
      long expected = DeadLetters.FIRST_UNREADABLE + number;
      use(
          queue -> {
            Await.until(
                "it is dead", () -> queue.poll() == null && queue.deadLetters().count() == 1);
            assertThat(newest(queue)).isEqualTo(expected);
            queue.deadLetters().purgeAll();
          });
    }
  }
}
