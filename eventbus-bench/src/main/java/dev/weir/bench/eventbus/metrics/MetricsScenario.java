package dev.weir.bench.eventbus.metrics;

import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.LoopTurns;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.RequestWorkload;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.eventbus.fixture.Settings;
import dev.weir.bench.eventbus.rpc.RpcCase;
import dev.weir.bench.eventbus.rpc.RpcScenario;
import dev.weir.bench.Interleaved;
import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.report.RowBuilder;
import dev.weir.bench.verify.Verdict;
import dev.weir.gateway.metrics.Metrics;
import io.vertx.core.internal.ContextInternal;
import java.util.List;

/** What metrics cost: the same requests with and without them, side by side. */
final class MetricsScenario implements Scenario {
  static final String NAME = "metrics";

  private static final RpcCase CASE = new RpcCase(false, 0);
  private static final RequestPath PATH = RequestPath.MEMORY;
  private static final int ROUNDS = 20;
  private static final int WARM_UPS = 3;
  private static final long QUICK_OPERATIONS = 200_000;
  private static final long FULL_OPERATIONS = 2_000_000;

  /** The last of them are counted with the message that is timed next. */
  private static final int NOT_YET_COUNTED = 16;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "one-way requests through the memory tier, as in "
        + RpcScenario.NAME
        + ". off: without metrics; on: with the metrics of Weir, Vert.x and the JVM, all of them"
        + " written out for Prometheus at the beginning of each round and every second from there."
        + " Rounds of both are interleaved, each with a Vert.x of its own. xOff: median over that"
        + " without";
  }

  @Override
  public void run(RunContext context) throws Exception {
    Settings settings = Settings.of(context);
    long operations = settings.scaled(context.profile().pick(QUICK_OPERATIONS, FULL_OPERATIONS));
    int inFlight = Settings.inFlight(CASE.inFlight(), operations);
    try (Metrics metrics = Metrics.create();
        ServiceFixture without = ServiceFixture.open(context);
        ServiceFixture with = ServiceFixture.open(context, metrics);
        Scraper scraper = new Scraper(metrics)) {
      RequestWorkload off = open(without, settings);
      RequestWorkload on = open(with, settings);
      List<Measurement> measured =
          new Interleaved(WARM_UPS, ROUNDS, context.progress())
              .add(() -> off.closedRound(operations, inFlight), () -> {})
              .add(() -> scraper.during(() -> on.closedRound(operations, inFlight)), () -> {})
              .measure(NAME);
      double floor = measured.get(0).opsPerSec().median();
      context.report(row(context, settings, "off", measured.get(0), floor, off, inFlight).build());
      RowBuilder row = row(context, settings, "on", measured.get(1), floor, on, inFlight);
      context.report(
          row.and(counted(metrics, operations * (WARM_UPS + ROUNDS)))
              .extra("scrapes", scraper.scrapes())
              .extra("scrapeBytes", scraper.lastBytes())
              .build());
    }
  }

  private static RequestWorkload open(ServiceFixture fixture, Settings settings) throws InterruptedException {
    ContextInternal receiver = fixture.receiver(settings.loops());
    return new RequestWorkload(
        fixture,
        fixture.sender(),
        receiver,
        PATH,
        PATH.toString(),
        Bodies.Kind.BUFFER.bodies(CASE.bytes()),
        CASE.twoWay(),
        new LoopTurns(receiver, CASE.turns()));
  }

  private static Verdict counted(Metrics metrics, long sent) {
    long timed = metrics.handling(PATH.toString()).messages();
    return Verdict.ok()
        .unless(timed <= sent && timed > sent - NOT_YET_COUNTED, "histogram has " + timed)
        .in("metrics after " + sent + " messages");
  }

  private static RowBuilder row(
      RunContext context,
      Settings settings,
      String which,
      Measurement measurement,
      double floor,
      RequestWorkload workload,
      int inFlight) {
    double ratio = measurement.opsPerSec().median() / floor;
    return settings
        .addTo(context.row(measurement))
        .caseName(which)
        .path(PATH.toString())
        .body(Bodies.Kind.BUFFER.toString())
        .payloadBytes(CASE.bytes())
        .inFlight(inFlight)
        .workers(RequestPath.WORKERS)
        .column("xOff", ratio)
        .extra("ratioToOff", ratio)
        .extra("bodyIs", workload.bodies.describe())
        .extra("check", workload.bodies.describeCheck() + "; each once and in order at the service")
        .extra("durability", "none: requests need none")
        .extra("handler", workload.describeHandler());
  }
}
