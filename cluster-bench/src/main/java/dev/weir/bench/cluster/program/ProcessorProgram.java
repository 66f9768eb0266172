package dev.weir.bench.cluster.program;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.cluster.injection.Kind;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.options.ProcessorOptions;
import dev.weir.bench.cluster.processor.ClusteredFactory;
import dev.weir.bench.cluster.processor.ProcessorFactory;
import dev.weir.bench.cluster.threads.PlannedThread.Place;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ThreadPlan;
import dev.weir.bench.program.Usage;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The programs {@value #ES} and {@value #SR}: one run of a processor of either kind. */
@Command(
    description = {
      "Injects cars into a clustered processor and measures wire to wire: from when a message"
          + " should have been sent to its reply.",
      "Options and defaults are the seed's, but for the last five."
    },
    sortOptions = false)
public final class ProcessorProgram implements Callable<Integer> {
  public static final String ES = "es-processor";
  public static final String SR = "sr-processor";

  public static String of(Kind kind) {
    return kind == Kind.ES ? ES : SR;
  }

  private final Kind kind;
  private final ProcessorFactory factory;

  @Mixin public ProcessorOptions options = new ProcessorOptions();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Prints this and ends.")
  private boolean help;

  @Spec private CommandSpec spec;

  public ProcessorProgram(Kind kind, ProcessorFactory factory) {
    this.kind = kind;
    this.factory = factory;
  }

  @Override
  public Integer call() throws Exception {
    Usage usage = new Usage(spec.commandLine());
    List<String> all = spec.commandLine().getParseResult().originalArgs();
    options.given = all.subList(all.indexOf(spec.name()) + 1, all.size());
    options.check(usage);
    if (options.weir.isBackup()) {
      Files.createDirectories(options.persistence.persisterLogLocation);
      ClusteredFactory.runBackup(kind, options, options.plan(usage), usage);
      return ExitCodes.OK;
    }
    ExcelOutput excel = null;
    if (options.output.isAsked()) {
      excel =
          new ExcelOutput(
              options.output.outputFile,
              ExcelCell.parse("--outputCell", options.output.outputCell, usage));
      excel.check();
    }
    Files.createDirectories(options.persistence.persisterLogLocation);
    ThreadPlan threads = options.plan(usage);
    threads.warnings().forEach(line -> spec.commandLine().getErr().println("warning: " + line));
    ProcessorRun run =
        new ProcessorRun(spec.name(), kind, options, excel, spec.commandLine().getOut());
    run.describe(factory.describe(options), threads, options.ackLevel(usage));
    try (ProcessorUnderTest processor = factory.open(kind, options, threads, usage)) {
      // Not before: threads that are started inherit where they may run.
      Task task = threads.has(Place.PRIMARY, Task.INJECTOR) ? Task.INJECTOR : Task.MUX;
      threads.cpus(Place.PRIMARY, task).bind();
      return run.run(processor).isOk() ? ExitCodes.OK : ExitCodes.VERDICT_FAILED;
    }
  }
}
