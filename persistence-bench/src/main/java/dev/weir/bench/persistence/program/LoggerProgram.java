package dev.weir.bench.persistence.program;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.je.JeMechanism;
import dev.weir.bench.program.OptionTypes;
import dev.weir.bench.program.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The base class of the three programs: common options, one run, exit code. */
@Command(modelTransformer = OptionTypes.class)
public abstract class LoggerProgram implements Callable<Integer> {
  static final Set<String> LOG_MODES = Set.of("rw", "rws", "rwd");

  /** Replaced by tests. */
  Mechanism mechanism = new JeMechanism();

  @Mixin LoggerOptions options = new LoggerOptions();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Prints this and ends.")
  private boolean help;

  @Spec private CommandSpec spec;

  /** The three programs by name. */
  public static Map<String, Callable<Integer>> all() {
    Map<String, Callable<Integer>> programs = new LinkedHashMap<>();
    programs.put(MessageLogger.NAME, new MessageLogger());
    programs.put(PacketLogger.NAME, new PacketLogger());
    programs.put(StoreLogger.NAME, new StoreLogger());
    return programs;
  }

  /** Checks the program's own options. */
  abstract void check(Usage usage);

  abstract Path logLocation();

  /** What to do, without the common options. */
  abstract LoggerPlan plan();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Usage usage = new Usage(spec.commandLine());
    options.check(usage);
    check(usage);
    Path location = logLocation();
    usage.check(
        !Files.exists(location) || Files.isDirectory(location),
        "--logLocation",
        location,
        "a directory, created if absent");
    Files.createDirectories(location);
    LoggerRun run =
        new LoggerRun(
            spec.name(), options, plan(), mechanism, location, spec.commandLine().getOut());
    return run.run().isOk() ? ExitCodes.OK : ExitCodes.VERDICT_FAILED;
  }
}
