package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.WaitingMessage.State;
import dev.weir.queue.WaitingMessages.Deletion;
import dev.weir.testing.Await;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WaitingMessagesTest extends QueueTestBase {
  private static final long HOUR_MS = 3_600_000;

  @Override
  public QueueStoreOptions storeOptions() {
    // A deletion waits for the next write of acknowledgements.
    return super.storeOptions().setAckFlushMs(1);
  }

  private static QueueOptions small() {
    return new QueueOptions()
        .setOrder(DeliveryOrder.KEY)
        .setReadAheadBytes(16 << 10)
        .setRetry(RetryOptions.fixed(5, HOUR_MS));
  }

  private static long later() {
    return System.currentTimeMillis() + HOUR_MS;
  }

  private static void append(DurableQueue<String> queue, String message, MessageOptions options) {
    Outcome outcome = new Outcome();
    queue.append(message, options, Durability.PROCESS, outcome);
    assertThat(outcome.await().failure()).isNull();
  }

  private static List<WaitingMessage<String>> all(DurableQueue<String> queue, int max) {
    List<WaitingMessage<String>> all = new ArrayList<>();
    List<WaitingMessage<String>> page = queue.waitingMessages().list(0, max);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(max);
      all.addAll(page);
      page = queue.waitingMessages().list(page.get(page.size() - 1).sequence() + 1, max);
    }
    return all;
  }

  private static List<String> messages(List<WaitingMessage<String>> waiting) {
    return waiting.stream().map(WaitingMessage::message).toList();
  }

  @Test
  void pagesShowAllThatWaitsInMemoryAndOnDisk() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, small())) {
      assertThat(queue.waitingMessages().list(0, 10)).isEmpty();
      List<String> texts = texts(0, 1000, 200);
      appendAll(queue, texts);
      assertThat(messages(all(queue, 1000))).isEqualTo(texts);
      assertThat(messages(all(queue, 7))).isEqualTo(texts);
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(reader.drain(50)).isEqualTo(texts.subList(0, 50));
      Delivery<String> handled = reader.next();
      assertThat(messages(all(queue, 300))).isEqualTo(texts.subList(51, 1000));
      queue.release(handled);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, small())) {
      assertThat(messages(all(queue, 300))).isEqualTo(texts(50, 1000, 200));
      assertThat(queue.waitingMessages().list(0, 1).get(0).deliveries()).isEqualTo(1);
    }
  }

  @Test
  void aMessageIsShownWithAllThatIsKnownOfIt() {
    long dueMs = later();
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, small())) {
      long before = System.currentTimeMillis();
      append(queue, "fails", MessageOptions.NONE.withId("a").withKey("k"));
      append(queue, "waits for its key", MessageOptions.NONE.withId("b").withKey("k"));
      append(queue, "delayed", MessageOptions.NONE.withNotBeforeMs(dueMs));
      append(queue, "waits", MessageOptions.NONE.withId("d"));
      assertThat(all(queue, 10))
          .extracting(WaitingMessage::state)
          .containsExactly(State.WAITING, State.WAITING, State.SCHEDULED, State.WAITING);
      QueueReader<String> reader = new QueueReader<>(queue);
      Delivery<String> first = reader.next();
      queue.fail(first, "no luck");
      Delivery<String> last = reader.next();
      assertThat(last.message()).isEqualTo("waits");
      Await.until("two wait for their time", () -> queue.stats().scheduled() == 2);
      List<WaitingMessage<String>> shown = all(queue, 10);
      assertThat(messages(shown)).containsExactly("fails", "waits for its key", "delayed");
      WaitingMessage<String> failed = shown.get(0);
      assertThat(failed.state()).isEqualTo(State.SCHEDULED);
      assertThat(failed.options().id()).isEqualTo("a");
      assertThat(failed.options().key()).isEqualTo("k");
      assertThat(failed.sequence()).isEqualTo(first.sequence());
      assertThat(failed.sizeBytes()).isEqualTo(5);
      assertThat(failed.deliveries()).isEqualTo(1);
      assertThat(failed.failures()).isEqualTo(1);
      assertThat(failed.reason()).isEqualTo("no luck");
      assertThat(failed.dueAtMs()).isGreaterThan(before);
      assertThat(shown.get(1).state()).isEqualTo(State.BLOCKED);
      assertThat(shown.get(2).dueAtMs()).isEqualTo(dueMs);
      assertThat(queue.waitingMessages().find("b")).contains(shown.get(1));
      assertThat(queue.waitingMessages().find("d")).isEmpty();
      assertThat(queue.waitingMessages().read(shown.get(2).sequence())).contains(shown.get(2));
      assertThat(queue.waitingMessages().read(last.sequence())).isEmpty();
      queue.acknowledge(last);
      append(queue, "written", MessageOptions.NONE);
      WaitingMessage<String> written = all(queue, 10).get(3);
      assertThat(written.writtenAtMs()).isBetween(before, System.currentTimeMillis());
    }
  }

  @Test
  void aMessageInDeliveryIsNotDeleted() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, small())) {
      append(queue, "first", MessageOptions.NONE.withId("id"));
      append(queue, "retried", MessageOptions.NONE);
      append(queue, "next", MessageOptions.NONE);
      QueueReader<String> reader = new QueueReader<>(queue);
      Delivery<String> first = reader.next();
      Delivery<String> retried = reader.next();
      WaitingMessages<String> waiting = queue.waitingMessages();
      assertThat(waiting.delete(first.sequence())).isEqualTo(Deletion.IN_DELIVERY);
      assertThat(waiting.delete("id")).isEqualTo(Deletion.NOT_FOUND);
      queue.fail(retried, "later");
      queue.releaseScheduled().join();
      Delivery<String> next = reader.next();
      Delivery<String> again = next.message().equals("next") ? reader.next() : next;
      assertThat(again.message()).isEqualTo("retried");
      assertThat(waiting.delete(again.sequence())).isEqualTo(Deletion.IN_DELIVERY);
      queue.acknowledge(first);
      queue.reject(again, "dead");
      Await.until("a dead letter", () -> queue.deadLetters().count() == 1);
      assertThat(waiting.delete(again.sequence())).isEqualTo(Deletion.NOT_FOUND);
      assertThat(waiting.delete(1 << 20)).isEqualTo(Deletion.NOT_FOUND);
      assertThat(waiting.delete("unknown")).isEqualTo(Deletion.NOT_FOUND);
    }
  }

  @Test
  void aDeletedMessageIsNotDeliveredAndNotThereAfterARestart() {
    Set<String> left = new HashSet<>();
    long seed = Long.getLong("weir.seed", 20_261_123);
    for (int run = 0; run < 3; run++) {
      Random random = new Random(seed + run);
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store, small())) {
        fill(queue, run, left, random);
        deleteSome(queue, left, random);
        assertThat(messages(all(queue, 100)))
            .as("run %d", run)
            .containsExactlyInAnyOrderElementsOf(left);
      }
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, small())) {
      assertThat(queue.stats().recovered()).isEqualTo(left.size());
      queue.releaseScheduled().join();
      assertThat(new QueueReader<>(queue).drain(left.size()))
          .containsExactlyInAnyOrderElementsOf(left);
      assertThat(queue.poll()).isNull();
      assertThat(queue.waiting()).isZero();
      Await.until("nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, small())) {
      assertThat(queue.stats().recovered()).isZero();
    }
  }

  /** Adds messages of all kinds, takes some, and fails some of these. */
  private static void fill(DurableQueue<String> queue, int run, Set<String> left, Random random) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      String text = text(run * 1000 + i, 20 + random.nextInt(400));
      MessageOptions options = MessageOptions.NONE;
      if (random.nextInt(3) == 0) {
        options = options.withKey("k" + random.nextInt(3));
      }
      if (random.nextInt(5) == 0) {
        options = options.withNotBeforeMs(later());
      }
      Outcome outcome = new Outcome();
      queue.append(text, options, Durability.PROCESS, outcome);
      outcomes.add(outcome);
      left.add(text);
    }
    outcomes.forEach(outcome -> assertThat(outcome.await().failure()).isNull());
    for (int i = random.nextInt(80); i > 0; i--) {
      Delivery<String> delivery = queue.poll();
      if (delivery != null && random.nextInt(3) == 0) {
        queue.fail(delivery, "failed");
      } else if (delivery != null) {
        queue.acknowledge(delivery);
        left.remove(delivery.message());
      }
    }
  }

  private static void deleteSome(DurableQueue<String> queue, Set<String> left, Random random) {
    Map<Long, String> waiting = new TreeMap<>();
    all(queue, 1000).forEach(message -> waiting.put(message.sequence(), message.message()));
    long before = queue.stats().purged();
    int deleted = 0;
    for (Map.Entry<Long, String> each : waiting.entrySet()) {
      if (random.nextInt(4) == 0) {
        assertThat(queue.waitingMessages().delete(each.getKey()))
            .as("message %d", each.getKey())
            .isEqualTo(Deletion.DELETED);
        assertThat(queue.waitingMessages().delete(each.getKey())).isEqualTo(Deletion.NOT_FOUND);
        left.remove(each.getValue());
        deleted++;
      }
    }
    assertThat(queue.stats().purged() - before).isEqualTo(deleted);
  }

  @Test
  void aClosedQueueShowsNothing() {
    QueueStore store = openStore();
    DurableQueue<String> queue = openQueue(store);
    WaitingMessages<String> waiting = queue.waitingMessages();
    queue.close();
    assertThatThrownBy(() -> waiting.list(0, 10)).satisfies(failure -> isClosed(failure));
    assertThatThrownBy(() -> waiting.delete(1)).satisfies(failure -> isClosed(failure));
    store.close();
    assertThatThrownBy(() -> waiting.list(0, 10)).satisfies(failure -> isClosed(failure));
    assertThatThrownBy(() -> waiting.list(0, WaitingMessages.MAX_LIST + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("max is 1001, allowed is 1 to 1000");
  }

  private static void isClosed(Throwable failure) {
    assertThat(((QueueException) failure).reason()).isEqualTo(Reason.CLOSED);
  }
}
