package dev.weir.bench.eventbus.http;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import java.util.List;

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
            + " gateway: the gateway and a service. Their rounds take turns. A pacing thread makes the operations, so"
            + " each one crosses to the client's event loop first.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    try (HttpFixture fixture = HttpFixture.on(ServiceFixture.open(context))) {
      measure(context, fixture);
    }
  }

  private static void measure(RunContext context, HttpFixture fixture) throws Exception {
    HttpCase state = HttpCase.states().get(0);
    try (HttpWorkload bare = new HttpWorkload(fixture, HttpPath.BARE, state);
        HttpWorkload gateway = new HttpWorkload(fixture, HttpPath.GATEWAY, state)) {
      // At full speed: paced rounds alone compile too late.
      long preheat = context.scaled(PREHEAT_OPERATIONS);
      context.preheat(
          PREHEAT_PASSES,
          () -> {
            bare.capacityRound(preheat, state.inFlight());
            gateway.capacityRound(preheat, state.inFlight());
          });
      long operations = context.paced(RATE_PER_SEC, context.profile().pick(2, 5));
      Recording ofBare = Recording.singleWriter();
      Recording ofGateway = Recording.singleWriter();
      List<Measurement> measured =
          context
              .rounds(context.profile().pick(2, 3))
              .add(() -> bare.openRound(operations, RATE_PER_SEC, ofBare), ofBare)
              .add(() -> gateway.openRound(operations, RATE_PER_SEC, ofGateway), ofGateway)
              .measure(NAME + " at " + RATE_PER_SEC + "/s");
      report(context, state, HttpPath.BARE, bare, measured.get(0));
      report(context, state, HttpPath.GATEWAY, gateway, measured.get(1));
    }
  }

  private static void report(
      RunContext context,
      HttpCase state,
      HttpPath path,
      HttpWorkload workload,
      Measurement measurement) {
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
