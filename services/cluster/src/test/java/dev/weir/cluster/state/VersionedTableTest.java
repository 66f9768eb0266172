package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Allocation;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionedTableTest {
  /** A small part of the 12 MB that the index of the objects has. */
  private static final long LIMIT = 128 << 10;

  private final VersionedTable<String> table = new VersionedTable<>();

  private static void compare(VersionedTable<String> tested, TreeMap<Long, String> model) {
    assertThat(tested.size()).isEqualTo(model.size());
    assertThat(tested.sortedKeys())
        .containsExactly(model.keySet().stream().mapToLong(Long::longValue).toArray());
    model.forEach((key, value) -> assertThat(tested.get(key)).isEqualTo(value));
  }

  /** Keys that are close to each other, far apart, or multiples of a large power of 2. */
  private static long key(Random random) {
    long near = random.nextInt(3_000);
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong();
      case 1 -> near << 40;
      default -> near;
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void isAMapWhoseViewsStayAsTheyWere(long seed) {
    Random random = new Random(seed);
    TreeMap<Long, String> model = new TreeMap<>();
    for (int round = 0; round < 10; round++) {
      VersionedTable<String> view = table.view();
      TreeMap<Long, String> before = new TreeMap<>(model);
      for (int step = 0; step < 2_000; step++) {
        long key = key(random);
        if (random.nextInt(3) == 0) {
          assertThat(table.remove(key)).isEqualTo(model.remove(key));
        } else {
          table.put(key, "v" + step);
          model.put(key, "v" + step);
        }
      }
      compare(view, before);
      table.close(view);
      compare(table, model);
    }
  }

  @Test
  void aViewOfBeforeAClearStaysAsItWasAndEndsNoLaterOne() {
    table.put(1, "before");
    VersionedTable<String> first = table.view();
    table.clear();
    table.put(1, "after");
    VersionedTable<String> second = table.view();
    table.close(first);
    assertThat(table.isViewed()).isTrue();
    table.put(1, "later");
    assertThat(first.get(1)).isEqualTo("before");
    assertThat(second.get(1)).isEqualTo("after");
  }

  /** What is allocated at a time is what is copied at a time; unlike a time, it is exact. */
  @Test
  void noCallCopiesMoreThanASmallPartHoweverManyObjectsThereAre() {
    int objects = 300_000;
    assertThat(mostCopied(objects, 1)).as("bytes by an object that is added").isLessThan(LIMIT);
    for (int round = 0; round < 2; round++) {
      long before = Allocation.bytes();
      VersionedTable<String> view = table.view();
      assertThat(Allocation.bytes() - before).as("bytes by a view").isLessThan(LIMIT);
      assertThat(mostCopied(objects, 10)).as("bytes by a change in a view").isLessThan(LIMIT);
      before = Allocation.bytes();
      table.close(view);
      assertThat(Allocation.bytes() - before).as("bytes by its end").isLessThan(LIMIT);
    }
  }

  private long mostCopied(int objects, int step) {
    long most = 0;
    for (int key = 0; key < objects; key += step) {
      long before = Allocation.bytes();
      table.put(key, "value");
      most = Math.max(most, Allocation.bytes() - before);
    }
    return most;
  }

  @Test
  void keysWithTheSameHashDoNotFillTheHeapWithSlots() {
    for (int i = 0; i < 20_000; i++) {
      table.put(keyOfHash0(i), "value");
    }
    assertThat(table.size()).isEqualTo(20_000);
    long before = Allocation.bytes();
    table.view();
    assertThat(Allocation.bytes() - before).as("bytes of the slots").isLessThan(64 << 10);
  }

  /** Inverts the hash of the table. */
  private static long keyOfHash0(int i) {
    long even = 2L * i;
    long mixed = even << 31 | even;
    long inverse = VersionedTable.MIX;
    for (int step = 0; step < 6; step++) {
      inverse *= 2 - VersionedTable.MIX * inverse;
    }
    long key = mixed * inverse;
    return key ^ key >>> 30 ^ key >>> 60;
  }
}
