package dev.weir.bench.persistence.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import org.junit.jupiter.api.Test;

/** The verdict on what a queue with a budget has on disk. */
class BudgetedQueueTest {
  private static final long BUDGET_BYTES = 64 << 20;

  @Test
  void aQueueWithMoreBytesInFilesThanItsBudgetFails() {
    BudgetedQueue queue = queue(8 << 20);
    assertThat(queue.diskUse(BUDGET_BYTES, BUDGET_BYTES / 2).isOk()).isTrue();
    assertThat(queue.diskUse(BUDGET_BYTES + 1, BUDGET_BYTES / 2).reasons())
        .containsExactly("the files had 67,108,865 bytes, the budget is 67,108,864");
  }

  @Test
  void aBudgetOfFewFilesDoesNotBoundTheirSize() {
    assertThat(queue(16 << 20).diskUse(2 * BUDGET_BYTES, 0).isOk()).isTrue();
  }

  @Test
  void aQueueThatBecameFullerThanHalfOfTheBudgetIsNotJudged() {
    assertThat(queue(8 << 20).diskUse(BUDGET_BYTES + 1, BUDGET_BYTES / 2 + 1).isOk()).isTrue();
  }

  private static BudgetedQueue queue(long logFileBytes) {
    return new BudgetedQueue(Durability.PROCESS, 1000, BUDGET_BYTES, logFileBytes, false);
  }
}
