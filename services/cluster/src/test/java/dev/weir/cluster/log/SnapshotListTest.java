package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.protocol.LogEnd;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SnapshotListTest {

  /** Appends, saves, cuts and trims at random. */
  @Property(tries = 500)
  void whereverTheLogIsCutThereIsASnapshotToStartFrom(@ForAll long seed) {
    Random random = new Random(seed);
    SnapshotList<LogEnd> chain = SnapshotList.empty(Function.identity(), 0);
    long end = 0;
    for (int step = 0; step < 100; step++) {
      end += random.nextInt(3);
      switch (random.nextInt(3)) {
        case 0 -> {
          chain = chain.with(new LogEnd(1, end));
          assertThat(chain.lastEnd().position()).isEqualTo(end);
        }
        case 1 -> {
          end = chain.start() + random.nextInt((int) (end - chain.start()) + 1);
          chain = chain.cut(end);
        }
        default -> chain = chain.trim(random.nextInt((int) end + 1));
      }
      assertThat(chain.isWhole()).as("step " + step + ": " + chain).isTrue();
      assertThat(chain.all()).hasSizeLessThanOrEqualTo(3);
      assertThat(chain.lastEnd().position()).isBetween(chain.start(), end);
    }
  }

  @Property(tries = 200)
  void trimmingGoesToTheLatestSnapshotNotBeyondThePosition(@ForAll long seed) {
    Random random = new Random(seed);
    long first = random.nextInt(10);
    long second = first + random.nextInt(10);
    SnapshotList<LogEnd> chain =
        SnapshotList.<LogEnd>empty(Function.identity(), 0)
            .with(new LogEnd(1, first))
            .with(new LogEnd(1, second));
    long position = random.nextInt(25);
    long expected = position >= second ? second : position >= first ? first : 0;
    assertThat(chain.trim(position).start()).isEqualTo(expected);
    assertThat(chain.trim(position).lastEnd().position()).isEqualTo(second);
  }
}
