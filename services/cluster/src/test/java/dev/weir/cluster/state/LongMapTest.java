package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

class LongMapTest {
  @Property(tries = 500)
  void isAMap(@ForAll("keys") List<Long> keys) {
    LongMap<String> map = new LongMap<>();
    TreeMap<Long, String> model = new TreeMap<>();
    int step = 0;
    for (long key : keys) {
      if (step++ % 3 == 2) {
        assertThat(map.remove(key)).isEqualTo(model.remove(key));
      } else {
        map.put(key, "v" + step);
        model.put(key, "v" + step);
      }
      assertThat(map.get(key)).isEqualTo(model.get(key));
      assertThat(map.size()).isEqualTo(model.size());
    }
    model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    assertThat(map.keys()).containsExactlyInAnyOrder(model.keySet().toArray(Long[]::new));
    LongMap<String> copy = map.copy();
    map.clear();
    model.forEach((key, value) -> assertThat(copy.get(key)).isEqualTo(value));
    assertThat(map.size()).isZero();
    keys.forEach(key -> assertThat(map.get(key)).isNull());
  }

  /** Close together, so that removals hit runs of taken slots, and far apart. */
  @Provide
  Arbitrary<List<Long>> keys() {
    Arbitrary<Long> near = Arbitraries.longs().between(-20, 60);
    return Arbitraries.frequencyOf(Tuple.of(9, near), Tuple.of(1, Arbitraries.longs()))
        .list()
        .ofMaxSize(300);
  }
}
