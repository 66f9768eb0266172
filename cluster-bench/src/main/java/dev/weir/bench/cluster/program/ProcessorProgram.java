package dev.weir.bench.cluster.program;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.options.ProcessorOptions;
import dev.weir.bench.cluster.processor.BackupMain;
import dev.weir.bench.cluster.processor.ProcessorFactory;
import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ProcessThreads;
import dev.weir.bench.program.OptionTypes;
import dev.weir.bench.program.Usage;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The programs {@value #ES} and {@value #SR}: one measured run of a processor of that kind. */
@Command(
    description = {
      "Injects cars into a clustered processor and measures wire to wire: from when a message"
          + " should have been sent to its reply.",
      "Options and defaults are those of the original benchmark, except for --with-backup and the"
          + " options after it."
    },
    sortOptions = false,
    modelTransformer = OptionTypes.class)
public final class ProcessorProgram implements Callable<Integer> {
  public static final String ES = "es-processor";
  public static final String SR = "sr-processor";

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
    ProcessorSetup setup = options.setup(kind, usage);
    if (options.weir.isBackup()) {
      Files.createDirectories(setup.logs());
      BackupMain.runAlone(setup);
      return ExitCodes.OK;
    }
    ExcelOutput excel = null;
    if (options.rumi.outputFile != null) {
      excel = new ExcelOutput(options.rumi.outputFile, options.rumi.outputCell(usage));
      excel.check();
    }
    Files.createDirectories(setup.logs());
    setup
        .threads()
        .warnings()
        .forEach(line -> spec.commandLine().getErr().println("warning: " + line));
    ProcessorRun run =
        new ProcessorRun(spec.name(), options, setup, excel, spec.commandLine().getOut());
    run.describe();
    ProcessThreads threads = setup.threads().primary();
    try (ProcessorUnderTest processor = factory.open(setup)) {
      // Only now: threads that are started inherit the CPUs of the thread that starts them.
      threads.cpus(threads.has(Task.INJECTOR) ? Task.INJECTOR : Task.MUX).bind();
      return run.run(processor).failed() ? ExitCodes.VERDICT_FAILED : ExitCodes.OK;
    }
  }
}
