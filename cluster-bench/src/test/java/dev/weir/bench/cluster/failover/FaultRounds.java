package dev.weir.bench.cluster.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.cluster.member.MemberMain;
import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.member.ProcessCluster;
import dev.weir.bench.cluster.network.MemberNetwork;
import dev.weir.bench.program.Directories;
import dev.weir.cluster.GroupLogs;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.RequestRefusedException;
import dev.weir.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;

/**
 * Rounds of one fault of two members in processes of their own, under load, while clients come and
 * go. Every reply is checked, and both logs are compared after each round.
 */
final class FaultRounds {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final long CALM_MS = 500;

  /** More than a takeover takes. */
  private static final long STOP_MS = 2_000;

  private static final int CLIENTS_AT_ONCE = 20;

  /** 200 clients a second: more would take the CPU that the members need to start. */
  private static final long BETWEEN_CLIENTS_NS = TimeUnit.MILLISECONDS.toNanos(5);

  /** A primary that is stalled for less still knows that a dead backup has not taken over. */
  private static final List<String> PATIENT = List.of("--lease-ms=10000", "--takeover-ms=20000");

  /**
   * An option that a member must not be started with beside one that is patient: another one in
   * each round, because a member logs each difference once.
   */
  private static OtherOption otherOption(int round) {
    if (round < 2) {
      return round == 0
          ? new OtherOption("--min-in-sync=2", "minInSync", "2", "1")
          : new OtherOption("--ack-level=received", "ackLevel", "RECEIVED", "PERSISTED");
    }
    int ms = 5_000 + round;
    return round % 2 == 0
        ? new OtherOption("--takeover-ms=4" + ms, "takeoverMs", "4" + ms, "20000")
        : new OtherOption("--lease-ms=" + ms, "leaseMs", "" + ms, "10000");
  }

  private record OtherOption(String flag, String name, String value, String ofGroup) {
    String refusal() {
      return "there " + name + " is " + value + ", here " + ofGroup;
    }

    String refusalThere() {
      return "there " + name + " is " + ofGroup + ", here " + value;
    }
  }

  enum Victim {
    BACKUP_KILLED,
    BACKUP_STOPPED,
    BOTH_KILLED,
    BOTH_STOPPED,
    WIPED_WHILE_CUT,
    /** The backup comes back with an option that must not be accepted. */
    OPTIONS_DIFFER,
    /**
     * The handler throws at messages of another client; half of the times the primary is killed.
     */
    HANDLER_THROWS
  }

  private final Victim victim;
  private final String what;
  private final Kind kind;
  private final int ratePerSec;
  private final boolean crowded;
  private final Path directory;
  private final MemberNetwork network;
  private final ProcessCluster group;
  private final Vertx vertx = Vertx.vertx();
  private final AtomicLong visitors = new AtomicLong();
  private final Semaphore visiting = new Semaphore(CLIENTS_AT_ONCE);
  private final Random random = new Random();
  private final long startNs = System.nanoTime();
  private long thrown;
  private volatile boolean closed;
  private ProcessorClient bad;
  private CarDriver driver;
  private GroupEvents.Primary primary;

  /**
   * @param crowded whether clients come and go
   */
  FaultRounds(
      Victim victim, Kind kind, String replication, int ratePerSec, boolean crowded, Path directory)
      throws Exception {
    this.victim = victim;
    this.what = victim + " " + kind + " " + replication;
    this.kind = kind;
    this.ratePerSec = ratePerSec;
    this.crowded = crowded;
    this.directory = directory;
    Fault fault = victim == Victim.WIPED_WHILE_CUT ? Fault.CUT : Fault.KILL;
    List<String> more = new ArrayList<>(List.of("--kind=" + kind.name()));
    if (victim == Victim.OPTIONS_DIFFER) {
      more.addAll(PATIENT);
    }
    Class<?> program = victim == Victim.HANDLER_THROWS ? ThrowingMember.class : MemberMain.class;
    ProcessCluster.Plan plan = new ProcessCluster.Plan(replication, program, more);
    network = fault.network(Assertions::fail);
    group = new ProcessCluster(network, directory, plan);
  }

  /** Runs so many rounds and returns their figures. */
  String run(int rounds) throws Exception {
    List<Double> outages = new ArrayList<>();
    Thread churn = new Thread(this::churn, "churn");
    try (ProcessCluster ending = group) {
      ending.start(PATIENCE);
      bad = ProcessorClient.create(vertx, clientOptions());
      try (CarDriver driving =
          new CarDriver(vertx, group.addresses(), ratePerSec, kind.odometer())) {
        driver = driving;
        churn.start();
        for (int round = 0; round < rounds; round++) {
          outages.add(round(round));
        }
        closed = true;
        churn.join();
        visiting.acquire(CLIENTS_AT_ONCE);
        driver.finish(PATIENCE);
        checkAtEnd();
        return report(driver.counts(), outages);
      }
    } finally {
      closed = true;
      churn.join();
      vertx.close().await();
    }
  }

  private double round(int round) throws Exception {
    primary = group.events().awaitInSync(PATIENCE);
    driver.awaitCaughtUp(PATIENCE);
    driver.timeline().watchGaps();
    strike(round);
    primary = group.events().awaitInSync(PATIENCE);
    driver.awaitCaughtUp(PATIENCE);
    double outageMs = driver.timeline().longestGap().ms();
    TimeUnit.MILLISECONDS.sleep(CALM_MS);
    GroupLogs.Comparison logs = group.compareLogs();
    assertThat(logs.agrees()).as("%s, round %d: %s", what, round, logs).isTrue();
    return outageMs;
  }

  private void checkAtEnd() throws Exception {
    CarDriver.Counts counts = driver.counts();
    assertThat(counts.lost() + counts.repeated() + counts.corrupt() + counts.failed())
        .as("%s: %s", what, counts)
        .isZero();
    assertThat(counts.answered()).isEqualTo(counts.sent());
    assertThat(group.events().stale()).isZero();
    group.stop(group.events().awaitInSync(PATIENCE).member());
    GroupLogs.Comparison logs = group.compareLogs();
    assertThat(logs.isSame()).as("%s: %s", what, logs).isTrue();
    assertThat(logs.to()).isEqualTo(counts.sent() + visitors.get() + thrown);
  }

  private String report(CarDriver.Counts counts, List<Double> outages) {
    Collections.sort(outages);
    return String.format(
        "%s: %d rounds in %d s, %,d cars sent, %,d answered, lost %d, twice %d, wrong %d, outage"
            + " p50 %.0f ms, max %.0f ms, %,d clients came and went, %d messages were rejected",
        what,
        outages.size(),
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs),
        counts.sent(),
        counts.answered(),
        counts.lost(),
        counts.repeated(),
        counts.corrupt(),
        outages.get(outages.size() / 2),
        outages.get(outages.size() - 1),
        visitors.get(),
        thrown);
  }

  private ProcessorClientOptions clientOptions() {
    return new ProcessorClientOptions()
        .setMembers(group.addresses().stream().map(address -> address.clients()).toList());
  }

  /** Clients with a request each, which is no car. */
  private void churn() {
    while (crowded && !closed) {
      LockSupport.parkNanos(BETWEEN_CLIENTS_NS);
      if (!visiting.tryAcquire()) {
        // Nobody is let go while the group stands still, which may be the end of the rounds.
        continue;
      }
      ProcessorClient client = ProcessorClient.create(vertx, clientOptions());
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

  private void strike(int round) throws Exception {
    MemberProcess leader = group.member(primary.member());
    MemberProcess backup = backup();
    switch (victim) {
      case BACKUP_KILLED -> {
        killAndAwait(backup);
        startAndAwait(backup);
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
      case OPTIONS_DIFFER -> startWithOther(otherOption(round), leader, backup);
      case HANDLER_THROWS -> throwAndKill(round % 2 == 1, leader);
    }
  }

  private void killAndAwait(MemberProcess backup) {
    int before = group.events().all().size();
    backup.kill();
    awaitSet(before, 1);
  }

  private void startAndAwait(MemberProcess backup) throws IOException {
    int before = group.events().all().size();
    backup.start();
    awaitSet(before, 2);
  }

  private void wipeWhileCut(MemberProcess leader) throws IOException, InterruptedException {
    group.cut();
    group.events().awaitPrimaryAfter(primary.epoch(), PATIENCE);
    leader.kill();
    Directories.delete(directory.resolve(leader.name()));
    leader.start();
    TimeUnit.MILLISECONDS.sleep(STOP_MS);
    group.mend();
  }

  /** Both say which option differs, with both values, and the group goes on without the member. */
  private void startWithOther(OtherOption option, MemberProcess leader, MemberProcess backup)
      throws Exception {
    killAndAwait(backup);
    long before = lines(leader, option.refusal());
    long there = lines(backup, option.refusalThere());
    backup.start(option.flag());
    Await.until(
        () -> leader.name() + " says: " + option.refusal(),
        PATIENCE.toSeconds(),
        () -> lines(leader, option.refusal()) > before);
    Await.until(
        () -> backup.name() + " says: " + option.refusalThere(),
        PATIENCE.toSeconds(),
        () -> lines(backup, option.refusalThere()) > there);
    long answered = driver.answered();
    Await.until("the group goes on", () -> driver.answered() > answered + ratePerSec / 10);
    assertThat(group.events().epoch()).as("epoch of %s", leader.name()).isEqualTo(primary.epoch());
    backup.kill();
    startAndAwait(backup);
  }

  private long lines(MemberProcess member, String text) {
    try (Stream<String> lines = Files.lines(directory.resolve(member.name() + ".log"))) {
      return lines.filter(line -> line.endsWith(text)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each message fails as rejected, whoever leads then, and no process ends. */
  private void throwAndKill(boolean kill, MemberProcess leader) throws Exception {
    List<Future<Buffer>> all = new ArrayList<>();
    for (ThrowingMember.Fault fault : ThrowingMember.Fault.values()) {
      all.add(bad.send(ThrowingMember.message(fault, 1 + random.nextInt(1_000_000))));
      TimeUnit.MILLISECONDS.sleep(random.nextInt(100));
    }
    if (kill) {
      leader.kill();
      group.events().awaitPrimaryAfter(primary.epoch(), PATIENCE);
      leader.start();
    }
    Await.until("all have ended", () -> all.stream().allMatch(Future::isComplete));
    assertThat(all)
        .allSatisfy(
            one ->
                assertThat(one.cause())
                    .isInstanceOfSatisfying(
                        RequestRefusedException.class,
                        e -> assertThat(e.result()).isEqualTo(OfferResult.REJECTED)));
    thrown += all.size();
  }

  private void awaitSet(int from, int members) {
    Await.until(
        () -> members + " members in sync: " + group.events().all(),
        PATIENCE.toSeconds(),
        () ->
            group.events().all().stream()
                .skip(from)
                .filter(event -> event.text().startsWith("in sync: "))
                .anyMatch(event -> event.text().split(" ").length == 2 + members));
  }
}
