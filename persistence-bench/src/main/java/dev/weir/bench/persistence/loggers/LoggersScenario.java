package dev.weir.bench.persistence.loggers;

import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.ReadBack;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.persistence.store.chronicle.ChronicleMechanism;
import dev.weir.bench.persistence.store.file.FileMechanism;
import dev.weir.bench.persistence.store.je.JeMechanism;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.program.Directories;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Messages written one by one, in packets and as states, on JE, plain files and other stores. */
public final class LoggersScenario implements Scenario {
  static final String NAME = "loggers";

  /** Messages of a packet and of a batch. */
  static final int PER_COMMIT = 64;

  private static final int BYTES = 256;
  private static final long OBJECTS = 10_000;
  private static final int FULL_FACTOR = 2;

  /** The quick profile has this part of the messages of a pass. */
  private static final int QUICK_SHARE = 4;

  /**
   * A pause before each round, so that work which earlier rounds left to the background is not
   * charged.
   */
  private static final long SETTLE_MS = 20;

  /** What happens before each pass and counts in no row. */
  private static final String UNTIMED = "force + " + SETTLE_MS + " ms rest";

  private static final int PREHEAT_PASSES = 5;

  /** Of the messages of a round, those of a pass of the preheat. */
  private static final int PREHEAT_SHARE = 2;

  /** One case with the messages of a round for each flush. */
  private record Case(
      String name, Shape shape, int perCommit, long none, long operatingSystem, long disk) {
    long messages(Flush flush) {
      return switch (flush) {
        case NONE -> none;
        case OS -> operatingSystem;
        case DISK -> disk;
      };
    }
  }

  private static final List<Case> CASES =
      List.of(
          new Case("message", Shape.MESSAGE, 1, 120_000, 120_000, 1_500),
          new Case("packet", Shape.PACKET, PER_COMMIT, 256_000, 256_000, 64_000),
          new Case("store", Shape.STORE, 1, 120_000, 120_000, 1_500),
          new Case("store-batch", Shape.STORE, PER_COMMIT, 200_000, 200_000, 64_000));

  /** Messages and packets. */
  private static final List<Case> QUICK_CASES = CASES.subList(0, 2);

  @Override
  public About about() {
    return About.headline(
        NAME,
        "One thread writes messages, then all of them are read back. message: a record"
            + " and a commit for each message. packet: "
            + PER_COMMIT
            + " messages in a record with a CRC32C, one commit. store: each commit replaces"
            + " the state of one of "
            + OBJECTS
            + " objects. store-batch: each commit replaces "
            + PER_COMMIT
            + " states. flush none: in buffers of the process. flush os: written to the"
            + " operating system, survives a killed process. flush disk: forced to the device."
            + " us: the time of one commit; /s: messages. file: plain appends. chronicle:"
            + " Chronicle Queue, a message for each excerpt. chronicle-packed: a packet for"
            + " each excerpt. Chronicle writes to mapped files, so its none is as safe as os."
            + " xp99: the slow commits over those of the plain file, round by round."
            + " how: what a commit does, which differs between stores. untimed: before each pass"
            + " of a round, what earlier passes left to the file system is forced to the device,"
            + " and the thread rests; neither counts.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    LoggersSummary summary = new LoggersSummary();
    try (DataDirectory data = context.dataDirectory()) {
      for (Case one : cases(context)) {
        for (Flush flush : flushes(context)) {
          measure(context, data.path(), one, flush, summary);
        }
      }
      summary.lines().forEach(context::note);
    }
  }

  /** Further JVMs leave out what only the full profile has. */
  private static List<Case> cases(RunContext context) {
    return context.isFirstJvm() ? context.profile().pick(QUICK_CASES, CASES) : QUICK_CASES;
  }

  private static List<Flush> flushes(RunContext context) {
    return context.profile().pick(List.of(Flush.OS, Flush.DISK), List.of(Flush.values()));
  }

  private static void measure(
      RunContext context, Path data, Case one, Flush flush, LoggersSummary summary)
      throws Exception {
    long each = one.messages(flush);
    long messages = context.scaled(each / QUICK_SHARE, FULL_FACTOR * each);
    LogSpec spec = LogSpec.of(one.shape, flush, BYTES, one.perCommit, OBJECTS);
    List<LogWorkload> workloads = new ArrayList<>();
    Rounds rounds = QUICK_CASES.contains(one) ? context.rounds() : context.ownRounds();
    for (Mechanism mechanism : Mechanisms.all()) {
      if (mechanism.flushes(one.shape).contains(flush)) {
        LogWorkload workload = new LogWorkload(data, mechanism, spec);
        workloads.add(workload);
        rounds.add(() -> settled(data, workload, messages), workload.commits());
      }
    }
    context.preheat(
        PREHEAT_PASSES,
        () -> {
          for (LogWorkload workload : workloads) {
            workload.round(Math.max(1, messages / PREHEAT_SHARE));
          }
        });
    List<Measurement> measured = rounds.measure(NAME + " " + one.name + " " + flush);
    Map<String, Spread> perSec = new LinkedHashMap<>();
    Map<String, Spread> p99Us = new LinkedHashMap<>();
    for (int i = 0; i < workloads.size(); i++) {
      String path = workloads.get(i).mechanism().path();
      perSec.put(path, measured.get(i).opsPerSec());
      p99Us.put(path, p99Us(measured.get(i)));
    }
    for (int i = 0; i < workloads.size(); i++) {
      LogWorkload workload = workloads.get(i);
      Row row =
          context
              .row(measured.get(i))
              .caseName(one.name)
              .path(workload.mechanism().path())
              .flush(flush.toString())
              .payloadBytes(BYTES)
              .extra("perCommit", one.perCommit)
              .column("how", how(workload.mechanism().durability(flush)))
              .column("untimed", UNTIMED)
              .extra("durability", workload.mechanism().durability(flush))
              .extra("check", ReadBack.CHECK);
      compare(row, workload.mechanism().path(), perSec);
      compareTail(row, workload.mechanism().path(), p99Us);
      if (workload.mechanism().path().equals(JeMechanism.PATH)) {
        summary.add(one.name, flush, perSec, workload.commits().summary());
      }
      context.report(row);
    }
  }

  /** What a commit does, which differs between mechanisms of the same flush. */
  private static String how(String durability) {
    return durability.split(" \\(|:")[0];
  }

  /** How many times as fast as the plain file and as Chronicle Queue, where there is one. */
  private static void compare(Row row, String path, Map<String, Spread> perSec) {
    LoggersSummary.RATIOS.forEach(
        (name, base) -> {
          if (perSec.containsKey(base) && !path.equals(base)) {
            row.ratio(name, perSec.get(path).over(perSec.get(base)));
          }
        });
  }

  /** Of each round; not a number where it has too few commits. */
  private static Spread p99Us(Measurement measured) {
    double[] each = measured.latencies().stream().mapToDouble(LatencySummary::p99Us).toArray();
    return each.length == 0 ? Spread.of(Double.NaN) : Spread.of(each);
  }

  /** The slow commits over those of the plain file, if each round has enough of them. */
  private static void compareTail(Row row, String path, Map<String, Spread> p99Us) {
    Spread file = p99Us.get(FileMechanism.PATH);
    if (file != null && !path.equals(FileMechanism.PATH)) {
      Spread ratio = p99Us.get(path).over(file);
      if (ratio.rounds().stream().allMatch(Double::isFinite)) {
        row.ratio("xp99", ratio);
      }
    }
  }

  private static RoundResult settled(Path data, LogWorkload workload, long messages)
      throws IOException, InterruptedException {
    // So that this round is not charged with what earlier rounds left to the file system's journal.
    Directories.force(data);
    Thread.sleep(SETTLE_MS);
    return workload.round(messages);
  }

  /** The mechanisms that are measured. JE is first; the others are compared with it. */
  static final class Mechanisms {
    private Mechanisms() {}

    static List<Mechanism> all() {
      List<Mechanism> all = new ArrayList<>();
      all.add(new JeMechanism());
      all.add(new FileMechanism());
      all.add(new ChronicleMechanism(false));
      all.add(new ChronicleMechanism(true));
      addPeers(all);
      return all;
    }

    /** Adds the mechanisms of the build profile "peers", if it is active. */
    private static void addPeers(List<Mechanism> all) {
      Iterator<Mechanism> peers = ServiceLoader.load(Mechanism.class).iterator();
      while (peers.hasNext()) {
        try {
          all.add(peers.next());
        } catch (ServiceConfigurationError e) {
          // A build without the profile, after one with it and no clean between, leaves names
          // behind.
        }
      }
    }
  }
}
