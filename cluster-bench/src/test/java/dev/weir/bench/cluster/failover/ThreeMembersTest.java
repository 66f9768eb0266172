package dev.weir.bench.cluster.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.LoopbackNetwork;
import dev.weir.cluster.GroupLogs;
import dev.weir.cluster.GroupOptions;
import dev.weir.testing.Await;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three members in processes of their own, two of which must hold a message. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ThreeMembersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int RATE_PER_SEC = 2000;

  @TempDir Path directory;

  private final Vertx vertx = Vertx.vertx();

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("bench-"))
        .toList();
  }

  @AfterEach
  void nothingIsLeft() {
    vertx.close().await();
    Await.until(() -> "threads end: " + threads(), () -> threads().isEmpty());
  }

  @Test
  void aPrimaryThatIsKilledIsReplacedAndCatchesUpWhenItIsBack() throws Exception {
    List<String> group = List.of(GroupOptions.DEFAULT_NAME);
    ProcessCluster.Plan plan = new ProcessCluster.Plan(group, "tcp", 2);
    try (ProcessCluster cluster =
        new ProcessCluster(
            new LoopbackNetwork(List.of("a", "b", "c")), directory.resolve("data"), plan)) {
      cluster.start(PATIENCE);

      long sent = driveAndKill(cluster);

      cluster.stop(cluster.events().awaitInSync(PATIENCE).member());
      for (int member = 1; member <= 2; member++) {
        GroupLogs.Comparison logs = cluster.compareLogs(GroupOptions.DEFAULT_NAME, member);
        assertThat(logs.isSame()).as("%s", logs).isTrue();
        assertThat(logs.to()).isEqualTo(sent);
      }
    }
  }

  private static void awaitAnswered(CarDriver driver, long count) throws Exception {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (driver.answered() < count) {
      assertThat(System.nanoTime() - endNs).as("%s", driver.counts()).isNegative();
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private long driveAndKill(ProcessCluster cluster) throws Exception {
    try (CarDriver driver = new CarDriver(vertx, cluster.addresses(), RATE_PER_SEC)) {
      awaitAnswered(driver, RATE_PER_SEC);
      GroupEvents.Primary old = cluster.events().awaitInSync(PATIENCE);
      long answered = driver.answered();

      cluster.member(old.member()).kill();

      assertThat(cluster.events().awaitPrimaryAfter(old.epoch(), PATIENCE).member())
          .isNotEqualTo(old.member());
      awaitAnswered(driver, answered + RATE_PER_SEC);
      cluster.member(old.member()).start();
      cluster.events().awaitInSync(PATIENCE);
      driver.awaitCaughtUp(PATIENCE);
      driver.finish(PATIENCE);
      CarDriver.Counts counts = driver.counts();
      assertThat(counts.answered()).as("%s", counts).isEqualTo(counts.sent());
      assertThat(counts.failed() + counts.corrupt() + counts.lost() + counts.repeated())
          .as("%s", counts)
          .isZero();
      return counts.sent();
    }
  }
}
