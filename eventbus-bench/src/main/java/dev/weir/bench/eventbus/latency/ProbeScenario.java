package dev.weir.bench.eventbus.latency;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.BackEnd;
import dev.weir.bench.eventbus.fixture.BackEnd.LoopTicks;
import dev.weir.bench.eventbus.fixture.BackEnd.LoopTurns;
import dev.weir.bench.eventbus.fixture.DiskShare;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.RequestWorkload;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.eventbus.fixture.Workload;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.queue.QueueStats;
import io.vertx.core.Context;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether a flood through the disk tier of one service slows another one. */
public final class ProbeScenario implements Scenario {
  static final String NAME = "probe";

  private static final String REST = "rest";
  private static final String FLOOD = "flood";
  private static final String FLOOD_MAX = "flood-max";
  private static final int BYTES = 256;
  private static final int RATE_PER_SEC = 1_000;
  private static final int FLOOD_IN_FLIGHT = 10_000;
  private static final long FLOOD_OPERATIONS = 50_000;
  private static final long FLOOD_MAX_OPERATIONS = 200_000;

  /** With {@link RequestPath#WORKERS} the flooded service handles 100,000 requests a second. */
  private static final int FLOOD_TICK_MS = 2;

  private static final int PREHEAT_PASSES = 10;
  private static final int PREHEAT_OPERATIONS = 20_000;
  private static final int PREHEAT_IN_FLIGHT = 10;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "Response times of a light service, from the intended send time. The service"
            + " gets "
            + RATE_PER_SEC
            + " requests of "
            + BYTES
            + " bytes a second. rest: nothing else runs. flood: another service of the same"
            + " Weir is flooded on another event loop and handles about "
            + RequestPath.WORKERS * (1000 / FLOOD_TICK_MS)
            + " requests a second. flood-max: the other service handles as many as it can, so"
            + " both cores are busy. A flood has "
            + FLOOD_IN_FLIGHT
            + " requests in flight; "
            + RequestPath.OVERFLOW_MEMORY_MESSAGES
            + " of them wait in memory, the others on disk. raw-bus: the same without a pool"
            + " shows the effect of the busy machine. xRest: p99 over that at rest; xp50, xp99 and"
            + " xp99.9: over those of raw-bus in the same disturbance. flood/s: the rate of the"
            + " flood. disk% of its requests went to the disk tier, written% were written to"
            + " files, read% of these were read back.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    try (ServiceFixture fixture = ServiceFixture.open(context)) {
      Context flooded = fixture.elsewhere(fixture.loop());
      List<FloodCase> all =
          List.of(
              new FloodCase(
                  FLOOD,
                  flood(fixture, flooded, FLOOD, new LoopTicks(flooded, FLOOD_TICK_MS)),
                  FLOOD_OPERATIONS),
              new FloodCase(
                  FLOOD_MAX,
                  flood(fixture, flooded, FLOOD_MAX, new LoopTurns(flooded, 1)),
                  FLOOD_MAX_OPERATIONS));
      // The worst case, where time is short.
      List<FloodCase> floods = context.profile().pick(all.subList(1, 2), all);
      Map<RequestPath, RequestWorkload> probes = new EnumMap<>(RequestPath.class);
      for (RequestPath path : List.of(RequestPath.RAW_BUS, RequestPath.MEMORY)) {
        probes.put(path, RequestWorkload.on(fixture, path, bodies(), false, 1));
      }
      preheat(context, probes.values(), all.get(1));
      Map<Object, Row> bare = new HashMap<>();
      for (RequestPath path : probes.keySet()) {
        RequestWorkload probe = probes.get(path);
        Recording rest = Recording.singleWriter();
        Measurement atRest = paced(context, path, probe, rest);
        report(context, bare, row(context, path, probe, REST, atRest));
        for (FloodCase flood : floods) {
          report(context, bare, underFlood(context, path, probe, rest, flood));
        }
      }
    }
  }

  /** The probes as they are paced, and the flood, which waits for no clock. */
  private static void preheat(
      RunContext context, Collection<RequestWorkload> probes, FloodCase flood) throws Exception {
    context.preheat(
        PREHEAT_PASSES,
        () -> {
          for (RequestWorkload probe : probes) {
            probe.capacityRound(context.scaled(PREHEAT_OPERATIONS), PREHEAT_IN_FLIGHT);
          }
          flood.workload.closedRound(context.scaled(FLOOD_OPERATIONS), FLOOD_IN_FLIGHT);
        });
  }

  /** Rows of the bare bus come first; each later row is compared with that of its case. */
  private static void report(RunContext context, Map<Object, Row> bare, Row row) {
    Row floor = bare.putIfAbsent(row.fields().get("case"), row);
    context.report(floor == null ? row : row.over(floor, "xRaw"));
  }

  /** A kind of flood: its name, the flooded workload, and requests per round. */
  private record FloodCase(String name, RequestWorkload workload, long operations) {}

  private static RequestWorkload flood(
      ServiceFixture fixture, Context loop, String address, BackEnd backEnd)
      throws InterruptedException {
    return new RequestWorkload(
        fixture, loop, loop, RequestPath.OVERFLOW_ELIDED, address, bodies(), false, backEnd);
  }

  private static Bodies bodies() {
    return Bodies.Kind.BUFFER.bodies(BYTES);
  }

  private static Measurement paced(
      RunContext context, RequestPath path, Workload probe, Recording recording) throws Exception {
    int rounds = context.profile().pick(2, 3);
    return probe.measurePaced(context, NAME + " " + path, recording, rounds, RATE_PER_SEC);
  }

  private static Row underFlood(
      RunContext context,
      RequestPath path,
      RequestWorkload probe,
      Recording rest,
      FloodCase flooding)
      throws Exception {
    Workload flooded = flooding.workload;
    QueueStats before = flooded.queueStats();
    long acceptedBefore = flooded.stats().accepted();
    Recording recording = Recording.singleWriter();
    try (Flood flood = new Flood(flooded, flooding.operations, FLOOD_IN_FLIGHT)) {
      flood.start();
      Measurement measurement = paced(context, path, probe, recording);
      flood.stop();
      long requests = flooded.stats().accepted() - acceptedBefore;
      DiskShare disk = DiskShare.between(before, flooded.queueStats(), requests);
      double p99Us = recording.summary().p99Us();
      Row row =
          row(context, path, probe, flooding.name, measurement)
              .column("xRest", p99Us / rest.summary().p99Us())
              .column("flood/s", flood.perSec())
              .latency(REST, rest)
              .extra("floodInFlight", FLOOD_IN_FLIGHT)
              .extra("floodPayloadBytes", BYTES)
              .extra("floodHandler", flooding.workload.describeHandler())
              .extra("floodTopology", "sender and service share another event loop")
              .and(flood.verdict())
              .and(disk.verdict().in(flooding.name));
      return disk.addTo(row);
    }
  }

  /**
   * A row without operations per second: they are the rate asked for, and the table has no room.
   */
  private static Row row(
      RunContext context,
      RequestPath path,
      RequestWorkload probe,
      String caseName,
      Measurement measurement) {
    Row row =
        ServiceFixture.describe(context.row(measurement))
            .caseName(caseName)
            .path(path.toString())
            .body(Bodies.Kind.BUFFER.toString())
            .payloadBytes(BYTES)
            .opsPerSec((Spread) null)
            .extra("inFlight", "as many as the rate makes")
            .extra("durability", "none: requests need none")
            .extra("handler", probe.describeHandler());
    return path.hasPool() ? row.extra("workers", RequestPath.WORKERS) : row;
  }
}
