package dev.weir.launcher;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Reads any command line, and prints the help. All of picocli that a start may need. */
final class CommandReader {
  private CommandReader() {}

  /**
   * @return null if there is nothing more to do: the help or the version is printed
   * @throws IllegalArgumentException naming the mistake
   */
  static LaunchCommand read(LaunchedService service, String... args) {
    LaunchCommand command = new LaunchCommand();
    CommandSpec spec = CommandSpec.forAnnotatedObject(command).name(service.name());
    spec.parser().posixClusteredShortOptionsAllowed(false);
    CommandLine commandLine = new CommandLine(spec);
    spec.version(service.name() + " " + version(service));
    try {
      commandLine.parseArgs(args);
    } catch (ParameterException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return CommandLine.printHelpIfRequested(commandLine.getParseResult()) ? null : command;
  }

  private static String version(LaunchedService service) {
    String version = service.getClass().getPackage().getImplementationVersion();
    return version == null ? "(not from a jar)" : version;
  }
}
