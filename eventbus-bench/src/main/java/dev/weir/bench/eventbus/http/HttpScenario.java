package dev.weir.bench.eventbus.http;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.report.Row;
import java.util.List;

/** Requests over HTTP through the gateway, beside a bare Vert.x server. */
public final class HttpScenario implements Scenario {
  static final String NAME = "http";

  private static final int PREHEAT_PASSES = 12;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "Requests over loopback HTTP. One-way requests are answered with the JSON value"
            + " true, two-way requests with the body. bare: a Vert.x HTTP server that reads the"
            + " body and answers with the same bytes. gateway: the gateway and a service of "
            + RequestPath.WORKERS
            + " workers, whose handler gets JSON as an object. All run in one JVM: the client"
            + " has one event loop; gateway, service and bare server share another. http1:"
            + " HTTP/1.1 with a kept connection for each request in flight. http2 and"
            + " websocket: one connection. Rounds of bare and gateway take turns, with the same"
            + " client. xBare: median over that of bare. client us, server us: CPU time of the"
            + " two event loops for a request. The one that takes more is the bottleneck. The"
            + " client in the JVM takes as much as a server: "
            + OutsideHttpScenario.NAME
            + " measures what a server can do.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    try (HttpFixture fixture = HttpFixture.on(ServiceFixture.open(context))) {
      preheat(context, fixture);
      for (HttpCase httpCase : HttpCase.all(context.profile())) {
        measure(context, fixture, httpCase);
      }
    }
  }

  /**
   * Lets the JIT compilers see all protocols, so that the first case is not slower than the others.
   */
  private static void preheat(RunContext context, HttpFixture fixture) throws Exception {
    context.note(
        context.preheat(PREHEAT_PASSES, () -> oneRoundOfEachState(context, fixture)).note());
  }

  private static void oneRoundOfEachState(RunContext context, HttpFixture fixture)
      throws InterruptedException {
    for (HttpCase httpCase : HttpCase.states()) {
      for (HttpPath path : HttpPath.values()) {
        try (HttpWorkload workload = new HttpWorkload(fixture, path, httpCase)) {
          workload.meteredRound(operations(context, httpCase));
        }
      }
    }
  }

  private static long operations(RunContext context, HttpCase httpCase) {
    return context.scaled(httpCase.operations(context.profile()));
  }

  /** Measures both paths side by side. */
  private static void measure(RunContext context, HttpFixture fixture, HttpCase httpCase)
      throws Exception {
    long operations = operations(context, httpCase);
    try (HttpWorkload bare = new HttpWorkload(fixture, HttpPath.BARE, httpCase);
        HttpWorkload gateway = new HttpWorkload(fixture, HttpPath.GATEWAY, httpCase)) {
      List<Measurement> measured =
          context
              .rounds(httpCase.rounds(context.profile()))
              .add(() -> bare.meteredRound(operations), bare::warm)
              .add(() -> gateway.meteredRound(operations), gateway::warm)
              .measure(
                  String.join(
                      " ", NAME, httpCase.label(), httpCase.body() + "", httpCase.bytes() + ""));
      HttpResult floor =
          new HttpResult(httpCase, HttpPath.BARE, measured.get(0).opsPerSec(), bare.share(), null);
      HttpResult result =
          new HttpResult(
              httpCase, HttpPath.GATEWAY, measured.get(1).opsPerSec(), gateway.share(), floor);
      report(context, floor, bare, measured.get(0));
      report(context, result, gateway, measured.get(1));
      if (httpCase.isXenons()) {
        context.note(result.bound());
      }
    }
  }

  private static void report(
      RunContext context, HttpResult result, HttpWorkload workload, Measurement measurement) {
    Row row = result.addTo(context.row(measurement), workload);
    long operations = measurement.operations();
    row.inFlight(ClosedLoop.inFlight(result.httpCase().inFlight(), operations));
    context.report(HttpFixture.describe(row));
  }
}
