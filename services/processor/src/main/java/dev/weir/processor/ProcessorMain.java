package dev.weir.processor;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The program {@code processor.jar}: a member of a group of processors, and a driver for it. */
@Command(
    name = "processor",
    description = "Processors of cars with a primary and a backup.",
    mixinStandardHelpOptions = true,
    versionProvider = ProcessorVersion.class,
    subcommands = {RunCommand.class, DriveCommand.class},
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:ended as asked, by a signal or after the last message",
      "1:could not start, or failed; the reason is on the standard error",
      "2:an option is wrong"
    })
public final class ProcessorMain implements Runnable {
  private static final String POOL = "java.util.concurrent.ForkJoinPool.common.parallelism";
  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

  @Spec private CommandSpec spec;

  private ProcessorMain() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "a command is missing, allowed are run and drive");
  }

  /** Runs the program and ends the JVM with its exit code. */
  public static void main(String[] args) {
    // With parallelism 1 each callback of Hazelcast starts a thread; read once, by the first user.
    if (System.getProperty(POOL) == null && Runtime.getRuntime().availableProcessors() <= 2) {
      System.setProperty(POOL, "2");
    }
    if (System.getProperty(LOG_FORMAT) == null) {
      System.setProperty(LOG_FORMAT, "%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n");
    }
    System.exit(execute(args));
  }

  static int execute(String... args) {
    return new CommandLine(new ProcessorMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              command.getErr().println("processor: " + reason(e));
              return e instanceof IllegalArgumentException
                  ? CommandLine.ExitCode.USAGE
                  : CommandLine.ExitCode.SOFTWARE;
            })
        .execute(args);
  }

  /** A user's mistake is no reason to print a stack trace. */
  private static String reason(Throwable e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
