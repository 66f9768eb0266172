package dev.weir.group.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.group.MemoryState;
import dev.weir.group.Serde;
import dev.weir.state.table.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SortedEntriesTest {
  private final MemoryState state = new MemoryState();
  private final NavigableSet<byte[]> model = new TreeSet<>(Arrays::compareUnsigned);
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** As each call of a processor makes it. */
  private SortedEntries entries() {
    return new SortedEntries(state.table("entries", Serde.BYTES));
  }

  private byte[] entry() {
    byte[] entry = new byte[1 + random.nextInt(2)];
    random.nextBytes(entry);
    return entry;
  }

  private void change(SortedEntries entries) {
    byte[] entry = entry();
    if (random.nextInt(5) < 3) {
      entries.add(entry);
      model.add(entry);
    } else {
      byte[] there = model.ceiling(entry);
      byte[] gone = there == null || random.nextInt(5) == 0 ? entry : there;
      entries.remove(gone);
      model.remove(gone);
    }
  }

  private List<String> expected(Range range) {
    List<String> all = new ArrayList<>();
    model.stream().filter(range::contains).map(Arrays::toString).forEach(all::add);
    if (range.descending()) {
      Collections.reverse(all);
    }
    return all;
  }

  private void check(Range range) {
    List<String> seen = new ArrayList<>();
    entries().scan(range, entry -> seen.add(Arrays.toString(entry)));
    assertThat(seen).as("seed %d", seed).isEqualTo(expected(range));
  }

  @Test
  void areThoseOfASortedSetInBothDirections() {
    for (int call = 0; call < 2_000; call++) {
      SortedEntries entries = entries();
      for (int i = 0; i < 3; i++) {
        change(entries);
      }
      check(new Range(entry(), random.nextInt(4) == 0 ? null : entry(), random.nextBoolean()));
    }
    check(new Range(new byte[0], null, false));
    check(new Range(new byte[0], null, true));
  }

  @Test
  void leaveNothingButTheHeadWhenAllAreGone() {
    SortedEntries entries = entries();
    for (int i = 0; i < 500; i++) {
      byte[] entry = entry();
      entries.add(entry);
      model.add(entry);
    }
    model.forEach(entry -> entries().remove(entry));
    assertThat(state.size()).isEqualTo(1);
  }

  @Test
  void aVisitorEndsAScan() {
    SortedEntries entries = entries();
    for (byte i = 1; i < 10; i++) {
      entries.add(new byte[] {i});
    }
    List<Byte> seen = new ArrayList<>();
    entries.scan(
        new Range(new byte[] {3}, null, false), entry -> seen.add(entry[0]) && seen.size() < 2);
    assertThat(seen).containsExactly((byte) 3, (byte) 4);
  }
}
