package dev.weir.bench.eventbus.http;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** What the gateway and a bare server do for a client in a process of its own. */
public final class OutsideHttpScenario implements Scenario {
  static final String NAME = "http-outside";

  /** Setting: microseconds that the client wastes before each request, to see that this shows. */
  static final String BURN_US = "outside.burn.us";

  private static final List<String> CHILD_FLAGS =
      List.of("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
  private static final int CONNECTIONS = 64;
  private static final int WARM_UP_MS = 2_000;
  private static final int ROUND_MS = 2_000;
  private static final long CLOSE_TIMEOUT_MS = 10_000;
  private static final double NANOS_PER_MILLI = 1e6;

  /** What a request asks for, from the floor up. */
  enum Work {
    /** A bare Vert.x server answers. */
    BARE("bare", HttpBody.JSON, 200),
    /** A service gets the bytes. */
    BYTES("gateway", HttpBody.BINARY, 200),
    /** A service gets a JSON object. */
    JSON("gateway", HttpBody.JSON, 200),
    /** The gateway answers when the event is written to the operating system. */
    EVENT("gateway-events", HttpBody.BINARY, 202);

    private final String path;
    private final HttpBody body;
    private final int status;

    Work(String path, HttpBody body, int status) {
      this.path = path;
      this.body = body;
      this.status = status;
    }
  }

  @Override
  public boolean isHeadline() {
    return true;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return HttpCase.STATE_BYTES
        + " bytes over loopback HTTP/1.1 from a client in a process of its own: one thread, "
        + CONNECTIONS
        + " connections, one request at a time on each, no library. The servers share one"
        + " event loop. bare: a Vert.x HTTP server. gateway: the gateway and a service of "
        + RequestPath.WORKERS
        + " workers. gateway-events: accepted with durability PROCESS. xBare: median over"
        + " that of bare. "
        + Doubts.CLIENT_PERCENT
        + ": share of the time in which the client did not wait for answers; above "
        + Math.round(Doubts.MOST_CLIENT_PERCENT)
        + " the client is the bottleneck, and the row is SUSPECT. Rounds of "
        + ROUND_MS
        + " ms after "
        + WARM_UP_MS
        + " ms of warm-up.";
  }

  @Override
  public void run(RunContext context) throws Exception {
    context.progress().begin(NAME, Work.values().length);
    Row bare = null;
    int burnUs = context.option(BURN_US).map(Integer::parseInt).orElse(0);
    for (Work work : Work.values()) {
      Row row = measure(context, work, burnUs);
      bare = bare == null ? row : bare;
      context.report(row == bare ? row : row.over(bare, "xBare"));
      context.progress().step(work.toString());
    }
    context.progress().end();
  }

  private static Row measure(RunContext context, Work work, int burnUs) throws Exception {
    try (HttpFixture fixture = HttpFixture.on(ServiceFixture.open(context))) {
      AtomicLong arrived = new AtomicLong();
      String address = "outside";
      HttpCase httpCase = new HttpCase(HttpProtocol.HTTP1, work.body, false, HttpCase.STATE_BYTES);
      HttpServer server = bare(fixture, httpCase, arrived);
      Service service = service(fixture, address, arrived);
      String path = httpCase.protocol().path(address) + (work == Work.EVENT ? "/events" : "");
      int port = work == Work.BARE ? server.actualPort() : fixture.gatewayPort();
      JsonObject plan =
          OutsideClientMain.plan(port, path, work.body, httpCase.bytes(), work.status);
      Row row = run(context, plan.put("burnUs", burnUs), work, arrived);
      ServiceFixture.await(service.close(CLOSE_TIMEOUT_MS));
      ServiceFixture.await(server.close());
      return row;
    }
  }

  private static HttpServer bare(HttpFixture fixture, HttpCase httpCase, AtomicLong arrived)
      throws InterruptedException {
    return ServiceFixture.await(
        ServiceFixture.call(
            fixture.server(),
            () ->
                BareServer.listen(
                    fixture.fixture().vertx(), httpCase, body -> arrived.incrementAndGet())));
  }

  private static Service service(HttpFixture fixture, String address, AtomicLong arrived)
      throws InterruptedException {
    return fixture
        .fixture()
        .serve(
            fixture.server(),
            address,
            new ServiceOptions().setWorkers(RequestPath.WORKERS),
            message -> {
              arrived.incrementAndGet();
              return Future.succeededFuture(Boolean.TRUE);
            });
  }

  private static Row run(RunContext context, JsonObject plan, Work work, AtomicLong arrived)
      throws Exception {
    int rounds = context.profile().pick(3, 5);
    plan.put("connections", CONNECTIONS)
        .put("rounds", rounds)
        .put("warmUpMs", context.scaled(WARM_UP_MS))
        .put("roundMs", context.scaled(ROUND_MS));
    List<JsonObject> results = new CopyOnWriteArrayList<>();
    ChildJvm.Outcome outcome;
    try (ChildJvm client =
        ChildJvm.start(
            List.of(),
            CHILD_FLAGS,
            OutsideClientMain.class,
            List.of(plan.encode()),
            line -> keep(line, results))) {
      outcome = client.await(Duration.ofMinutes(5));
    }
    Verdict verdict =
        Verdict.ok()
            .unless(outcome.exitCode() == 0, outcome.describe())
            .unless(results.size() == rounds, "rounds " + results.size() + " of " + rounds);
    Row row =
        context
            .row()
            .caseName("http1-one-way")
            .path(work.path)
            .body(work.body.toString())
            .payloadBytes(HttpCase.STATE_BYTES)
            .inFlight(CONNECTIONS)
            .rounds(rounds)
            .verdict(verdict);
    if (verdict.failed()) {
      return row;
    }
    long all = outcome.line(OutsideClientMain.ALL).map(Long::parseLong).orElse(-1L);
    awaitHandled(arrived, all);
    return figures(row, results)
        .and(Verdict.ok().unless(arrived.get() == all, "arrived " + arrived + " of " + all))
        .extra("durability", work == Work.EVENT ? "PROCESS" : "none: requests need none");
  }

  /** Events are answered before they are handled. */
  private static void awaitHandled(AtomicLong arrived, long all) throws InterruptedException {
    long endNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (arrived.get() < all && System.nanoTime() - endNs < 0) {
      Thread.sleep(1);
    }
  }

  private static void keep(String line, List<JsonObject> results) {
    if (line.startsWith(OutsideClientMain.ROUND + " ")) {
      results.add(new JsonObject(line.substring(OutsideClientMain.ROUND.length() + 1)));
    }
  }

  /** Fills in what the client has measured in its rounds. */
  static Row figures(Row row, List<JsonObject> results) {
    double[] perSec = new double[results.size()];
    long cpuNs = 0;
    long idleNs = 0;
    long elapsedNs = 0;
    Verdict verdict = Verdict.ok();
    for (int i = 0; i < perSec.length; i++) {
      JsonObject round = results.get(i);
      long failed = round.getLong("failed");
      verdict = verdict.unless(failed == 0, failed + " failed: " + round.getString("firstFailure"));
      perSec[i] = (round.getLong("requests") - failed) * 1e9 / round.getLong("elapsedNs");
      cpuNs += round.getLong("cpuNs");
      idleNs += round.getLong("idleNs");
      elapsedNs += round.getLong("elapsedNs");
    }
    return row.opsPerSec(Spread.of(perSec))
        .column("client", "outside")
        .column(Doubts.CLIENT_PERCENT, 100.0 * (elapsedNs - idleNs) / elapsedNs)
        .extra("clientCpu%", 100.0 * cpuNs / elapsedNs)
        .extra("loop", RoundResult.CLOSED)
        .extra(Doubts.MEASURED_MS, elapsedNs / NANOS_PER_MILLI)
        .extra("check", "status of every answer; count at the service")
        .extra("transport", "loopback TCP")
        .extra("processes", 2)
        .extra("childFlags", CHILD_FLAGS)
        .and(verdict);
  }
}
