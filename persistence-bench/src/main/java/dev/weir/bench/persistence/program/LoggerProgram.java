package dev.weir.bench.persistence.program;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.persistence.store.je.JeMechanism;
import dev.weir.bench.program.OptionTypes;
import dev.weir.bench.program.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The base class of the three programs: common options, one run, exit code. */
@Command(modelTransformer = OptionTypes.class, sortOptions = false)
public abstract class LoggerProgram implements Callable<Integer>, OptionTypes.ShortNames {
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
    programs.put("message-logger", new MessageLogger());
    programs.put("packet-logger", new PacketLogger());
    programs.put("store-logger", new StoreLogger());
    return programs;
  }

  /** Checks the program's own options. */
  abstract void check(Usage usage);

  /** The log that is written. */
  abstract LogSpec log();

  /** Whether a commit that is not full starts when no further message is due. */
  boolean commitsEarly() {
    return false;
  }

  /** Whether a second thread reads while the first writes. */
  boolean tails() {
    return false;
  }

  /** Whether the timed read leaves the messages undecoded. */
  boolean readsLazily() {
    return false;
  }

  LogSpec log(Shape shape, int perCommit, long objects, boolean deviceWrites, boolean stampTimes) {
    return new LogSpec(
        shape,
        options.flush(),
        options.messageBytes,
        perCommit,
        objects,
        options.writeBufferSize,
        options.readBufferSize,
        deviceWrites,
        stampTimes);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Usage usage = new Usage(spec.commandLine());
    options.check(usage);
    check(usage);
    Files.createDirectories(options.logLocation);
    LoggerRun run = new LoggerRun(spec.name(), this, spec.commandLine().getOut());
    return run.run().failed() ? ExitCodes.VERDICT_FAILED : ExitCodes.OK;
  }
}
