package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.LostPackets;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SequenceRangesTest {
  private final SequenceRanges ranges = new SequenceRanges();

  @Test
  void aSequenceThatMayBeLostForTwoReasonsCountsOnce() {
    ranges.add(10, 20, "one");
    ranges.add(5, 30, "other");
    assertThat(ranges.lost("q"))
        .containsExactly(
            new LostPackets("q", 5, 5, 9, "other"),
            new LostPackets("q", 10, 10, 19, "one"),
            new LostPackets("q", 10, 20, 29, "other"));
  }

  @Test
  void rangesThatGoOnForTheSameReasonAreOne() {
    ranges.add(1, 34, "why");
    ranges.add(34, 67, "why");
    assertThat(ranges.lost("q")).containsExactly(new LostPackets("q", 66, 1, 66, "why"));
  }

  @Test
  void whatIsAddedAndRemovedInAnyOrderIsWhatASetSays() {
    Random random = new Random(1);
    BitSet set = new BitSet();
    for (int i = 0; i < 10_000; i++) {
      int first = random.nextInt(200);
      int end = first + random.nextInt(30);
      if (random.nextBoolean()) {
        ranges.add(first, end, "why " + random.nextInt(2));
        set.set(first, end);
      } else {
        ranges.remove(first, end);
        set.clear(first, end);
      }
      BitSet found = new BitSet();
      long count = 0;
      for (LostPackets lost : ranges.lost("q")) {
        found.set((int) lost.firstSequence(), (int) lost.lastSequence() + 1);
        count += lost.messages();
      }
      assertThat(found).as("step %s", i).isEqualTo(set);
      assertThat(count).as("step %s: each once", i).isEqualTo(set.cardinality());
    }
  }
}
