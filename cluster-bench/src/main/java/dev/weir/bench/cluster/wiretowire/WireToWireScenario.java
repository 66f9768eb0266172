package dev.weir.bench.cluster.wiretowire;

import dev.weir.bench.Measurement;
import dev.weir.bench.Profile;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.cluster.floors.Floors;
import dev.weir.bench.cluster.injection.CarMessages;
import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.InjectionPlan;
import dev.weir.bench.cluster.injection.MessageLatencies;
import dev.weir.bench.cluster.injection.Messages;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.processor.ProcessorFactory;
import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.cluster.processor.ProcessorStarter;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.report.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The canonical test of a replicated processor: a message is received, handled, replicated,
 * persisted and replied to.
 */
public final class WireToWireScenario implements Scenario {
  static final String NAME = "wire-to-wire";

  /** Extra of a row: bytes that all threads allocate for a message. */
  static final String ALL_BYTES = "allocatedBytesPerMessage";

  /** Extra of a row: the same without the thread that only writes the log. */
  static final String OWN_BYTES = "processorAllocatedBytesPerMessage";

  /** Extra of a row: CPUs that the threads of the primary keep busy. */
  static final String CPUS = "busyCpus";

  /** Extra of a row: messages of a batch, the mean. */
  static final String PER_BATCH = "messagesPerBatch";

  private static final int ROUNDS = 3;
  private static final int PREHEAT_PASSES = 10;
  private static final long PREHEAT_REST_MS = 200;
  static final int RATE_PER_SEC = 10_000;
  static final int WINDOW = 8 << 10;

  private final ProcessorFactory factory;
  private final Floors floors;

  public WireToWireScenario(ProcessorFactory factory, Floors floors) {
    this.factory = factory;
    this.floors = floors;
  }

  @Override
  public About about() {
    return About.of(
        NAME,
        "A primary with a backup in a second process on this machine receives cars,"
            + " handles them, replicates them, persists them on both sides and replies. flush"
            + " os: a reply is sent when both members have handed the message to the operating"
            + " system. es: event sourcing. sr: state replication. latency: at "
            + RATE_PER_SEC
            + "/s, from the intended time. throughput: "
            + WINDOW
            + " requests without a reply at any time. Each is measured with a processor that is"
            + " optimized for it: for latency a message does not wait for the batch before it, for"
            + " throughput two large batches gather all that comes. for-latency, for-throughput:"
            + " with one that is optimized for the other. Every byte of every reply is checked."
            + " Engine only: the driver is inside the primary's process; a client outside is"
            + " measured by the scenario processor. xp50, xp99, xp99.9: over those of the round"
            + " trip that the transport makes. xFloor: throughput over that of JE with packets, if"
            + " nothing but the log took time.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    int cpus = Runtime.getRuntime().availableProcessors();
    List<WireToWireCase> cases =
        context.profile() == Profile.FULL ? WireToWireCase.all() : WireToWireCase.few();
    WireToWireTable table = new WireToWireTable();
    context.progress().begin(NAME, cases.size());
    for (WireToWireCase one : cases) {
      if (one.runsOn(cpus)) {
        measure(context, one, table);
      } else {
        table.addNotRun(one);
      }
      context.progress().step(one.toString());
    }
    context.progress().end();
    table.lines().forEach(context::note);
    ExcelTables.write(context.outputDir().resolve(NAME + ".xlsx"), table.tables());
    Files.write(
        context.outputDir().resolve(NAME + ".commands"),
        cases.stream().map(WireToWireCase::command).toList());
  }

  private void measure(RunContext context, WireToWireCase one, WireToWireTable table)
      throws Exception {
    Path logs = Files.createDirectories(context.outputDir().resolve("data"));
    ProcessorSetup setup = one.setup(logs);
    Messages messages = new CarMessages(one.encoding(), false, one.kind().odometer());
    boolean paced = one.measured() == OptimizeFor.LATENCY;
    long saturated = context.scaled(200_000, 500_000);
    long count = paced ? context.scaled(RATE_PER_SEC, 2L * RATE_PER_SEC) : saturated;
    try (ProcessorUnderTest processor = factory.open(setup)) {
      // Saturated: at the set rate, the JIT compilers of both processes would not finish in time.
      InjectionPlan warmUp = InjectionPlan.saturated(1, context.scaled(200_000), WINDOW);
      Rounds preheat = new Rounds(processor, messages, warmUp);
      context.preheat(
          PREHEAT_PASSES,
          () -> {
            preheat.run();
            // Load leaves the compilers no CPU.
            Thread.sleep(PREHEAT_REST_MS);
          });
      long next = preheat.plan.first();
      InjectionPlan plan =
          paced
              ? InjectionPlan.paced(next, count, RATE_PER_SEC)
              : InjectionPlan.saturated(next, count, WINDOW);
      report(context, one, setup, new Rounds(processor, messages, plan), table);
    }
  }

  /** Rounds one after the other on the same processor, whose message numbers continue. */
  private static final class Rounds {
    private final ProcessorUnderTest processor;
    private final Messages messages;
    private final MessageLatencies latencies = new MessageLatencies(0);
    private final Allocation allocation = new Allocation();
    private InjectionPlan plan;
    private long sent;
    private long batchesBefore;

    Rounds(ProcessorUnderTest processor, Messages messages, InjectionPlan plan) {
      this.processor = processor;
      this.messages = messages;
      this.plan = plan;
    }

    /** Forgets what the warm-up recorded. */
    void warm() {
      latencies.recording().reset();
      allocation.reset();
      sent = 0;
      batchesBefore = processor.batches();
    }

    RoundResult run() throws InterruptedException {
      Injection injection = new Injection(plan, messages, latencies);
      allocation.begin();
      RoundResult result = processor.run(injection);
      allocation.end(plan.count());
      sent += plan.count();
      plan = plan.next();
      return result;
    }

    double messagesPerBatch() {
      return sent / (double) Math.max(1, processor.batches() - batchesBefore);
    }
  }

  private void report(
      RunContext context,
      WireToWireCase one,
      ProcessorSetup setup,
      Rounds rounds,
      WireToWireTable table)
      throws Exception {
    Measurement measurement =
        context
            .rounds(ROUNDS)
            .add(rounds::run, rounds::warm)
            .recording(rounds.latencies.recording())
            .measure(one.toString())
            .get(0);
    Row row =
        context
            .row(measurement)
            .caseName(one.kind() + " " + one.measured())
            .path(one.transportName() + " " + one.threads())
            .body(one.encoding().toString())
            .flush("os")
            .extra("optimizedFor", one.optimize().toString())
            .extra("command", one.command())
            .extra(CPUS, setup.threads().primary().busyCpus())
            .extra(PER_BATCH, rounds.messagesPerBatch())
            .extra("threads", setup.threads().describe())
            .extra(ALL_BYTES, rounds.allocation.perMessage())
            .extra(OWN_BYTES, rounds.allocation.ofProcessorPerMessage())
            .extra("processes", 2)
            .extra("minInSync", 1)
            .extra("ackLevel", "persisted on both")
            .extra("childFlags", ProcessorStarter.backupFlags());
    String floor = one.measured() == OptimizeFor.LATENCY ? one.floor() : Floors.JE_PACKED;
    floors.row(floor).ifPresent(of -> row.over(of, "xFloor"));
    table.add(one, row);
    context.report(row);
  }
}
