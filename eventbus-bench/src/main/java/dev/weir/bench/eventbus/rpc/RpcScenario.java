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
import dev.weir.bench.eventbus.fixture.SegmentFloor;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.report.Row;
import dev.weir.queue.QueueStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Request and reply through the bare bus, a pool in memory, and a pool that overflows to disk. */
public final class RpcScenario implements Scenario {
  public static final String NAME = "rpc";

  /** Settings that name the one payload size, or the one path, that is measured. */
  private static final String BYTES = "rpc.bytes";

  private static final String PATH = "rpc.path";

  private static final int PREHEAT_PASSES = 8;
  private static final String XRAW = "xRaw";

  @Override
  public About about() {
    return About.headline(
        NAME,
        "Requests on the local event bus, more in flight than the "
            + RequestPath.WORKERS
            + " workers. One-way requests are answered with true, two-way requests with the"
            + " body. One event is one request with its reply, which is two messages. raw-bus:"
            + " a plain consumer without a pool. memory: waiting requests stay in the memory"
            + " tier. overflow-written: the memory tier takes "
            + RequestPath.OVERFLOW_MEMORY_MESSAGES
            + " requests; every other waiting request is written to disk, and read back but for what"
            + " the disk tier keeps in memory: the next megabyte, and with the smallest bodies a"
            + " quarter of it, as the heap is given as "
            + (ServiceFixture.SMALL_HEAP_BYTES >> 20)
            + " MiB. overflow-elided: the same, but a request that is handled"
            + " before its write starts is never written. disk% of all requests went to the disk"
            + " tier, written% were written to files, read% of these were read back. file-write-read: one thread"
            + " writes bodies of the same size to plain segment files, 256 KiB or one body at a"
            + " time; another reads them back when as many are written as requests are in flight,"
            + " and the files are written again. It makes no copies of a body. The smallest case"
            + " runs"
            + " unmeasured before the others. Rounds of raw-bus and memory take turns; then those"
            + " of raw-bus, an overflow path and the file. xRaw: throughput over that of raw-bus in"
            + " the same round, the median. xFile: over bodies of the file, likewise. The quick profile has no"
            + " overflow-elided, no immutable bodies, and overflow-written one-way only. "
            + BYTES
            + " and "
            + PATH
            + " choose one payload size and one path with its floor.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    preheat(context);
    List<Measured> results = new ArrayList<>();
    for (List<RequestPath> paths : stages(context)) {
      for (RpcCase rpcCase : cases(context, paths)) {
        for (Bodies.Kind kind : kinds(context)) {
          if (kind == Bodies.Kind.BUFFER || !paths.contains(RequestPath.OVERFLOW_WRITTEN)) {
            results.addAll(measure(context, rpcCase, kind, paths));
          }
        }
      }
    }
    results.sort(Comparator.comparing(Measured::result, RpcResult.BY_CASE));
    results.forEach(measured -> context.report(measured.row));
    RpcSummary.lines(results.stream().map(Measured::result).toList()).forEach(context::note);
  }

  private static List<List<RequestPath>> stages(RunContext context) {
    List<RequestPath> all = List.of(RequestPath.values());
    return RequestPath.STAGES.stream()
        .filter(
            paths ->
                context.profile() == Profile.FULL || !paths.contains(RequestPath.OVERFLOW_ELIDED))
        .filter(paths -> isChosen(context, PATH, paths, all))
        .toList();
  }

  private static List<RpcCase> cases(RunContext context, List<RequestPath> paths) {
    boolean all =
        context.profile() == Profile.FULL || !paths.contains(RequestPath.OVERFLOW_WRITTEN);
    List<Integer> sizes = RpcCase.all().stream().map(RpcCase::bytes).toList();
    return RpcCase.all().stream()
        .filter(rpcCase -> all || !rpcCase.twoWay())
        .filter(rpcCase -> context.isFirstJvm() || isHeadline(rpcCase, paths))
        .filter(rpcCase -> isChosen(context, BYTES, List.of(rpcCase.bytes()), sizes))
        .toList();
  }

  private static boolean isChosen(
      RunContext context, String setting, List<?> values, List<?> allowed) {
    String chosen = context.option(setting, allowed).orElse(null);
    return chosen == null || values.stream().map(Object::toString).anyMatch(chosen::equals);
  }

  private static List<Bodies.Kind> kinds(RunContext context) {
    return context.profile().pick(List.of(Bodies.Kind.BUFFER), List.of(Bodies.Kind.values()));
  }

  /**
   * Lets the JIT compilers see all paths and bodies, so that the first case is not slower than the
   * others.
   */
  private static void preheat(RunContext context) throws Exception {
    RpcCase rpcCase = new RpcCase(true, 0);
    for (Bodies.Kind kind : kinds(context)) {
      try (ServiceFixture fixture = ServiceFixture.open(context, rpcCase.heapBytes());
          SegmentFloor file =
              new SegmentFloor(fixture.directory(), rpcCase.bytes(), rpcCase.inFlight())) {
        List<Way> ways = new ArrayList<>();
        for (RequestPath path :
            stages(context).stream().flatMap(List::stream).distinct().toList()) {
          long operations = context.scaled(rpcCase.operations(Profile.QUICK, kind, path));
          ways.add(new Way(path, open(fixture, rpcCase, path, kind), operations));
        }
        context.preheat(
            PREHEAT_PASSES,
            () -> {
              for (Way way : ways) {
                way.workload.closedRound(way.operations, inFlight(rpcCase, way.operations));
                if (way.path == RequestPath.OVERFLOW_WRITTEN) {
                  file.round(way.operations);
                }
              }
            });
      }
    }
  }

  private record Measured(RpcResult result, Row row) {}

  /**
   * Measures paths side by side on a fixture of their own, so that unfinished disk work ends with
   * it.
   */
  private static List<Measured> measure(
      RunContext context, RpcCase rpcCase, Bodies.Kind kind, List<RequestPath> paths)
      throws Exception {
    boolean withFile = paths.contains(RequestPath.OVERFLOW_WRITTEN);
    long heapBytes = withFile ? rpcCase.heapBytes() : ServiceFixture.SHARED_HEAP_BYTES;
    try (ServiceFixture fixture = ServiceFixture.open(context, heapBytes);
        SegmentFloor file =
            withFile
                ? new SegmentFloor(fixture.directory(), rpcCase.bytes(), rpcCase.inFlight())
                : null) {
      Rounds rounds = rounds(context, rpcCase, paths);
      List<Way> ways = new ArrayList<>();
      for (RequestPath path : paths) {
        long operations = context.scaled(rpcCase.operations(context.profile(), kind, path));
        Way way = new Way(path, open(fixture, rpcCase, path, kind), operations);
        ways.add(way);
        rounds.add(
            () -> way.workload.closedRound(operations, inFlight(rpcCase, operations)), way::warm);
      }
      if (withFile) {
        long operations = ways.get(ways.size() - 1).operations;
        rounds.add(() -> file.round(operations));
      }
      List<Measurement> measured =
          rounds.measure(
              String.join(" ", NAME, rpcCase.label(), rpcCase.bytes() + " bytes", kind.toString())
                  + " "
                  + paths);
      List<Measured> results = new ArrayList<>();
      for (int i = 0; i < ways.size(); i++) {
        Row floor = results.isEmpty() ? null : results.get(0).row;
        results.add(result(context, rpcCase, kind, ways.get(i), measured.get(i), floor));
      }
      if (withFile) {
        compareWithFile(context, rpcCase, results.get(1).row, measured.get(ways.size()));
      }
      if (paths.contains(RequestPath.MEMORY)) {
        return results;
      }
      // The bare bus has its row from the rounds with the memory path.
      results.get(1).row.and(results.get(0).row.verdict().in("floor"));
      return results.subList(1, results.size());
    }
  }

  /** The rows of page one are measured longer. */
  private static Rounds rounds(RunContext context, RpcCase rpcCase, List<RequestPath> paths) {
    return isHeadline(rpcCase, paths) ? context.headlineRounds() : context.ownRounds();
  }

  private static boolean isHeadline(RpcCase rpcCase, List<RequestPath> paths) {
    return !rpcCase.twoWay()
        && (rpcCase.size() == 0 || paths.contains(RequestPath.OVERFLOW_WRITTEN));
  }

  /** Of a way, compared with the floor of the same rounds, which is null for the floor itself. */
  private static Measured result(
      RunContext context,
      RpcCase rpcCase,
      Bodies.Kind kind,
      Way way,
      Measurement measurement,
      Row floor) {
    Row row = context.row(measurement);
    if (floor != null) {
      row.over(floor, XRAW);
    }
    RpcResult result =
        new RpcResult(
            rpcCase,
            way.path,
            kind,
            measurement.opsPerSec(),
            floor == null ? 1 : (Double) row.extra().get(XRAW),
            way.diskShare(measurement.sent()));
    result.addTo(row, way.workload);
    ServiceFixture.describe(row).inFlight(inFlight(rpcCase, way.operations));
    return new Measured(result, row);
  }

  private static void compareWithFile(
      RunContext context, RpcCase rpcCase, Row written, Measurement measurement) {
    Row file =
        context
            .row(measurement)
            .caseName("floor")
            .path(SegmentFloor.PATH)
            .payloadBytes(rpcCase.bytes())
            .extra("check", SegmentFloor.CHECK);
    written.over(file, "xFile");
    context.report(file);
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
    private QueueStats before;

    Way(RequestPath path, RequestWorkload workload, long operations) {
      this.path = path;
      this.workload = workload;
      this.operations = operations;
    }

    void warm() {
      before = workload.queueStats();
    }

    /** Of so many requests; null for a path without a disk tier. */
    DiskShare diskShare(long requests) {
      return path.overflows() ? DiskShare.between(before, workload.queueStats(), requests) : null;
    }
  }
}
