package dev.weir.queue.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the writer thread writes in which turn, step by step. */
class WriterTurnsTest {
  private static final String PROGRESS = "PROGRESS";

  private final SteppedStore store = new SteppedStore();
  private final List<QueueException> outcomes = new ArrayList<>();

  // ---- progress

  @Test
  void theProgressOfAPacketWithOnlyRequestsIsNotWritten() {
    DurableQueue<byte[]> queue = queue();
    request(queue, 10);
    request(queue, 10);
    store.pass(1);
    queue.acknowledge(queue.poll());
    store.pass(100);
    assertThat(store.contents()).containsEntry("PACKETS", 1).doesNotContainKey(PROGRESS);

    queue.acknowledge(queue.poll());
    store.pass(100);
    assertThat(store.contents()).doesNotContainKey("PACKETS");
  }

  @Test
  void theProgressOfAPacketWithARequestAndAMessageIsWritten() {
    DurableQueue<byte[]> queue = queue();
    request(queue, 10);
    queue.offer(new byte[10], null, true);
    store.pass(1);
    queue.acknowledge(queue.poll());
    store.pass(100);
    assertThat(store.contents()).containsEntry(PROGRESS, 1);
  }

  private DurableQueue<byte[]> queue() {
    DurableQueue<byte[]> queue = store.queue(new QueueOptions().setWriteThrough(true));
    store.pass(1);
    return queue;
  }

  private static void request(DurableQueue<byte[]> queue, int bytes) {
    queue.offer(new byte[bytes], "requester", false);
  }

  private void append(DurableQueue<byte[]> queue, int bytes, Durability durability) {
    queue.append(new byte[bytes], MessageOptions.NONE, durability, outcomes::add);
  }
}
