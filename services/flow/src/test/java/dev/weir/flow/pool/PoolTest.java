package dev.weir.flow.pool;

import static dev.weir.flow.pool.Pool.Arrival.CLOSED;
import static dev.weir.flow.pool.Pool.Arrival.FULL;
import static dev.weir.flow.pool.Pool.Arrival.KEEP;
import static dev.weir.flow.pool.Pool.Arrival.RUN;
import static dev.weir.flow.pool.Pool.Arrival.SPILL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.pool.Pool.Next;
import dev.weir.options.ByteBudget;
import dev.weir.options.ByteLease;
import dev.weir.options.HeapBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolTest {

  private static Pool pool(int workers, int messages, long bytes, boolean diskTier) {
    ByteBudget any = new ByteBudget(Long.MAX_VALUE);
    return pool(workers, messages, bytes, diskTier, any, any);
  }

  private static Pool pool(
      int workers,
      int messages,
      long bytes,
      boolean diskTier,
      ByteBudget memory,
      ByteBudget handling) {
    return new Pool(
        workers, messages, bytes, diskTier, new ByteLease(memory), new ByteLease(handling));
  }

  /** Each line is a state and what is to happen to the next message of 10 bytes. */
  @ParameterizedTest(
      name = "{0} busy of {1}, {2} in memory of {3}, {4} on disk, disk tier {5}: {6}")
  @CsvSource({
    "0, 2, 0, 2, 0, true,  RUN",
    "1, 2, 0, 2, 0, true,  RUN",
    "2, 2, 0, 2, 0, true,  KEEP",
    "2, 2, 1, 2, 0, true,  KEEP",
    "2, 2, 2, 2, 0, true,  SPILL",
    "2, 2, 2, 2, 0, false, FULL",
    "2, 2, 0, 0, 0, true,  SPILL",
    "2, 2, 0, 0, 0, false, FULL",
    "2, 2, 0, 2, 5, true,  SPILL",
    "0, 2, 0, 2, 5, true,  SPILL",
    "2, 2, 1, 2, 5, true,  SPILL"
  })
  void anArrivalGoesBehindAllThatWaits(
      int busy,
      int workers,
      int memory,
      int memoryLimit,
      long disk,
      boolean diskTier,
      Pool.Arrival expected) {
    Pool pool = pool(workers, memoryLimit, 1000, diskTier);
    for (int i = 0; i < busy; i++) {
      assertThat(pool.arrive(10, 0)).isEqualTo(RUN);
    }
    for (int i = 0; i < memory; i++) {
      assertThat(pool.arrive(10, 0)).isEqualTo(KEEP);
    }
    assertThat(pool.arrive(10, disk)).isEqualTo(expected);
  }

  @Test
  void memoryIsBoundedByBytesToo() {
    Pool pool = pool(1, 100, 25, true);
    pool.arrive(10, 0);
    assertThat(pool.arrive(10, 0)).isEqualTo(KEEP);
    assertThat(pool.arrive(10, 0)).isEqualTo(KEEP);
    assertThat(pool.arrive(10, 0)).isEqualTo(SPILL);
    assertThat(pool.memoryBytes()).isEqualTo(20);
  }

  @Test
  void memoryIsEmptiedBeforeDisk() {
    Pool pool = pool(1, 1, 100, true);
    pool.arrive(10, 0);
    pool.arrive(10, 0);
    assertThat(pool.next(10, 1)).isEqualTo(Next.NONE);
    pool.finished(0);
    assertThat(pool.next(10, 1)).isEqualTo(Next.MEMORY);
    pool.finished(0);
    assertThat(pool.next(0, 1)).isEqualTo(Next.DISK);
    pool.startedFromDisk(10);
    assertThat(pool.next(0, 1)).isEqualTo(Next.NONE);
    pool.finished(0);
    assertThat(pool.idle(0)).isTrue();
  }

  @Test
  void aPausedPoolStartsNothingAndKeepsWhatArrives() {
    Pool pool = pool(2, 1, 100, false);
    pool.pause();
    assertThat(pool.arrive(10, 0)).isEqualTo(KEEP);
    assertThat(pool.arrive(10, 0)).isEqualTo(FULL);
    assertThat(pool.next(10, 0)).isEqualTo(Next.NONE);
    assertThat(pool.stuck()).isTrue();
    pool.resume();
    assertThat(pool.next(10, 0)).isEqualTo(Next.MEMORY);
  }

  @Test
  void fewerWorkersStartNothingUntilEnoughHaveFinished() {
    Pool pool = pool(3, 10, 100, false);
    for (int i = 0; i < 4; i++) {
      pool.arrive(10, 0);
    }
    pool.setWorkers(1);
    pool.finished(0);
    pool.finished(0);
    assertThat(pool.next(10, 0)).isEqualTo(Next.NONE);
    pool.finished(0);
    assertThat(pool.next(10, 0)).isEqualTo(Next.MEMORY);
  }

  @Test
  void aClosingPoolTakesNothingButLetsWhatWaitsStart() {
    Pool pool = pool(1, 10, 100, true);
    pool.arrive(10, 0);
    pool.arrive(10, 0);
    pool.close();
    assertThat(pool.arrive(10, 0)).isEqualTo(CLOSED);
    assertThat(pool.idle(0)).isFalse();
    pool.finished(0);
    assertThat(pool.next(10, 0)).isEqualTo(Next.MEMORY);
    pool.finished(0);
    assertThat(pool.idle(0)).isTrue();
  }

  @Test
  void theMemoryTiersOfAllServicesShareOneBudget() {
    ByteBudget memory = new ByteBudget(100);
    ByteBudget any = new ByteBudget(Long.MAX_VALUE);
    Pool first = pool(1, 10, 1000, true, memory, any);
    Pool second = pool(1, 10, 1000, true, memory, any);
    first.arrive(10, 0);
    second.arrive(10, 0);

    assertThat(first.arrive(60, 0)).isEqualTo(KEEP);
    assertThat(second.arrive(60, 0)).isEqualTo(SPILL);
    assertThat(second.fits(40)).isTrue();
    first.finished(0);
    assertThat(first.next(60, 0)).isEqualTo(Next.MEMORY);
    assertThat(second.arrive(60, 0)).isEqualTo(KEEP);
    second.dropped(60);
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void messagesFromDiskStartWithinTheBudgetOfAllServicesAndOneAlways() {
    ByteBudget handling = new ByteBudget(100);
    ByteBudget any = new ByteBudget(Long.MAX_VALUE);
    Pool first = pool(9, 0, 0, true, any, handling);
    Pool second = pool(9, 0, 0, true, any, handling);

    assertThat(first.next(0, 9)).isEqualTo(Next.DISK);
    first.startedFromDisk(60);
    assertThat(first.next(0, 9)).isEqualTo(Next.NONE);
    assertThat(second.next(0, 9)).isEqualTo(Next.DISK);
    second.startedFromDisk(80);
    assertThat(second.next(0, 9)).isEqualTo(Next.NONE);
    first.finished(60);
    assertThat(first.next(0, 9)).isEqualTo(Next.DISK);
    second.release();
    assertThat(handling.usedBytes()).isZero();
    second.finished(80);
    assertThat(handling.usedBytes()).isZero();
  }

  @Test
  void illegalTransitionsThrow() {
    Pool pool = pool(1, 1, 100, true);
    assertThatThrownBy(() -> pool.finished(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> pool.dropped(1)).isInstanceOf(IllegalStateException.class);
    pool.arrive(10, 0);
    assertThatThrownBy(() -> pool.startedFromDisk(10)).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverHappensMessagesStartInTheOrderOfArrivalWithinTheLimits(long seed) {
    Random random = new Random(seed);
    int workers = 1 + random.nextInt(4);
    Pool pool = pool(workers, 3, 50, true);
    ArrayDeque<Integer> memory = new ArrayDeque<>();
    ArrayDeque<Integer> disk = new ArrayDeque<>();
    List<Integer> started = new ArrayList<>();
    int arrived = 0;
    int busy = 0;
    for (int step = 0; step < 10_000; step++) {
      if (random.nextBoolean()) {
        switch (pool.arrive(10, disk.size())) {
          case RUN -> {
            started.add(arrived++);
            busy++;
          }
          case KEEP -> memory.add(arrived++);
          case SPILL -> disk.add(arrived++);
          default -> throw new AssertionError("a pool with a disk tier is never full");
        }
      } else if (busy > 0) {
        pool.finished(0);
        busy--;
        Next next = pool.next(memory.isEmpty() ? 0 : 10, disk.size());
        if (next == Next.MEMORY) {
          started.add(memory.poll());
          busy++;
        } else if (next == Next.DISK) {
          started.add(disk.poll());
          pool.startedFromDisk(10);
          busy++;
        }
      }
      assertThat(pool.busy()).isEqualTo(busy).isLessThanOrEqualTo(workers);
      assertThat(pool.memoryMessages()).isEqualTo(memory.size()).isLessThanOrEqualTo(3);
      assertThat(pool.memoryBytes()).isEqualTo(memory.size() * 10L);
    }
    for (int i = 0; i < started.size(); i++) {
      assertThat(started.get(i)).isEqualTo(i);
    }
  }

  @Test
  void aMessageThatIsLargerThanTheNodesMemoryTiersNeverFits() {
    HeapBudget heap = new HeapBudget(64 << 20);
    Pool pool = Pool.of(new ServiceOptions(), false, heap);
    assertThat(pool.mayFit(7 << 20)).isTrue();
    assertThat(pool.mayFit(9 << 20)).isFalse();
  }

  @Test
  void startsNoMoreThanItsHandlerHasCreditsAndIsStuckWithoutAny() {
    Pool pool = pool(5, 10, 1000, false);
    pool.setCredits(1);
    assertThat(pool.workers()).isEqualTo(1);
    assertThat(pool.arrive(10, 0)).isEqualTo(RUN);
    assertThat(pool.arrive(10, 0)).isEqualTo(KEEP);
    assertThat(pool.next(10, 0)).isEqualTo(Next.NONE);
    pool.setCredits(0);
    assertThat(pool.stuck()).isFalse();
    pool.finished(0);
    assertThat(pool.stuck()).isTrue();
    assertThat(pool.next(10, 0)).isEqualTo(Next.NONE);
    pool.setCredits(100);
    assertThat(pool.workers()).isEqualTo(5);
    assertThat(pool.next(10, 0)).isEqualTo(Next.MEMORY);
  }
}
