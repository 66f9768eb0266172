package dev.weir.bench.cluster.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.MemberNetwork;
import dev.weir.bench.program.Directories;
import dev.weir.cluster.GroupLogs;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.testing.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rounds in which the backup is the victim, or both members are, or a member loses its disk while
 * it is cut off; meanwhile clients come and go by the thousand. {@code -Dweir.rounds=N} for others
 * than 20 rounds, {@code -Dweir.rate=N} for other than 10,000 cars a second.
 */
@Tag("soak")
class VictimRoundsTest {
  private static final int ROUNDS = Integer.getInteger("weir.rounds", 20);
  private static final int RATE_PER_SEC = Integer.getInteger("weir.rate", 10_000);
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final long CALM_MS = 500;
  private static final long STOP_MS = 3_000;
  private static final int CLIENTS_AT_ONCE = 20;

  private enum Victim {
    BACKUP_KILLED,
    BACKUP_STOPPED,
    BOTH_KILLED,
    BOTH_STOPPED,
    WIPED_WHILE_CUT
  }

  @TempDir Path directory;

  private final Vertx vertx = Vertx.vertx();
  private final AtomicLong visitors = new AtomicLong();
  private final Semaphore visiting = new Semaphore(CLIENTS_AT_ONCE);
  private volatile boolean closed;
  private MemberNetwork network;
  private ProcessCluster group;
  private GroupEvents.Primary primary;

  @ParameterizedTest
  @CsvSource({
    "BACKUP_KILLED, tcp",
    "BACKUP_KILLED, hazelcast",
    "BACKUP_STOPPED, tcp",
    "BACKUP_STOPPED, hazelcast",
    "BOTH_KILLED, tcp",
    "BOTH_KILLED, hazelcast",
    "BOTH_STOPPED, tcp",
    "BOTH_STOPPED, hazelcast",
    "WIPED_WHILE_CUT, tcp",
    "WIPED_WHILE_CUT, hazelcast"
  })
  @Timeout(1_800)
  void nothingIsLostOrHandledTwice(Victim victim, String replication) throws Exception {
    Fault fault = victim == Victim.WIPED_WHILE_CUT ? Fault.CUT : Fault.KILL;
    network = fault.network(Assertions::fail);
    group = new ProcessCluster(network, directory.resolve("data"), replication);
    List<Double> outages = new ArrayList<>();
    Thread churn = new Thread(this::churn, "churn");
    try (ProcessCluster ending = group) {
      ending.start(PATIENCE);
      try (CarDriver driver = new CarDriver(vertx, group.addresses(), RATE_PER_SEC)) {
        churn.start();
        for (int round = 1; round <= ROUNDS; round++) {
          primary = group.events().awaitInSync(PATIENCE);
          driver.awaitCaughtUp(PATIENCE);
          driver.timeline().watchGaps();
          strike(victim);
          primary = group.events().awaitInSync(PATIENCE);
          driver.awaitCaughtUp(PATIENCE);
          outages.add(driver.timeline().longestGap().ms());
          TimeUnit.MILLISECONDS.sleep(CALM_MS);
          GroupLogs.Comparison logs = group.compareLogs();
          assertThat(logs.agrees()).as("round %d: %s", round, logs).isTrue();
        }
        closed = true;
        churn.join();
        visiting.acquire(CLIENTS_AT_ONCE);
        driver.finish(PATIENCE);
        CarDriver.Counts counts = driver.counts();
        report(victim, replication, counts, outages);
        assertThat(counts.lost() + counts.repeated() + counts.corrupt() + counts.failed()).isZero();
        assertThat(counts.answered()).isEqualTo(counts.sent());
        assertThat(group.events().stale()).isZero();
        ending.stop(group.events().awaitInSync(PATIENCE).member());
        assertThat(group.compareLogs().isSame()).as("" + group.compareLogs()).isTrue();
        assertThat(group.compareLogs().to()).isEqualTo(counts.sent() + visitors.get());
      }
    } finally {
      closed = true;
      churn.join();
      vertx.close().await();
    }
  }

  private void report(
      Victim victim, String replication, CarDriver.Counts counts, List<Double> outages) {
    Collections.sort(outages);
    System.out.printf(
        "%s %s: %d rounds, %,d cars sent, %,d answered, lost %d, twice %d, outage p50 %.0f ms, max"
            + " %.0f ms, %,d clients came and went%n",
        victim,
        replication,
        outages.size(),
        counts.sent(),
        counts.answered(),
        counts.lost(),
        counts.repeated(),
        outages.get(outages.size() / 2),
        outages.get(outages.size() - 1),
        visitors.get());
  }

  /** Clients with a request each, which is no car. */
  private void churn() {
    List<String> members = group.addresses().stream().map(address -> address.clients()).toList();
    while (!closed) {
      visiting.acquireUninterruptibly();
      ProcessorClient client =
          ProcessorClient.create(vertx, new ProcessorClientOptions().setMembers(members));
      client
          .send(Buffer.buffer(new byte[1]))
          .onSuccess(reply -> visitors.incrementAndGet())
          .eventually(client::close)
          .onComplete(done -> visiting.release());
    }
  }

  private MemberProcess backup() {
    return group.members().stream()
        .filter(member -> !member.name().equals(primary.member()))
        .findFirst()
        .orElseThrow();
  }

  private void strike(Victim victim) throws Exception {
    MemberProcess leader = group.member(primary.member());
    MemberProcess backup = backup();
    int before = group.events().all().size();
    switch (victim) {
      case BACKUP_KILLED -> {
        backup.kill();
        awaitSet(before, 1);
        backup.start();
        awaitSet(before, 2);
      }
      case BACKUP_STOPPED -> {
        backup.suspend();
        TimeUnit.MILLISECONDS.sleep(STOP_MS);
        backup.resume();
      }
      case BOTH_KILLED -> {
        leader.kill();
        backup.kill();
        leader.start();
        backup.start();
        group.events().awaitPrimaryAfter(primary.epoch(), PATIENCE);
      }
      case BOTH_STOPPED -> {
        leader.suspend();
        backup.suspend();
        TimeUnit.MILLISECONDS.sleep(STOP_MS);
        leader.resume();
        backup.resume();
      }
      case WIPED_WHILE_CUT -> wipeWhileCut(leader);
    }
  }

  private void wipeWhileCut(MemberProcess leader) throws IOException, InterruptedException {
    group.cut();
    group.events().awaitPrimaryAfter(primary.epoch(), PATIENCE);
    leader.kill();
    Directories.delete(directory.resolve("data").resolve(leader.name()));
    leader.start();
    TimeUnit.MILLISECONDS.sleep(STOP_MS);
    group.mend();
  }

  private void awaitSet(int from, int members) {
    Await.until(
        () -> members + " members in sync: " + group.events().all(),
        () ->
            group.events().all().stream()
                .skip(from)
                .filter(event -> event.text().startsWith("in sync: "))
                .anyMatch(event -> event.text().split(" ").length == 2 + members));
  }
}
