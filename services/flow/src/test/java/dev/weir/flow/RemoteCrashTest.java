package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An owner and its consumers on a clustered event bus, each in a process that is killed. */
@Tag("slow")
@Timeout(300)
class RemoteCrashTest {
  private static final long STOPPED_MS = RemoteCrashChild.LEASE_MS + 1_000;

  @TempDir private Path directory;
  private final String cluster = "weir-test-" + UUID.randomUUID();
  private final List<Integer> ports = FreePorts.find(3);

  private ChildJvm start(int node, String... args) {
    String all = ports.stream().map(String::valueOf).collect(Collectors.joining(","));
    List<String> full = new ArrayList<>(List.of(cluster, "" + ports.get(node), all));
    full.addAll(List.of(args));
    return ChildJvm.of(RemoteCrashChild.class)
        .flags("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .mergeErrors()
        .start(full.toArray(String[]::new));
  }

  /** Begins to send when it has as many consumers. */
  private ChildJvm owner(int consumers, long from, long to) {
    String data = directory.resolve("data").toString();
    return start(0, "owner", data, "" + consumers, "" + from, "" + to);
  }

  /** Starts beside the others: the owner sends nothing before it has its consumers. */
  private ChildJvm consumer(int node) {
    return start(node, "consumer");
  }

  private static void awaitHandled(ChildJvm consumer, int count) {
    int[] handled = {0};
    String last =
        consumer.awaitLine(
            count + " messages", line -> line.startsWith("H ") && ++handled[0] == count);
    assertThat(last).as("%s", consumer.lines()).isNotNull();
  }

  /** How often each number was handled. */
  private static Map<Long, Integer> handled(List<String> lines) {
    Map<Long, Integer> times = new HashMap<>();
    lines.stream()
        .filter(line -> line.startsWith("H "))
        .forEach(line -> times.merge(Long.valueOf(line.split(" ")[1]), 1, Integer::sum));
    return times;
  }

  private static Set<Long> duplicates(Map<Long, Integer> one, Map<Long, Integer> other) {
    Set<Long> both = new HashSet<>(one.keySet());
    both.retainAll(other.keySet());
    return both;
  }

  private static void assertAll(Map<Long, Integer> times, long count) {
    assertThat(times.keySet())
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, count).boxed().toList());
  }

  @Test
  void whatAKilledConsumerHadGoesToTheOtherAndNothingElseIsHandledTwice() {
    long count = 6_000;
    try (ChildJvm staying = consumer(1);
        ChildJvm dying = consumer(2);
        ChildJvm owner = owner(2, 0, count)) {
      awaitHandled(dying, 500);
      dying.kill();
      assertThat(owner.awaitLine("E 0", "E 0"::equals)).as("%s", owner.lines()).isNotNull();

      Map<Long, Integer> byDying = handled(dying.allLines());
      Await.until(
          "the lines of the other one",
          () ->
              handled(staying.lines()).size() + byDying.size()
                  >= count + (duplicates(byDying, handled(staying.lines())).size()));
      Map<Long, Integer> byStaying = handled(staying.lines());
      assertThat(byDying.values()).containsOnly(1);
      assertThat(byStaying.values()).containsOnly(1);
      // None, if the kill came when what it had was answered, or not handled yet.
      assertThat(duplicates(byDying, byStaying)).hasSizeLessThanOrEqualTo(RemoteCrashChild.CREDITS);
      byDying.forEach((number, times) -> byStaying.merge(number, times, Integer::sum));
      assertAll(byStaying, count);
    }
  }

  @Test
  void aConsumerThatStoodStillForLongerThanItsLeaseComesBack() {
    long count = 6_000;
    try (ChildJvm staying = consumer(1);
        ChildJvm pausing = consumer(2);
        ChildJvm owner = owner(2, 0, count)) {
      awaitHandled(pausing, 200);
      awaitConsumers(owner, List.of("N 2"));
      pausing.signal("STOP");
      awaitConsumers(owner, List.of("N 2", "N 1"));
      pausing.signal("CONT");
      awaitConsumers(owner, List.of("N 2", "N 1", "N 2"));
      assertAllHandled(owner, count, RemoteCrashChild.CREDITS, staying, pausing);
    }
  }

  @Test
  void anOwnerThatStoodStillForLongerThanTheLeasesLosesNothing() {
    long count = 6_000;
    try (ChildJvm one = consumer(1);
        ChildJvm other = consumer(2);
        ChildJvm owner = owner(2, 0, count)) {
      awaitHandled(one, 200);
      awaitHandled(other, 200);
      owner.signal("STOP");
      long stoppedNs = System.nanoTime();
      Await.until(
          "the leases are over",
          () -> System.nanoTime() - stoppedNs > TimeUnit.MILLISECONDS.toNanos(STOPPED_MS));
      owner.signal("CONT");
      assertAllHandled(owner, count, 2 * RemoteCrashChild.CREDITS, one, other);
    }
  }

  /** That the owner has said this of its consumers, one after another, perhaps more before. */
  private static void awaitConsumers(ChildJvm owner, List<String> last) {
    Await.until(
        () -> last + " of " + owner.lines(),
        () -> {
          List<String> said = owner.lines().stream().filter(line -> line.startsWith("N ")).toList();
          return Collections.indexOfSubList(said, last) >= 0;
        });
  }

  private static void assertAllHandled(
      ChildJvm owner, long count, int mostTwice, ChildJvm... consumers) {
    assertThat(owner.awaitLine("E 0", "E 0"::equals)).as("%s", owner.lines()).isNotNull();
    Set<Long> all = LongStream.range(0, count).boxed().collect(Collectors.toSet());
    Map<Long, Integer> times = new HashMap<>();
    Await.until(
        "all were handled",
        () -> {
          times.clear();
          for (ChildJvm consumer : consumers) {
            handled(consumer.lines()).forEach((number, n) -> times.merge(number, n, Integer::sum));
          }
          return times.keySet().containsAll(all);
        });
    long more = times.values().stream().mapToLong(n -> n - 1).sum();
    assertThat(more).isLessThanOrEqualTo(mostTwice);
  }

  @Test
  void consumersFindAnOwnerThatWasKilledAndNothingIsLost() {
    long waiting = 300;
    try (ChildJvm owner = owner(0, 0, waiting)) {
      String last = "A " + (waiting - 1);
      owner.awaitLine(last, last::equals);
      owner.kill();
    }
    long accepted;
    long count;
    try (ChildJvm staying = consumer(1)) {
      try (ChildJvm owner = owner(1, waiting, waiting + 3_000)) {
        awaitHandled(staying, 1_000);
        owner.kill();
        accepted = firstThatIsNotAccepted(new HashSet<>(owner.allLines()), waiting);
      }
      assertThat(staying.lines().stream().filter(line -> line.startsWith("H ")).limit(waiting))
          .containsExactlyElementsOf(
              LongStream.range(0, waiting).mapToObj(i -> "H " + i + " 1").toList());
      count = accepted + 500;
      try (ChildJvm owner = owner(1, accepted, count)) {
        assertThat(owner.awaitLine("E 0", "E 0"::equals)).as("%s", owner.lines()).isNotNull();
        Set<Long> all = LongStream.range(0, count).boxed().collect(Collectors.toSet());
        Await.until("all were handled", () -> handled(staying.lines()).keySet().containsAll(all));
        assertThat(staying.isAlive()).isTrue();
      }
    }
  }

  /** Some after it may be accepted as well: they are sent again under the same id. */
  private static long firstThatIsNotAccepted(Set<String> lines, long from) {
    long next = from;
    while (lines.contains("A " + next)) {
      next++;
    }
    return next;
  }
}
