package dev.weir.processor;

import dev.weir.launcher.ExitCodes;
import dev.weir.launcher.ProcessDefaults;
import dev.weir.launcher.ShardCommands;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The program {@code processor.jar}: runs a member of a group, or a driver that sends requests. */
@Command(
    name = "processor",
    description = "Replicated processors of cars: one primary, one or more backups.",
    mixinStandardHelpOptions = true,
    subcommands = {
      RunCommand.class,
      DriveCommand.class,
      ControlCommands.Status.class,
      ControlCommands.StepDown.class,
      ControlCommands.Add.class,
      ControlCommands.Remove.class,
      ControlCommands.Replace.class,
      ForcePrimaryCommand.class
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:stopped by a signal, or the last message was answered",
      "1:could not start, or failed; standard error has the reason",
      "2:an option is wrong",
      "3:the data directory cannot be used, for example because another process uses it",
      "4:a port is in use",
      "5:the heap is exhausted"
    })
public final class ProcessorMain implements Runnable {
  @Spec private CommandSpec spec;

  private ProcessorMain() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "the command is missing, allowed is one of "
            + spec.commandLine().getSubcommands().keySet());
  }

  /** Runs the program and ends the JVM with its exit code. */
  public static void main(String[] args) {
    ProcessDefaults.set();
    System.exit(execute(args));
  }

  /**
   * Creates a Vert.x that does not look for files in jars. For those it would create a temporary
   * directory, which a killed process leaves behind.
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
    CommandLine commandLine = new CommandLine(new ProcessorMain());
    ShardCommands.all().forEach(commandLine::addSubcommand);
    CommandLine run = commandLine.getSubcommands().get("run");
    run.<RunCommand>getCommand().addFlags(run.getCommandSpec());
    String version = ProcessorMain.class.getPackage().getImplementationVersion();
    commandLine
        .getCommandSpec()
        .version("processor " + (version == null ? "(not from a jar)" : version));
    return commandLine
        .registerConverter(Encoding.class, Encoding::parse)
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
