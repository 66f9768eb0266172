package dev.weir.bench.eventbus.latency;

import dev.weir.bench.Measurement;
import dev.weir.bench.Profile;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.RequestWorkload;
import dev.weir.bench.eventbus.fixture.SendWorkload;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.eventbus.fixture.Workload;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import dev.weir.queue.Durability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Response times at fixed rates that the machine holds easily. */
public final class LatencyScenario implements Scenario {
  static final String NAME = "latency";

  private static final int BYTES = 256;
  private static final String DURABLE = "durable";
  private static final Point FIXED = new Point("20000-per-s", 20_000);

  /** Parts of the capacity, in percent; the full profile has them. */
  private static final List<Integer> CAPACITY_PERCENT = List.of(25, 50, 75, 90);

  /** More than any path can do: what is done of it is the capacity. */
  private static final int BEYOND_CAPACITY_PER_SEC = 20_000_000;

  private static final int CAPACITY_OPERATIONS = 100_000;
  private static final int CAPACITY_ROUNDS = 5;

  /** Before the first paced round of a path, at full speed: paced rounds alone compile too late. */
  private static final int PREHEAT_OPERATIONS = 40_000;

  private static final int PREHEAT_IN_FLIGHT = 100;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "Response times at a fixed rate, from the intended send time. Each request has "
        + BYTES
        + " bytes and is answered with true. raw-bus: a plain consumer. memory: a pool. durable:"
        + " until a one-way message is accepted with durability PROCESS, while its service handles"
        + " messages. A pacing thread makes the operations, so each one crosses to the sender's"
        + " event loop first. xp50, xp99, xp99.9: over those of raw-bus at the same rate."
        + " capacity-25 to capacity-90: so much percent of what the path does when the pacing"
        + " thread never waits; raw-bus at the rates of memory.";
  }

  @Override
  public void run(RunContext context) throws Exception {
    try (ServiceFixture fixture = ServiceFixture.open(context)) {
      Map<Point, Row> bare = new HashMap<>();
      Workload raw = RequestWorkload.on(fixture, RequestPath.RAW_BUS, bodies(), false, 1);
      Workload pool = RequestWorkload.on(fixture, RequestPath.MEMORY, bodies(), false, 1);
      List<Point> points = points(context, pool);
      measure(context, RequestPath.RAW_BUS.toString(), raw, points, bare);
      measure(context, RequestPath.MEMORY.toString(), pool, points, bare);
      Workload durable = new SendWorkload(fixture, DURABLE, bodies(), Durability.PROCESS);
      measure(context, DURABLE, durable, points(context, durable), bare);
    }
  }

  /** A rate with its name. */
  private record Point(String name, int perSec) {}

  /** The rates for a path: the fixed one, and parts of its capacity. */
  private static List<Point> points(RunContext context, Workload workload) throws Exception {
    List<Point> points = new ArrayList<>(List.of(FIXED));
    if (context.profile() == Profile.FULL) {
      workload.closedRound(context.scaled(PREHEAT_OPERATIONS), PREHEAT_IN_FLIGHT);
      double perSec =
          workload.pacedCapacity(
              CAPACITY_ROUNDS, context.scaled(CAPACITY_OPERATIONS), BEYOND_CAPACITY_PER_SEC);
      for (int percent : CAPACITY_PERCENT) {
        points.add(new Point("capacity-" + percent, (int) (perSec * percent / 100)));
      }
    }
    return points;
  }

  private static Bodies bodies() {
    return Bodies.Kind.BUFFER.bodies(BYTES);
  }

  /**
   * Measures all rates.
   *
   * @param bare the rows of the bare bus, empty while it is measured itself
   */
  private static void measure(
      RunContext context, String path, Workload workload, List<Point> points, Map<Point, Row> bare)
      throws Exception {
    workload.closedRound(context.scaled(PREHEAT_OPERATIONS), PREHEAT_IN_FLIGHT);
    for (Point point : points) {
      Measurement measurement =
          workload.measurePaced(
              context,
              NAME + " " + path + " at " + point.perSec + "/s",
              Recording.singleWriter(),
              context.profile().pick(2, 3),
              point.perSec);
      Row row =
          ServiceFixture.describe(context.row(measurement))
              .caseName(point.name)
              .path(path)
              .body(Bodies.Kind.BUFFER.toString())
              .payloadBytes(BYTES)
              .extra("inFlight", "as many as the rate makes")
              .extra("durability", path.equals(DURABLE) ? "PROCESS" : "none")
              .extra("check", workload.bodies.describeCheck());
      if (!path.equals(RequestPath.RAW_BUS.toString())) {
        row.workers(RequestPath.WORKERS);
      }
      Row floor = bare.putIfAbsent(point, row);
      context.report(floor == null ? row : row.over(floor, "xRaw"));
    }
  }
}
