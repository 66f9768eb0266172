package dev.weir.cluster.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Allocation;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RecordRingTest {
  private static final int MAX_BYTES = 100;

  private final RecordRing ring = new RecordRing(MAX_BYTES, 0);
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(MAX_BYTES + 3);

  private boolean offer(long number) {
    int length = (int) (number % (MAX_BYTES + 1));
    for (int i = 0; i < length; i++) {
      bytes.put(3 + i, (byte) (number + i));
    }
    return ring.offer((int) number % 5, number, -number, bytes, 3, length);
  }

  private void assertNext(long number) {
    assertThat(ring.peek()).isTrue();
    assertThat(ring.tag()).isEqualTo((int) number % 5);
    assertThat(ring.first()).isEqualTo(number);
    assertThat(ring.second()).isEqualTo(-number);
    ByteBuffer content = ring.content();
    assertThat(content.remaining()).isEqualTo((int) (number % (MAX_BYTES + 1)));
    while (content.hasRemaining()) {
      int i = content.position() - ring.offset();
      assertThat(content.get()).isEqualTo((byte) (number + i));
    }
    ring.remove();
  }

  @Test
  void recordsOfAllSizesComeOutAsTheyWentIn() {
    long added = 0;
    long removed = 0;
    for (int round = 0; round < 2_000; round++) {
      while (offer(added)) {
        added++;
      }
      assertThat(ring.added()).isEqualTo(added);
      for (long to = removed + 1 + round % (added - removed); removed < to; removed++) {
        assertNext(removed);
      }
    }
    for (; removed < added; removed++) {
      assertNext(removed);
    }
    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.peek()).isFalse();
  }

  @Test
  void theLargestRecordFitsWhereverTheLastOneEnded() {
    long number = MAX_BYTES;
    for (int i = 0; i < 300; i++) {
      assertThat(ring.offer(0, 0, 0, bytes, 0, i % 40)).isTrue();
      ring.peek();
      ring.remove();
      assertThat(offer(number)).isTrue();
      assertNext(number);
    }
  }

  @Test
  @Timeout(180)
  void whatOneThreadAddsAnotherTakesInOrder() throws InterruptedException {
    long count = 20_000;
    Thread adding =
        new Thread(
            () -> {
              for (long number = 0; number < count; ) {
                if (offer(number)) {
                  number++;
                } else {
                  LockSupport.parkNanos(1);
                }
              }
            });
    adding.start();
    for (long number = 0; number < count; number++) {
      while (ring.isEmpty()) {
        // Where there is one CPU, the other thread needs it.
        LockSupport.parkNanos(1);
      }
      assertNext(number);
    }
    adding.join();
    assertThat(ring.removed()).isEqualTo(count);
  }

  @Test
  void nothingIsAllocatedForARecord() {
    long perRun =
        Allocation.bytesPerRun(
            1_000,
            () -> {
              ring.offer(1, 2, 3, bytes, 0, MAX_BYTES);
              ring.peek();
              ring.content();
              ring.remove();
            });
    assertThat(perRun).isZero();
  }
}
