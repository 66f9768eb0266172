package dev.weir.bench.eventbus.latency;

import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.LoopTurns;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.RequestWorkload;
import dev.weir.bench.eventbus.fixture.SendWorkload;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.eventbus.fixture.Settings;
import dev.weir.bench.eventbus.fixture.Workload;
import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.RowBuilder;
import dev.weir.queue.Durability;
import io.vertx.core.internal.ContextInternal;

/** Response times at fixed rates that the machine holds easily. */
final class LatencyScenario implements Scenario {
  static final String NAME = "latency";

  private static final int BYTES = 256;
  private static final String DURABLE = "durable";
  private static final int[] QUICK_RATES = {5_000, 20_000};
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
    return "response times at a fixed rate, from the intended send time, a request of "
        + BYTES
        + " bytes answered with true. raw-bus: a plain consumer; memory: a pool; durable: until a"
        + " one-way message is accepted with durability PROCESS, its service working beside."
        + " Operations come from a pacing thread, so each crosses to the sender's event loop first";
  }

  @Override
  public void run(RunContext context) throws Exception {
    Settings settings = Settings.of(context);
    try (ServiceFixture fixture = ServiceFixture.open(context)) {
      ContextInternal sender = fixture.sender();
      ContextInternal receiver = fixture.receiver(settings.loops());
      RequestPath[] paths = {RequestPath.RAW_BUS, RequestPath.MEMORY};
      for (RequestPath path : paths) {
        Workload workload =
            new RequestWorkload(
                fixture,
                sender,
                receiver,
                path,
                path.toString(),
                bodies(),
                false,
                new LoopTurns(receiver, 1));
        measure(context, settings, path.toString(), workload, path.hasPool());
      }
      Workload workload = new SendWorkload(fixture, sender, receiver, DURABLE, bodies(), Durability.PROCESS);
      measure(context, settings, DURABLE, workload, true);
    }
  }

  private static Bodies bodies() {
    return Bodies.Kind.BUFFER.bodies(BYTES);
  }

  private static void measure(
      RunContext context, Settings settings, String path, Workload workload, boolean pool)
      throws Exception {
    workload.closedRound(settings.scaled(PREHEAT_OPERATIONS), PREHEAT_IN_FLIGHT);
    for (int rate : context.profile().pick(QUICK_RATES, FULL_RATES)) {
      long operations = settings.paced(rate, context.profile().pick(2, 10));
      Recording recording = Recording.singleWriter();
      Measurement measurement =
          context
              .rounds(context.profile().pick(1, 3))
              .recording(recording)
              .measure(
                  NAME + " " + path + " at " + rate + "/s",
                  () -> workload.openRound(operations, rate, recording));
      RowBuilder row =
          settings
              .addTo(context.row(measurement))
              .caseName(rate + "-per-s")
              .path(path)
              .body(Bodies.Kind.BUFFER.toString())
              .payloadBytes(BYTES)
              .extra("inFlight", "as many as the rate makes")
              .extra("durability", path.equals(DURABLE) ? "PROCESS" : "none")
              .extra("check", workload.bodies.describeCheck());
      context.report(pool ? row.workers(RequestPath.WORKERS).build() : row.build());
    }
  }
}
