package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a publisher again and again, with SIGKILL; the next one publishes again what is open. */
@Tag("slow")
@Timeout(300)
class TopicCrashTest {
  private static final int KILLS = 5;
  private static final int MORE = 500;

  @TempDir private Path directory;
  private final Random random = new Random(Long.getLong("weir.crash.seed", System.nanoTime()));

  @Test
  void everySubscriberGetsWhatWasPublishedOnceAndInOrder() {
    long accepted = 0;
    for (int round = 0; round < KILLS; round++) {
      try (ChildJvm child = start(accepted, 0)) {
        String line = "A " + (accepted + 50 + random.nextInt(1_500));
        assertThat(child.awaitLine(line, line::equals)).as("%s", child.lines()).isNotNull();
        child.kill();
        accepted = firstThatIsNotAccepted(new HashSet<>(child.allLines()), accepted);
      }
    }
    long all = accepted + MORE;
    try (ChildJvm child = start(accepted, all)) {
      for (String name : List.of("billing", "shipping")) {
        String last = name + " " + (all - 1) + " id-" + (all - 1);
        assertThat(child.awaitLine(last, last::equals)).isNotNull();
        assertThat(child.lines().stream().filter(line -> line.startsWith(name)))
            .containsExactlyElementsOf(
                LongStream.range(0, all).mapToObj(i -> name + " " + i + " id-" + i).toList());
      }
    }
  }

  /** Some after it may be accepted as well: they are published again too. */
  private static long firstThatIsNotAccepted(Set<String> lines, long from) {
    long next = from;
    while (lines.contains("A " + next)) {
      next++;
    }
    return next;
  }

  private ChildJvm start(long from, long to) {
    return ChildJvm.of(TopicCrashChild.class)
        .flags("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .mergeErrors()
        .start(directory.resolve("data").toString(), "" + from, "" + to);
  }
}
