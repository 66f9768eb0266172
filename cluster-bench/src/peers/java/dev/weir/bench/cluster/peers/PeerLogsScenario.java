package dev.weir.bench.cluster.peers;

import dev.weir.bench.Measurement;
import dev.weir.bench.Preheat;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import java.util.List;
import java.util.stream.Collectors;

/** Measures replicated logs and maps of others. Found as a service. */
public final class PeerLogsScenario implements Scenario {
  private static final String NAME = "peer-logs";

  /** Setting: names of peers, separated by commas. */
  private static final String PEERS = "peer-logs.peers";

  private static final int BYTES = 200;
  private static final int WINDOW = 4 << 10;

  /** Of a pass: the slowest peer takes ten seconds for them, and others have more passes. */
  private static final int SATURATED = 20_000;

  private static final int FIRST = 100;
  private static final int RATE_PER_SEC = 10_000;

  /** Most of its capacity that a peer is asked for when response times are measured. */
  private static final double SHARE = 0.5;

  private static final int PREHEAT_PASSES = 8;

  /** For the service loader. */
  public PeerLogsScenario() {}

  @Override
  public About about() {
    return About.of(
        NAME,
        "What others offer for a replicated log, to be read beside the rows of the scenario"
            + " processor: members in processes of their own on the loopback address, and one"
            + " client in this process. Bodies have "
            + BYTES
            + " bytes. throughput: closed loop, "
            + WINDOW
            + " bodies not yet accepted. latency: "
            + RATE_PER_SEC
            + " bodies/s, or half of the capacity if that is less, from the intended time. At the"
            + " end the members are asked for what they hold. flush none: an accepted body is in"
            + " memory. flush os: it was written to the operating system. flush disk: it was forced"
            + " to the device.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    List<PeerKind> all = List.of(PeerKind.values());
    String byDefault = all.stream().map(PeerKind::toString).collect(Collectors.joining(","));
    List<String> asked = context.options(PEERS, byDefault, all);
    for (PeerKind kind : all) {
      if (asked.contains(kind.toString())) {
        tryToMeasure(context, kind);
      }
    }
  }

  /** A peer that does not survive the load is a failed row, and the others are measured. */
  private static void tryToMeasure(RunContext context, PeerKind kind) throws InterruptedException {
    try {
      measure(context, kind);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      context.report(
          context
              .row()
              .path(kind.toString())
              .caseName("ended")
              .flush(kind.flush())
              .payloadBytes(BYTES)
              .verdict(Verdict.fail("it ended: " + e)));
    }
  }

  private static void measure(RunContext context, PeerKind kind) throws Exception {
    SentBodies sent = new SentBodies(BYTES);
    try (DataDirectory data = context.dataDirectory();
        PeerLog log = kind.open(data.path());
        PeerLoad load = new PeerLoad(log, sent)) {
      long saturated = context.scaled(SATURATED);
      // Makes the members start the threads of their pools.
      load.saturated(FIRST, 1);
      new Preheat(PREHEAT_PASSES)
          .run(kind + " preheat", context.progress(), () -> load.saturated(saturated, WINDOW));
      Measurement throughput =
          rounds(context, load)
              .measure(kind + " throughput", () -> load.saturated(saturated, WINDOW));
      Row first = row(context, throughput, kind).caseName("throughput").inFlight(WINDOW);
      double ratePerSec =
          Math.max(1, Math.min(RATE_PER_SEC, SHARE * throughput.opsPerSec().median()));
      long paced = context.paced((int) ratePerSec, context.profile().pick(2, 10));
      Measurement latency =
          rounds(context, load).measure(kind + " latency", () -> load.paced(paced, ratePerSec));
      Row second = row(context, latency, kind).caseName("latency");
      Verdict held = log.verify(sent);
      context.report(first.and(held));
      context.report(second.and(held));
    }
  }

  private static Rounds rounds(RunContext context, PeerLoad load) {
    return context.headlineRounds().recording(load.recording());
  }

  private static Row row(RunContext context, Measurement measurement, PeerKind kind) {
    return context
        .row(measurement)
        .path(kind.toString())
        .flush(kind.flush())
        .payloadBytes(BYTES)
        .extra("durability", kind.durability())
        .extra("semantics", kind.semantics())
        .extra("processes", 1 + kind.members())
        .column("client", "outside");
  }
}
