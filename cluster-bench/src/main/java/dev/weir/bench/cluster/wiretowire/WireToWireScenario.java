package dev.weir.bench.cluster.wiretowire;

import dev.weir.bench.Measurement;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.cluster.floors.Floors;
import dev.weir.bench.cluster.floors.FloorsScenario;
import dev.weir.bench.cluster.injection.CarMessages;
import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.InjectionPlan;
import dev.weir.bench.cluster.injection.Kind;
import dev.weir.bench.cluster.injection.Messages;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.injection.WireToWire;
import dev.weir.bench.cluster.options.Names;
import dev.weir.bench.cluster.options.ProcessorOptions;
import dev.weir.bench.cluster.options.Settings;
import dev.weir.bench.cluster.processor.ProcessorFactory;
import dev.weir.bench.cluster.program.ProcessorProgram;
import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.threads.ThreadPlan;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.Usage;
import dev.weir.bench.report.Row;
import dev.weir.cluster.Replication;
import dev.weir.processor.Encoding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** The canonical test: receive, process, replicate and persist, consensus, send. */
public final class WireToWireScenario implements Scenario {
  static final String NAME = "wire-to-wire";

  /** Extras of a row: allocated for each message by all threads, and without the log's writer. */
  static final String ALL_BYTES = "allocatedBytesPerMessage";

  static final String OWN_BYTES = "processorAllocatedBytesPerMessage";

  private static final int ROUNDS = 3;
  private static final int RATE_PER_SEC = 10_000;
  private static final int WINDOW = 8 << 10;
  private static final int MAX_CPU_CPUS = 6;
  private static final List<Encoding> ACCESS = List.of(Encoding.SBE_DIRECT, Encoding.SBE_INDIRECT);

  private final ProcessorFactory factory;
  private final Floors floors;

  public WireToWireScenario(ProcessorFactory factory, Floors floors) {
    this.factory = factory;
    this.floors = floors;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "cars through a primary with a backup in a second process on this machine: received,"
        + " handled, replicated, persisted on both sides (flush os: a message is replied to when both"
        + " have handed it to the operating system), and its reply sent. es: event sourcing, sr: state"
        + " replication. latency: at "
        + RATE_PER_SEC
        + "/s, from the intended time; throughput: "
        + WINDOW
        + " on their way. Every byte of every reply is checked. A rate that is not kept is told and"
        + " fails nothing";
  }

  @Override
  public void run(RunContext context) throws Exception {
    Settings settings = Settings.of(context);
    List<Case> cases = cases(Runtime.getRuntime().availableProcessors());
    WireToWireTable table = new WireToWireTable(floors);
    context.progress().begin(NAME, cases.size());
    for (Case one : cases) {
      measure(context, settings, one, table);
      context.progress().step(one.toString());
    }
    context.progress().end();
    table.lines().forEach(context::note);
  }

  /** What is asked of the threads of a processor. */
  enum Threads {
    /** What the CPU configuration says. */
    CONFIGURED,
    /** That none spins. */
    BLOCKING,
    /** That none spins, and that one does nothing but write the log. */
    LOG_DETACHED
  }

  /** One processor, measured for latency and for throughput. */
  record Case(
      Replication transport, Kind kind, CpuConfig config, Threads asked, Encoding encoding) {

    /** The configuration in words. */
    String threads() {
      return switch (asked) {
        case CONFIGURED -> config.toString();
        case BLOCKING -> "blocking";
        case LOG_DETACHED -> "log-detached";
      };
    }

    private boolean isBlocking() {
      return asked != Threads.CONFIGURED;
    }

    @Override
    public String toString() {
      return String.join(" ", transportName(), kind.toString(), threads(), encoding.toString());
    }

    String transportName() {
      return Names.of(transport);
    }

    Published.Access access() {
      return encoding == Encoding.SBE_DIRECT ? Published.Access.DIRECT : Published.Access.INDIRECT;
    }

    /** The floor that its latency is measured against. */
    String floor() {
      if (transport == Replication.HAZELCAST) {
        return Floors.HAZELCAST;
      }
      return isBlocking() ? Floors.TCP_BLOCKING : Floors.TCP_SPINNING;
    }

    /** As the program would be called. */
    List<String> arguments(Path directory) {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "--encoding=" + encoding,
                  "--transport=" + transportName(),
                  "--cpu-config=" + config,
                  "--blocking=" + isBlocking(),
                  "--with-backup",
                  "--enablePersistence",
                  "--persisterFlushOnCommit",
                  "--noLatencyWrites",
                  "--persisterLogLocation=" + directory));
      if (asked == Threads.LOG_DETACHED) {
        arguments.add("--persisterDetached");
      }
      return arguments;
    }
  }

  /** Hazelcast's own threads need the CPUs where there are few: nothing spins there. */
  private static List<Case> cases(int cpus) {
    List<Case> cases = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (CpuConfig config : CpuConfig.values()) {
        if (config != CpuConfig.MAXCPU || cpus >= MAX_CPU_CPUS) {
          add(cases, Replication.TCP, kind, config, Threads.CONFIGURED);
        }
      }
      add(cases, Replication.TCP, kind, CpuConfig.DEFAULT, Threads.BLOCKING);
      add(cases, Replication.HAZELCAST, kind, CpuConfig.DEFAULT, Threads.BLOCKING);
    }
    cases.add(
        new Case(
            Replication.TCP,
            Kind.ES,
            CpuConfig.DEFAULT,
            Threads.LOG_DETACHED,
            Encoding.SBE_DIRECT));
    return cases;
  }

  private static void add(
      List<Case> cases, Replication transport, Kind kind, CpuConfig config, Threads asked) {
    ACCESS.forEach(access -> cases.add(new Case(transport, kind, config, asked, access)));
  }

  private void measure(RunContext context, Settings settings, Case one, WireToWireTable table)
      throws Exception {
    Path directory = Files.createDirectories(context.outputDir().resolve("data"));
    ProcessorProgram program = new ProcessorProgram(one.kind(), factory);
    CommandLine line = new CommandLine(program);
    List<String> arguments = one.arguments(directory);
    line.parseArgs(arguments.toArray(String[]::new));
    ProcessorOptions options = program.options;
    options.given = arguments;
    Usage usage = new Usage(line);
    ThreadPlan threads = options.plan(usage);
    Messages messages = new CarMessages(one.encoding(), false, one.kind().odometer());
    try (ProcessorUnderTest processor = factory.open(one.kind(), options, threads, usage)) {
      long paced = settings.scaled(context.profile().pick(1, 30) * (long) RATE_PER_SEC);
      long saturated = settings.scaled(context.profile().pick(200_000L, 2_000_000L));
      // What comes at a rate is too little to have both processes compiled before it is measured.
      InjectionPlan warmUp = InjectionPlan.saturated(1, saturated, WINDOW);
      processor.run(new Injection(warmUp, messages, new WireToWire(0)));
      InjectionPlan steady = InjectionPlan.paced(warmUp.next().first(), paced, RATE_PER_SEC);
      Round latency = new Round(processor, messages, steady);
      report(context, settings, one, threads, latency, OptimizeFor.LATENCY, table);
      Round throughput =
          new Round(
              processor,
              messages,
              InjectionPlan.saturated(latency.plan.first(), saturated, WINDOW));
      report(context, settings, one, threads, throughput, OptimizeFor.THROUGHPUT, table);
    }
  }

  /** Rounds one after the other on the same processor, whose sequences go on. */
  private static final class Round {
    private final ProcessorUnderTest processor;
    private final Messages messages;
    private final WireToWire latencies = new WireToWire(0);
    private InjectionPlan plan;

    Round(ProcessorUnderTest processor, Messages messages, InjectionPlan plan) {
      this.processor = processor;
      this.messages = messages;
      this.plan = plan;
    }

    RoundResult run(Allocation allocation) throws InterruptedException {
      Injection injection = new Injection(plan, messages, latencies);
      allocation.begin();
      RoundResult result = processor.run(injection);
      allocation.end(plan.count());
      plan = plan.next();
      return FloorsScenario.withoutPace(result);
    }
  }

  private static void report(
      RunContext context,
      Settings settings,
      Case one,
      ThreadPlan threads,
      Round round,
      OptimizeFor optimize,
      WireToWireTable table)
      throws Exception {
    Allocation allocation = new Allocation();
    Measurement measurement =
        context
            .rounds(ROUNDS)
            .recording(round.latencies.recording())
            .measure(one + " " + optimize, () -> round.run(allocation));
    Row row =
        settings
            .addTo(
                context
                    .row(measurement)
                    .caseName(one.kind() + " " + optimize)
                    .path(one.transportName() + " " + one.threads())
                    .body(one.encoding().toString())
                    .flush("os")
                    .extra("threads", threads.describe())
                    .extra(ALL_BYTES, allocation.perMessage())
                    .extra(OWN_BYTES, allocation.ofProcessorPerMessage())
                    .extra("processes", 2)
                    .extra("minInSync", 1)
                    .extra("ackLevel", "persisted on both"))
            .build();
    table.add(one, optimize, row);
    context.report(row);
  }
}
