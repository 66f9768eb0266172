package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two members, each a process, that were both killed. Prints how soon they accept: that is mostly
 * the start of two JVMs, so a busy machine decides it. {@code HazelcastMembersTest} has a bound for
 * the time in which members join that are there.
 */
@Tag("slow")
@Timeout(900)
class BothKilledTest {
  private static final int ROUNDS = Integer.getInteger("weir.rounds", 1);

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
    List<Long> acceptMs = new ArrayList<>();
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
        if (round > 0) {
          acceptMs.add(allMs);
        }
        // At once: neither may see the other one's end.
        a.kill();
        b.kill();
      }
    }
    Collections.sort(acceptMs);
    System.out.printf(
        "both killed test: accept after %d ms, median of %d, %s%n",
        acceptMs.get(ROUNDS / 2), ROUNDS, acceptMs);
  }

  private static long number(ChildJvm child, String what) {
    return Long.parseLong(child.await(what).trim());
  }
}
