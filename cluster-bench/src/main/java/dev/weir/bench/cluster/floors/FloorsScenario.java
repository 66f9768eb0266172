package dev.weir.bench.cluster.floors;

import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.injection.CarMessages;
import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.InjectionPlan;
import dev.weir.bench.cluster.injection.Loopback;
import dev.weir.bench.cluster.injection.MessageLatencies;
import dev.weir.bench.cluster.injection.Messages;
import dev.weir.processor.Encoding;
import java.util.List;

/** Measures the parts of a processor alone, as warm as the processors. */
public final class FloorsScenario implements Scenario {
  static final String NAME = "floors";

  /** Size of each message of the transports. */
  static final int BYTES = 200;

  /** Where a rate is kept. */
  static final int RATE_PER_SEC = 10_000;

  /** Seconds of a round at that rate: enough for p99.9. */
  private static final double PACED_S = 2;

  private static final int WINDOW = 64;

  private final Floors floors;

  public FloorsScenario(Floors floors) {
    this.floors = floors;
  }

  @Override
  public About about() {
    return About.of(
        NAME,
        "The parts of a processor alone. handler: one thread encodes a car, handles it"
            + " and checks the reply, without a cluster. tcp: "
            + BYTES
            + " bytes to a second process and back. spinning: both ends poll without pause."
            + " blocking: both ends wait in the kernel; one thread sends, another reads. hazelcast:"
            + " one EntryProcessor with a synchronous backup in a second process; one caller waits"
            + " (blocking) or calls at a rate. je: one thread writes records of 250 bytes; append:"
            + " a commit to the operating system for each; append-packed: one for "
            + JeFloor.PACKED
            + " of them, as a processor does under load. paced: at "
            + RATE_PER_SEC
            + "/s, latency from the intended time. A missed rate is marked. All others"
            + " wait for a reply before the next message.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    List<Encoding> encodings = List.of(Encoding.SBE_DIRECT, Encoding.SBE_INDIRECT);
    for (Encoding encoding : context.profile().pick(encodings, List.of(Encoding.values()))) {
      handler(context, encoding);
    }
    new TcpFloor(context, floors).run();
    new HazelcastFloor(context, floors).run();
    new JeFloor(context, floors).run();
  }

  /** Operations of a round at the rate. */
  static long paced(RunContext context) {
    return context.scaled(RATE_PER_SEC, Math.round(PACED_S * RATE_PER_SEC));
  }

  private static void handler(RunContext context, Encoding encoding) throws Exception {
    long count = context.scaled(200_000L, 1_000_000L);
    MessageLatencies latencies = new MessageLatencies(0);
    Messages messages = new CarMessages(encoding, false, Kind.ES.odometer());
    InjectionPlan plan = InjectionPlan.saturated(1, count, WINDOW);
    Rounds.Round round =
        () -> new Injection(plan, messages, latencies).run(new Loopback(Kind.ES, encoding));
    context.preheat(Floors.PREHEAT_PASSES, round::run);
    Measurement measurement = context.rounds(Floors.ROUNDS).measure("handler " + encoding, round);
    context.report(
        context
            .row(measurement)
            .caseName("handler")
            .path("loopback")
            .body(encoding.toString())
            .inFlight(WINDOW));
  }
}
