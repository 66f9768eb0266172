package dev.weir.bench.eventbus.rpc;

import dev.weir.bench.Measurement;
import dev.weir.bench.Profile;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.DiskShare;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.RequestWorkload;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.report.Row;
import dev.weir.flow.ServiceStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Request and reply through the bare bus, a pool in memory, and a pool that overflows to disk. */
public final class RpcScenario implements Scenario {
  public static final String NAME = "rpc";

  private static final int ROUNDS = 10;

  /** Unmeasured rounds of the smallest case on all paths, before the first measurement. */
  private static final int PREHEAT_ROUNDS = 5;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "Requests on the local event bus, more in flight than the "
        + RequestPath.WORKERS
        + " workers. One-way requests are answered with true, two-way requests with the"
        + " body. One event is one request with its reply, which is two messages. raw-bus:"
        + " a plain consumer without a pool. memory: waiting requests stay in the memory"
        + " tier. overflow: the memory tier takes "
        + RequestPath.OVERFLOW_MEMORY_MESSAGES
        + " requests, all others wait in the disk tier. disk% of all requests went to the"
        + " disk tier, JE% were written to files. A request that is handled before its"
        + " write starts is never written. overflow-written: every waiting request is"
        + " written and read back, except for the next megabyte. The smallest case runs"
        + " unmeasured before the others. Rounds of raw-bus and memory take turns. overflow"
        + " runs after these, overflow-written last. xRaw: median over that of raw-bus.";
  }

  @Override
  public void run(RunContext context) throws Exception {
    preheat(context);
    List<Measured> results = new ArrayList<>();
    for (List<RequestPath> paths : RequestPath.STAGES) {
      for (RpcCase rpcCase : RpcCase.all()) {
        for (Bodies.Kind kind : Bodies.Kind.values()) {
          if (kind == Bodies.Kind.BUFFER || !paths.contains(RequestPath.OVERFLOW_WRITTEN)) {
            results.addAll(measure(context, rpcCase, kind, paths, results));
          }
        }
      }
    }
    results.sort(Comparator.comparing(Measured::result, RpcResult.BY_CASE));
    results.forEach(measured -> context.report(measured.row));
    RpcSummary.lines(results.stream().map(Measured::result).toList()).forEach(context::note);
  }

  /**
   * Lets the JIT compiler see all paths and bodies, so that the first case is not slower than the
   * others.
   */
  private static void preheat(RunContext context) throws Exception {
    RpcCase rpcCase = new RpcCase(true, 0);
    context.progress().begin(NAME + " preheat", Bodies.Kind.values().length);
    for (Bodies.Kind kind : Bodies.Kind.values()) {
      try (ServiceFixture fixture = ServiceFixture.open(context)) {
        for (RequestPath path : RequestPath.values()) {
          long operations = context.scaled(rpcCase.operations(Profile.QUICK, kind, path));
          RequestWorkload workload = open(fixture, rpcCase, path, kind);
          for (int i = 0; i < PREHEAT_ROUNDS; i++) {
            workload.closedRound(operations, inFlight(rpcCase, operations));
          }
        }
      }
      context.progress().step(kind.toString());
    }
    context.progress().end();
  }

  private record Measured(RpcResult result, Row row) {}

  /**
   * Measures paths side by side on a fixture of their own, so that unfinished disk work ends with
   * it.
   */
  private static List<Measured> measure(
      RunContext context,
      RpcCase rpcCase,
      Bodies.Kind kind,
      List<RequestPath> paths,
      List<Measured> before)
      throws Exception {
    try (ServiceFixture fixture = ServiceFixture.open(context)) {
      Rounds rounds = context.rounds(ROUNDS);
      List<Way> ways = new ArrayList<>();
      for (RequestPath path : paths) {
        long operations = context.scaled(rpcCase.operations(context.profile(), kind, path));
        Way way = new Way(path, open(fixture, rpcCase, path, kind), operations);
        ways.add(way);
        rounds.add(
            () -> way.workload.closedRound(operations, inFlight(rpcCase, operations)), way::warm);
      }
      String label =
          String.join(" ", NAME, rpcCase.label(), rpcCase.bytes() + " bytes", kind.toString());
      List<Measurement> measured = rounds.measure(label + " " + paths);
      double rawMedian =
          before.stream()
              .map(Measured::result)
              .filter(result -> result.isFloorOf(rpcCase, kind))
              .findFirst()
              .map(RpcResult::opsPerSec)
              .orElseGet(() -> measured.get(0).opsPerSec())
              .median();
      List<Measured> results = new ArrayList<>();
      for (int i = 0; i < ways.size(); i++) {
        Way way = ways.get(i);
        Measurement measurement = measured.get(i);
        DiskShare disk = way.diskShare(measurement.rounds().size());
        RpcResult result =
            new RpcResult(rpcCase, way.path, kind, measurement.opsPerSec(), rawMedian, disk);
        Row row = result.addTo(context.row(measurement), way.workload);
        row = ServiceFixture.describe(row).inFlight(inFlight(rpcCase, way.operations));
        results.add(new Measured(result, row));
      }
      return results;
    }
  }

  private static int inFlight(RpcCase rpcCase, long operations) {
    return ClosedLoop.inFlight(rpcCase.inFlight(), operations);
  }

  private static RequestWorkload open(
      ServiceFixture fixture, RpcCase rpcCase, RequestPath path, Bodies.Kind kind)
      throws InterruptedException {
    Bodies bodies = kind.bodies(rpcCase.bytes());
    return RequestWorkload.on(fixture, path, bodies, rpcCase.twoWay(), rpcCase.turns());
  }

  /** A path with its workload, and what its disk tier had done before the measured rounds. */
  private static final class Way {
    final RequestPath path;
    final RequestWorkload workload;
    final long operations;
    private ServiceStats before;

    Way(RequestPath path, RequestWorkload workload, long operations) {
      this.path = path;
      this.workload = workload;
      this.operations = operations;
    }

    void warm() {
      before = workload.stats();
    }

    DiskShare diskShare(int rounds) {
      return path.overflows()
          ? DiskShare.between(before, workload.stats(), rounds * operations)
          : null;
    }
  }
}
