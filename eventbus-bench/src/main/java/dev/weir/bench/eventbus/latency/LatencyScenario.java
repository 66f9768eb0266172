package dev.weir.bench.eventbus.latency;

import dev.weir.bench.Measurement;
import dev.weir.bench.Profile;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.RequestWorkload;
import dev.weir.bench.eventbus.fixture.SendWorkload;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.eventbus.fixture.Workload;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import dev.weir.queue.Durability;
import java.util.ArrayList;
import java.util.List;

/** Response times at fixed rates that the machine holds easily. */
public final class LatencyScenario implements Scenario {
  static final String NAME = "latency";

  private static final int BYTES = 256;
  private static final String DURABLE = "durable";
  private static final String DURABLE_MACHINE = "durable-machine";
  private static final Point FIXED = new Point("20000-per-s", 20_000);

  /** Another name than the capacity with 100 in flight had, with which it is not to be compared. */
  private static final String CAPACITY = "capacity-open";

  /** Parts of the capacity, in percent; the full profile has them. */
  private static final List<Integer> CAPACITY_PERCENT = List.of(25, 50, 75, 90);

  /** Ten times what is in flight at most, so that filling and emptying hardly count. */
  private static final int CAPACITY_OPERATIONS = 10 * Workload.MOST_IN_FLIGHT;

  /** As many as are in flight at a rate that is kept, with the short stops of a JVM. */
  private static final int PREHEAT_IN_FLIGHT = 100;

  private static final int PREHEAT_PASSES = 10;
  private static final int PREHEAT_OPERATIONS = 40_000;

  /** The quick profile has time for so many, of at least two seconds together. */
  private static final int QUICK_ROUNDS = 5;

  /** Long enough for the 10,000 values that p99.9 needs. */
  private static final double QUICK_ROUND_SECONDS = 0.5;

  private static final double FULL_ROUND_SECONDS = 1;

  @Override
  public About about() {
    return About.of(
        NAME,
        "Response times at a fixed rate, from the intended send time. Each request has "
            + BYTES
            + " bytes and is answered with true. raw-bus: a plain consumer. memory: a pool."
            + " durable: until a one-way message is accepted with durability PROCESS, while its"
            + " service handles messages; durable-machine: with MACHINE, in the full profile. A pacing thread makes the operations, so each one crosses"
            + " to the sender's event loop first. Rounds of the paths at one rate take turns. xp50,"
            + " xp99, xp99.9: over those of raw-bus at the same rate in the same round, the median."
            + " capacity-open: what pacing thread and path do together when every operation is late, with "
            + Workload.MOST_IN_FLIGHT
            + " in flight; median of rounds of a second. A higher rate can not be kept: after a stop"
            + " of the machine the loop would never catch up. capacity-25 to capacity-90: so much"
            + " percent of that, for raw-bus and memory of the lower of their two.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    try (ServiceFixture fixture = ServiceFixture.open(context)) {
      Way raw = way(fixture, RequestPath.RAW_BUS);
      Way pool = way(fixture, RequestPath.MEMORY);
      Way durable =
          new Way(DURABLE, new SendWorkload(fixture, DURABLE, bodies(), Durability.PROCESS));
      List<Way> ways = new ArrayList<>(List.of(raw, pool, durable));
      if (context.profile() == Profile.FULL) {
        ways.add(
            new Way(
                DURABLE_MACHINE,
                new SendWorkload(fixture, DURABLE_MACHINE, bodies(), Durability.MACHINE)));
      }
      preheat(context, ways);
      measure(context, FIXED, ways);
      if (context.profile() == Profile.FULL) {
        for (List<Way> compared : List.of(List.of(raw, pool), List.of(durable))) {
          for (Point point : capacities(context, compared)) {
            measure(context, point, compared);
          }
        }
      }
    }
  }

  /** At full speed: paced rounds alone compile too late. */
  private static void preheat(RunContext context, List<Way> ways) throws Exception {
    context.preheat(
        PREHEAT_PASSES,
        () -> {
          for (Way way : ways) {
            way.workload.capacityRound(context.scaled(PREHEAT_OPERATIONS), PREHEAT_IN_FLIGHT);
          }
        });
  }

  /** A path with its name. */
  private record Way(String path, Workload workload) {}

  private static Way way(ServiceFixture fixture, RequestPath path) throws InterruptedException {
    return new Way(path.toString(), RequestWorkload.on(fixture, path, bodies(), false, 1));
  }

  /** A rate with its name. */
  private record Point(String name, int perSec) {}

  /**
   * Parts of what the slowest of the paths can do in an open loop. Each path has a row of its own.
   */
  private static List<Point> capacities(RunContext context, List<Way> ways) throws Exception {
    long operations = context.scaled(CAPACITY_OPERATIONS);
    int inFlight = ClosedLoop.inFlight(Workload.MOST_IN_FLIGHT, operations);
    Rounds rounds = context.headlineRounds();
    for (Way way : ways) {
      // Its latencies are those of an overload: they cost what they cost at a set rate.
      Recording unused = Recording.singleWriter();
      rounds.add(() -> way.workload.capacityRound(operations, inFlight, unused));
    }
    List<Measurement> measured = rounds.measure(NAME + " capacity");
    double leastPerSec = Double.MAX_VALUE;
    for (int i = 0; i < ways.size(); i++) {
      Measurement measurement = measured.get(i);
      leastPerSec = Math.min(leastPerSec, measurement.opsPerSec().median());
      context.report(row(context, CAPACITY, ways.get(i), measurement).extra("inFlight", inFlight));
    }
    double perSec = leastPerSec;
    return CAPACITY_PERCENT.stream()
        .map(percent -> new Point("capacity-" + percent, (int) (perSec * percent / 100)))
        .toList();
  }

  private static Bodies bodies() {
    return Bodies.Kind.BUFFER.bodies(BYTES);
  }

  /** Measures paths at a rate side by side; the first one is the floor of the others. */
  private static void measure(RunContext context, Point point, List<Way> ways) throws Exception {
    double seconds = context.profile().pick(QUICK_ROUND_SECONDS, FULL_ROUND_SECONDS);
    long operations = context.paced(point.perSec, seconds);
    Rounds rounds =
        context.profile() == Profile.FULL ? context.rounds() : context.rounds(QUICK_ROUNDS);
    for (Way way : ways) {
      Recording recording = Recording.singleWriter();
      rounds.add(() -> way.workload.openRound(operations, point.perSec, recording), recording);
    }
    List<Measurement> measured = rounds.measure(NAME + " at " + point.perSec + "/s");
    Row floor = null;
    for (int i = 0; i < ways.size(); i++) {
      Row row = row(context, point.name, ways.get(i), measured.get(i));
      context.report(floor == null ? row : row.over(floor, "xRaw"));
      floor = floor == null ? row : floor;
    }
  }

  private static Row row(RunContext context, String caseName, Way way, Measurement measurement) {
    Row row =
        ServiceFixture.describe(context.row(measurement))
            .caseName(caseName)
            .path(way.path)
            .body(Bodies.Kind.BUFFER.toString())
            .payloadBytes(BYTES)
            .extra("inFlight", "as many as the rate makes")
            .extra("durability", durability(way))
            .extra("check", way.workload.bodies.describeCheck());
    return way.workload.service() == null ? row : row.workers(RequestPath.WORKERS);
  }

  private static String durability(Way way) {
    return switch (way.path) {
      case DURABLE -> "PROCESS";
      case DURABLE_MACHINE -> "MACHINE";
      default -> "none";
    };
  }
}
