package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two members, each a process, that were both killed. */
@Tag("slow")
@Timeout(900)
class BothKilledTest {
  private static final int ROUNDS = 3;

  @TempDir Path directory;
  private final List<String> ports = FreePorts.find(2).stream().map(port -> "" + port).toList();

  private ChildJvm start(String name) {
    return ChildJvm.of(ManyGroupsChild.class)
        .flags("-Xmx128m")
        .start(
            directory.resolve(name).toString(),
            name,
            "a,b",
            String.join(",", ports),
            "1",
            "TCP",
            "false");
  }

  @Test
  void theyAcceptAgainWhenBothAreBack() {
    for (int round = 0; round <= ROUNDS; round++) {
      long startNs = System.nanoTime();
      try (ChildJvm a = start("a");
          ChildJvm b = start("b")) {
        long joinedMs = Math.max(number(a, "joined ms "), number(b, "joined ms "));
        a.await(ManyGroupsChild.SETTLED);
        b.await(ManyGroupsChild.SETTLED);
        long allMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        System.out.printf(
            "both killed test: round %d, joined after %d ms, accept after %d ms%n",
            round, joinedMs, allMs);
        assertThat(a.isAlive() && b.isAlive()).as("both run").isTrue();
      }
    }
  }

  private static long number(ChildJvm child, String what) {
    return Long.parseLong(child.await(what).trim());
  }
}
