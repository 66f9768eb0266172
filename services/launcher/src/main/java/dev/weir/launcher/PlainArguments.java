package dev.weir.launcher;

/**
 * Reads command lines that have no mistake and ask for no help, as picocli does. Its classes take a
 * fifth of the time of a start, because they are too old for an archive of classes; so it reads
 * only the others.
 */
final class PlainArguments {
  private PlainArguments() {}

  /** Null for a command line that picocli is to read. */
  static LaunchCommand read(String... args) {
    LaunchCommand command = new LaunchCommand();
    for (int i = 0; i < args.length; i++) {
      String arg = args[i];
      if (command.takeFlag(arg)) {
        continue;
      }
      int equals = arg.indexOf('=');
      String name = equals < 0 ? arg : arg.substring(0, equals);
      String value;
      if (equals >= 0) {
        value = arg.substring(equals + 1);
      } else if (i + 1 < args.length && !args[i + 1].startsWith("-")) {
        value = args[++i];
      } else {
        return null;
      }
      if (value.isEmpty() || value.startsWith("@") || !command.take(name, value)) {
        return null;
      }
    }
    return command;
  }
}
