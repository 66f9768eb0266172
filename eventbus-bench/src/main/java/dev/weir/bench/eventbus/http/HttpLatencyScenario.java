package dev.weir.bench.eventbus.http;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;

/** Response times over HTTP at a fixed rate that the machine holds easily. */
public final class HttpLatencyScenario implements Scenario {
  static final String NAME = "http-latency";

  private static final int RATE_PER_SEC = 5_000;

  private static final int PREHEAT_PASSES = 12;
  private static final int PREHEAT_OPERATIONS = 10_000;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "Response times at a fixed rate, from the intended send time, of the first case"
            + " of "
            + HttpScenario.NAME
            + ": "
            + HttpCase.STATE_BYTES
            + " bytes of JSON over HTTP/1.1, answered with true. bare: a Vert.x HTTP server."
            + " gateway: the gateway and a service. A pacing thread makes the operations, so"
            + " each one crosses to the client's event loop first.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    try (HttpFixture fixture = HttpFixture.on(ServiceFixture.open(context))) {
      for (HttpPath path : HttpPath.values()) {
        measure(context, fixture, path);
      }
    }
  }

  private static void measure(RunContext context, HttpFixture fixture, HttpPath path)
      throws Exception {
    HttpCase state = HttpCase.states().get(0);
    try (HttpWorkload workload = new HttpWorkload(fixture, path, state)) {
      // At full speed: paced rounds alone compile too late.
      context.preheat(
          PREHEAT_PASSES,
          () -> workload.capacityRound(context.scaled(PREHEAT_OPERATIONS), state.inFlight()));
      Measurement measurement =
          workload.measurePaced(
              context,
              NAME + " " + path + " at " + RATE_PER_SEC + "/s",
              Recording.singleWriter(),
              context.profile().pick(2, 3),
              RATE_PER_SEC);
      Row row =
          context
              .row(measurement)
              .caseName(RATE_PER_SEC + "-per-s")
              .path(path.toString())
              .body(state.body().toString())
              .payloadBytes(state.bytes())
              .extra("inFlight", "as many as the rate makes")
              .extra("check", workload.bodies.describeCheck())
              .extra("protocol", state.protocol().describe(state.inFlight()));
      context.report(HttpFixture.describe(row));
    }
  }
}
