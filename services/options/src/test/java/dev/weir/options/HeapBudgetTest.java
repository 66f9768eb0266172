package dev.weir.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.options.HeapBudget.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapBudgetTest {
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @CsvSource({"16,0", "16,40", "64,0", "64,25", "64,40", "256,0", "1024,40", "1048576,0"})
  void theSharesLeaveAThirdOfEveryHeapFree(long heapMiB, int documentsPercent) {
    HeapBudget heap = new HeapBudget(heapMiB * MIB, documentsPercent);
    long all =
        Arrays.stream(Share.values()).mapToLong(share -> heap.share(share).limitBytes()).sum();

    assertThat(all).isLessThan(heapMiB * MIB * 2 / 3);
    assertThat(all + heap.idBytes()).isLessThan(heapMiB * MIB * 3 / 4);
    assertThat(heap.share(Share.DOCUMENTS).limitBytes())
        .isEqualTo(heapMiB * MIB / 100 * documentsPercent);
    assertThat(EnumSet.range(Share.STORE_CACHE, Share.IDEMPOTENCY))
        .allSatisfy(share -> assertThat(heap.share(share).limitBytes()).isPositive());
    assertThat((long) heap.maxMessageBytes()).isLessThan(heap.share(Share.BODIES).limitBytes());
  }

  @Test
  void twoNodesOfAJvmSplitItsHeap() {
    HeapBudget one = new HeapBudget(64 * MIB);
    HeapBudget other = new HeapBudget(64 * MIB);

    assertThat(one.share(Share.BODIES).tryTake(8 * MIB)).isTrue();
    assertThat(one.share(Share.BODIES).tryTake(1)).isFalse();
    assertThat(other.share(Share.BODIES).tryTake(8 * MIB)).isTrue();
  }

  @Test
  void namesAShareOfDocumentsThatIsTooLarge() {
    assertThatThrownBy(() -> new HeapBudget(64 * MIB, 41))
        .hasMessage("documentsPercent is 41, allowed is 0 to 40");
    assertThat(HeapBudget.of(100 * MIB, 20).toString()).contains("documents 20.0 MiB");
  }

  @Test
  void namesTheHeapThatIsTooSmall() {
    assertThatThrownBy(() -> new HeapBudget(MIB))
        .hasMessage("heapBytes is 1048576, allowed is 16777216 to 9223372036854775807");
  }

  @Test
  void printsTheSharesInOneLine() {
    assertThat(new HeapBudget(256 * MIB))
        .hasToString(
            "heap 256.0 MiB, store cache 16.0 MiB, queue buffers 32.0 MiB, memory tiers 32.0 MiB,"
                + " handling 16.0 MiB, bodies 32.0 MiB, connections 24.0 MiB, idempotency 4.0 MiB,"
                + " largest message 8.0 MiB");
  }

  @Test
  void aPartTakesFromTheWholeAndHasALimitOfItsOwn() {
    ByteBudget whole = new ByteBudget(100);
    ByteBudget part = whole.part(60);

    assertThat(part.tryTake(61)).isFalse();
    assertThat(part.tryTake(60)).isTrue();
    assertThat(whole.tryTake(41)).isFalse();
    assertThat(whole.tryTake(40)).isTrue();
    part.give(60);
    assertThat(whole.usedBytes()).isEqualTo(40);
    assertThat(whole.part(1000).tryTake(61)).isFalse();
    assertThat(part.usedBytes()).isZero();
    part.take(90);
    assertThat(part.tryTake(1)).isFalse();
    assertThat(whole.usedBytes()).isEqualTo(130);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void leasesNeverHoldMoreTogetherThanTheBudgetAndGiveAllBack(long seed) {
    Random random = new Random(seed);
    long limit = 1 << (10 + random.nextInt(16));
    ByteBudget budget = new ByteBudget(limit);
    List<ByteLease> leases = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      leases.add(i % 2 == 0 ? new ByteLease(budget) : ByteLease.exact(budget));
    }
    long[] held = new long[leases.size()];
    for (int step = 0; step < 20_000; step++) {
      int i = random.nextInt(held.length);
      if (random.nextBoolean()) {
        long more = 1 + random.nextInt((int) (limit / 8));
        if (leases.get(i).covers(held[i] + more)) {
          held[i] += more;
        }
      } else {
        held[i] = random.nextInt(4) == 0 ? 0 : (long) (held[i] * random.nextDouble());
        leases.get(i).settle(held[i]);
      }
      assertThat(Arrays.stream(held).sum()).isLessThanOrEqualTo(budget.usedBytes());
      assertThat(budget.usedBytes()).isLessThanOrEqualTo(limit);
    }
    leases.forEach(lease -> lease.settle(0));
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void manyHoldersOfLittleDoNotUseUpTheBudgetByRounding() {
    ByteBudget budget = new ByteBudget(16 * MIB);
    List<ByteLease> leases = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      ByteLease lease = new ByteLease(budget);
      assertThat(lease.covers(1000)).as("holder %d", i).isTrue();
      leases.add(lease);
    }
    assertThat(budget.usedBytes()).isLessThan(4 * MIB);
    leases.forEach(lease -> lease.settle(10));
    assertThat(budget.usedBytes()).isLessThan(5 * MIB);
  }

  @Test
  void aHolderOfMuchSeldomChangesTheBudget() {
    ByteBudget budget = new ByteBudget(16 * MIB);
    ByteLease lease = new ByteLease(budget);
    int changes = 0;
    long usedBytes = 0;
    for (int held = 0; held < 4 * MIB; held += 1000) {
      assertThat(lease.covers(held)).isTrue();
      changes += budget.usedBytes() == usedBytes ? 0 : 1;
      usedBytes = budget.usedBytes();
    }
    assertThat(changes).isLessThan(60);
    assertThat(usedBytes).isLessThan(5 * MIB);
  }

  @Test
  void aPartTakesNothingBeyondItsOwnLimitOrThatOfTheWhole() {
    ByteBudget whole = new ByteBudget(100);
    ByteBudget part = whole.part(60);

    assertThat(part.tryTake(61)).isFalse();
    whole.take(50);
    assertThat(part.tryTake(51)).isFalse();
    assertThat(part.usedBytes()).isZero();
    assertThat(whole.usedBytes()).isEqualTo(50);
  }

  @Test
  void whatAHolderHasBeyondItsLeaseIsTakenOverTheLimit() {
    ByteBudget budget = new ByteBudget(100);
    ByteLease lease = new ByteLease(budget);

    assertThat(lease.covers(500)).isFalse();
    lease.settle(500);
    assertThat(budget.usedBytes()).isEqualTo(500);
    assertThat(new ByteLease(budget).covers(1)).isFalse();
    lease.settle(0);
    assertThat(budget.usedBytes()).isZero();
  }
}
