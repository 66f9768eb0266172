package dev.weir.bench;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Sets picocli up: one line for a mistake of the user, exit codes from {@link ExitCodes}. */
final class BenchCommandLine {
  private BenchCommandLine() {}

  static CommandLine of(
      Object command, String name, String version, Map<String, Callable<Integer>> programs) {
    CommandLine line = new CommandLine(command);
    // Command lines of their own: picocli applies a model transformer only to what it is given so.
    programs.forEach((program, code) -> line.addSubcommand(program, new CommandLine(code)));
    line.getCommandSpec().name(name).version(version).mixinStandardHelpOptions(true);
    line.setParameterExceptionHandler(BenchCommandLine::usageError);
    line.setExecutionExceptionHandler(BenchCommandLine::couldNotRun);
    return line;
  }

  private static int usageError(CommandLine.ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    line.getErr().println(line.getCommandName() + ": " + e.getMessage() + " (see --help)");
    return ExitCodes.USAGE;
  }

  private static int couldNotRun(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
    if (e instanceof ScenarioChoice.UnknownScenarioException) {
      line.getErr().println(line.getCommandName() + ": " + e.getMessage());
      return ExitCodes.USAGE;
    }
    line.getErr().println(line.getCommandName() + ": could not run: " + e);
    if (!(e instanceof IOException)) {
      e.printStackTrace(line.getErr());
    }
    return ExitCodes.COULD_NOT_RUN;
  }
}
