package dev.weir.bench.eventbus.latency;

import dev.weir.bench.Measurement;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Response times at fixed rates that the machine holds easily. */
public final class LatencyScenario implements Scenario {
  static final String NAME = "latency";

  private static final int BYTES = 256;
  private static final String DURABLE = "durable";
  private static final int[] QUICK_RATES = {20_000};
  private static final int[] FULL_RATES = {5_000, 20_000, 50_000};

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
        + " bytes and is answered with true. raw-bus: a plain consumer. memory: a pool."
        + " durable: until a one-way message is accepted with durability PROCESS, while its"
        + " service handles messages. A pacing thread makes the operations, so each one"
        + " crosses to the sender's event loop first. xp50, xp99, xp99.9: over those of raw-bus"
        + " at the same rate.";
  }

  @Override
  public void run(RunContext context) throws Exception {
    try (ServiceFixture fixture = ServiceFixture.open(context)) {
      Map<Integer, Row> bare = new HashMap<>();
      for (RequestPath path : List.of(RequestPath.RAW_BUS, RequestPath.MEMORY)) {
        Workload workload = RequestWorkload.on(fixture, path, bodies(), false, 1);
        measure(context, path.toString(), workload, bare);
      }
      Workload workload = new SendWorkload(fixture, DURABLE, bodies(), Durability.PROCESS);
      measure(context, DURABLE, workload, bare);
    }
  }

  private static Bodies bodies() {
    return Bodies.Kind.BUFFER.bodies(BYTES);
  }

  /**
   * Measures all rates.
   *
   * @param bare the rows of the bare bus by rate, empty while it is measured itself
   */
  private static void measure(
      RunContext context, String path, Workload workload, Map<Integer, Row> bare) throws Exception {
    workload.closedRound(context.scaled(PREHEAT_OPERATIONS), PREHEAT_IN_FLIGHT);
    for (int rate : context.profile().pick(QUICK_RATES, FULL_RATES)) {
      Measurement measurement =
          workload.measurePaced(
              context,
              NAME + " " + path + " at " + rate + "/s",
              Recording.singleWriter(),
              context.profile().pick(2, 3),
              rate);
      Row row =
          ServiceFixture.describe(context.row(measurement))
              .caseName(rate + "-per-s")
              .path(path)
              .body(Bodies.Kind.BUFFER.toString())
              .payloadBytes(BYTES)
              .extra("inFlight", "as many as the rate makes")
              .extra("durability", path.equals(DURABLE) ? "PROCESS" : "none")
              .extra("check", workload.bodies.describeCheck());
      Row floor = bare.putIfAbsent(rate, row);
      context.report(floor == null ? row : row.workers(RequestPath.WORKERS).over(floor, "xRaw"));
    }
  }
}
