package dev.weir.processor;

import dev.weir.gateway.launch.ExitCodes;
import dev.weir.gateway.launch.ProcessDefaults;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.PrintWriter;
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
    subcommands = {RunCommand.class, DriveCommand.class, ForcePrimaryCommand.class},
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:ended as asked, by a signal or after the last message",
      "1:could not start, or failed; the reason is on the standard error",
      "2:an option is wrong",
      "3:the data directory cannot be used; if it is in use, by which process",
      "4:a port is taken"
    })
public final class ProcessorMain implements Runnable {
  @Spec private CommandSpec spec;

  private ProcessorMain() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "a command is missing, allowed are run, drive and force-primary");
  }

  /** Runs the program and ends the JVM with its exit code. */
  public static void main(String[] args) {
    ProcessDefaults.set();
    System.exit(execute(args));
  }

  /**
   * A Vert.x that finds files on disk only: to find them in jars it keeps a directory among the
   * temporary files, which stays there when the process is killed.
   */
  static Vertx newVertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setFileSystemOptions(new FileSystemOptions().setClassPathResolvingEnabled(false)));
  }

  private static int execute(String... args) {
    return execute(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args);
  }

  static int execute(PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(new ProcessorMain())
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              command.getErr().println("processor: " + ExitCodes.line(e));
              return ExitCodes.of(e);
            })
        .execute(args);
  }
}
