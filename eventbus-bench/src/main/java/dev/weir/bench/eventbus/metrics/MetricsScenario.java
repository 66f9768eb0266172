package dev.weir.bench.eventbus.metrics;

import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.RequestWorkload;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.eventbus.rpc.RpcCase;
import dev.weir.bench.eventbus.rpc.RpcScenario;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.metrics.MetricsFormat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The cost of metrics: the same requests with and without them, side by side. */
public final class MetricsScenario implements Scenario {
  static final String NAME = "metrics";

  private static final RpcCase CASE = new RpcCase(false, 0);
  private static final RequestPath PATH = RequestPath.MEMORY;
  private static final int ROUNDS = 10;
  private static final int PREHEAT_PASSES = 10;
  private static final long QUICK_OPERATIONS = 200_000;
  private static final long FULL_OPERATIONS = 2_000_000;

  /** Messages at the end of a round that the histogram counts only with the next timed message. */
  private static final int NOT_YET_COUNTED = 16;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "One-way requests through the memory tier, as in "
            + RpcScenario.NAME
            + ". off: without metrics. on: with the metrics of Weir, Vert.x and the JVM. A"
            + " scraper reads all of them in the format of Prometheus when a round begins and"
            + " every second after that. Rounds of both take turns, each with a Vert.x of its"
            + " own. xOff: median over that without metrics.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    long operations = context.scaled(QUICK_OPERATIONS, FULL_OPERATIONS);
    int inFlight = ClosedLoop.inFlight(CASE.inFlight(), operations);
    try (Metrics metrics = Metrics.create();
        ServiceFixture without = ServiceFixture.open(context);
        ServiceFixture with = ServiceFixture.open(context, metrics);
        Scraper scraper = new Scraper(metrics)) {
      RequestWorkload off = open(without);
      RequestWorkload on = open(with);
      long once = Math.min(operations, context.scaled(QUICK_OPERATIONS));
      context.preheat(
          PREHEAT_PASSES,
          () -> {
            off.closedRound(once, inFlight);
            scraper.during(() -> on.closedRound(once, inFlight));
          });
      List<Measurement> measured =
          context
              .rounds(ROUNDS)
              .add(() -> off.closedRound(operations, inFlight))
              .add(() -> scraper.during(() -> on.closedRound(operations, inFlight)))
              .measure(NAME);
      Spread floor = measured.get(0).opsPerSec();
      context.report(row(context, "off", measured.get(0), floor, off, inFlight));
      Row row = row(context, "on", measured.get(1), floor, on, inFlight);
      context.report(
          row.and(counted(metrics, on.stats().accepted()))
              .extra("scrapes", scraper.scrapes())
              .extra("scrapeBytes", scraper.lastBytes()));
    }
  }

  private static RequestWorkload open(ServiceFixture fixture) throws InterruptedException {
    Bodies bodies = Bodies.Kind.BUFFER.bodies(CASE.bytes());
    return RequestWorkload.on(fixture, PATH, bodies, CASE.twoWay(), CASE.turns());
  }

  private static Verdict counted(Metrics metrics, long sent) {
    long timed = metrics.handling(PATH.toString()).messages();
    return Verdict.ok()
        .unless(timed <= sent && timed > sent - NOT_YET_COUNTED, "histogram has " + timed)
        .in("metrics after " + sent + " messages");
  }

  private static Row row(
      RunContext context,
      String which,
      Measurement measurement,
      Spread floor,
      RequestWorkload workload,
      int inFlight) {
    Spread ratio = measurement.opsPerSec().over(floor);
    return ServiceFixture.describe(context.row(measurement))
        .caseName(which)
        .path(PATH.toString())
        .body(Bodies.Kind.BUFFER.toString())
        .payloadBytes(CASE.bytes())
        .inFlight(inFlight)
        .workers(RequestPath.WORKERS)
        .ratio("xOff", ratio)
        .extra("ratioToOff", ratio.median())
        .extra("bodyIs", workload.bodies.describe())
        .extra("check", workload.bodies.describeCheck() + "; each once and in order at the service")
        .extra("durability", "none: requests need none")
        .extra("handler", workload.describeHandler());
  }

  /** Reads all metrics as a Prometheus server does, on a thread of its own. */
  private static final class Scraper implements AutoCloseable {
    private final Metrics metrics;
    private final ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "bench-scraper"));
    private volatile int scrapes;
    private volatile int lastBytes;

    Scraper(Metrics metrics) {
      this.metrics = metrics;
    }

    /** Scrapes when the round begins, and every second until it ends. */
    RoundResult during(Rounds.Round round) throws Exception {
      Future<?> scraping = thread.scheduleAtFixedRate(this::scrape, 0, 1, TimeUnit.SECONDS);
      try {
        return round.run();
      } finally {
        scraping.cancel(false);
      }
    }

    private void scrape() {
      lastBytes = metrics.scrape(MetricsFormat.PROMETHEUS_TEXT).length();
      scrapes++;
    }

    int scrapes() {
      return scrapes;
    }

    int lastBytes() {
      return lastBytes;
    }

    @Override
    public void close() {
      thread.shutdown();
    }
  }
}
