package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.options.ByteBudget;
import dev.weir.queue.DurableQueue.Admission;
import dev.weir.testing.Await;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that hold much more of the heap than they have bytes. */
class SmallMessagesTest extends QueueTestBase {
  private static final int BYTES = 8;
  private static final int PACKET_BYTES = 4096;

  private final ByteBudget buffers = new ByteBudget(1 << 20);

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setBufferBudget(buffers).setPacketBytes(PACKET_BYTES);
  }

  private static long left(List<WeakReference<String>> sent) {
    return sent.stream().filter(message -> message.get() != null).count();
  }

  @Test
  void leaveTheHeapOnceTheyAreWrittenAndManyWait() {
    int messages = 20_000;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      List<WeakReference<String>> sent = new ArrayList<>();
      for (int i = 0; i < messages; i++) {
        String message = text(i, BYTES);
        sent.add(new WeakReference<>(message));
        Outcome outcome = append(queue, message);
        if (i % 1000 == 999) {
          assertThat(outcome.await().isAccepted()).isTrue();
        }
      }
      Await.until(
          () -> "they have left the heap, " + left(sent) + " have not",
          () -> {
            System.gc();
            return left(sent) < messages / 4;
          });
      assertThat(new QueueReader<>(queue).drain(messages)).isEqualTo(texts(0, messages, BYTES));
    }
    assertThat(buffers.usedBytes()).isZero();
  }

  @Test
  void areRefusedWhileThoseThatWaitForThemHoldTheBuffers() {
    QueueOptions onDisk = new QueueOptions().setWriteThrough(true).setReadAheadBytes(0);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, onDisk)) {
      int accepted = 0;
      Admission admission = queue.offer(text(0, BYTES), "requester 0", false);
      while (admission == Admission.ACCEPTED) {
        accepted++;
        int all = accepted;
        if (all % 100 == 0) {
          Await.until(
              "full packets are written", () -> queue.stats().bufferedBytes() < 2 * PACKET_BYTES);
        }
        assertThat(all).as("requests whose requesters are in memory").isLessThan(50_000);
        admission = queue.offer(text(all, BYTES), "requester " + all, false);
      }
      assertThat(admission).isEqualTo(Admission.BUFFER_FULL);
      assertThat(accepted).isBetween(2000, 5000);

      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(reader.drain(accepted)).isEqualTo(texts(0, accepted, BYTES));

      assertThat(queue.offer("one more", "requester", false)).isEqualTo(Admission.ACCEPTED);
      assertThat(reader.drain(1)).containsExactly("one more");
    }
    assertThat(buffers.usedBytes()).isZero();
  }
}
