package dev.weir.bench.cluster.floors;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.cluster.injection.CarMessages;
import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.InjectionPlan;
import dev.weir.bench.cluster.injection.Kind;
import dev.weir.bench.cluster.injection.Loopback;
import dev.weir.bench.cluster.injection.Messages;
import dev.weir.bench.cluster.injection.WireToWire;
import dev.weir.bench.cluster.options.Settings;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.Verdict;
import dev.weir.processor.Encoding;

/** What the parts can do without a cluster around them: no figure of a processor can be better. */
public final class FloorsScenario implements Scenario {
  static final String NAME = "floors";

  /** Size of each message of the transports. */
  static final int BYTES = 200;

  /** Where a rate is kept. */
  static final int RATE_PER_SEC = 10_000;

  private static final int ROUNDS = 3;
  private static final int WINDOW = 64;

  private final Floors floors;

  public FloorsScenario(Floors floors) {
    this.floors = floors;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "what the parts can do alone. handler: a car is encoded, handled and its reply checked"
        + " on one thread, no cluster. tcp: "
        + BYTES
        + " bytes to a second process and back, both ends polling without pause (spinning) or both"
        + " waiting in the kernel (blocking: one thread sends, one reads). hazelcast: one"
        + " EntryProcessor with a synchronous backup in a second process, one caller that waits"
        + " (blocking) or at a rate. je: a record of 250 bytes and a commit to the operating system"
        + " each. paced: at "
        + RATE_PER_SEC
        + "/s, latency from the intended time, and a rate that is not kept fails nothing; otherwise"
        + " one message follows the other";
  }

  @Override
  public void run(RunContext context) throws Exception {
    Settings settings = Settings.of(context);
    for (Encoding encoding : Encoding.values()) {
      handler(context, settings, encoding);
    }
    new TcpFloor(context, settings, floors).run();
    new HazelcastFloor(context, settings, floors).run();
    new JeFloor(context, settings).run();
  }

  private static void handler(RunContext context, Settings settings, Encoding encoding)
      throws Exception {
    long count = settings.scaled(context.profile().pick(200_000L, 2_000_000L));
    WireToWire latencies = new WireToWire(0);
    Messages messages = new CarMessages(encoding, false, Kind.ES.odometer());
    InjectionPlan plan = InjectionPlan.saturated(1, count, WINDOW);
    Measurement measurement =
        context
            .rounds(ROUNDS)
            .measure(
                "handler " + encoding,
                () ->
                    new Injection(plan, messages, latencies).run(new Loopback(Kind.ES, encoding)));
    context.report(
        settings
            .addTo(
                context
                    .row(measurement)
                    .caseName("handler")
                    .path("loopback")
                    .body(encoding.toString())
                    .inFlight(WINDOW))
            .build());
  }

  /** A floor that cannot keep the rate is a figure as well: it is told, and fails nothing. */
  public static RoundResult withoutPace(RoundResult result) {
    Verdict verdict = result.tally().verdict();
    return new RoundResult(
        result.loop(), result.tally(), result.elapsedNs(), result.pace(), verdict);
  }
}
