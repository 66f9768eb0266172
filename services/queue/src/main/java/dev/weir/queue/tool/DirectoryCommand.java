package dev.weir.queue.tool;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** A command on a data directory, with text or JSON as output. */
@Command(mixinStandardHelpOptions = true, versionProvider = QueueTool.Version.class)
abstract class DirectoryCommand implements Callable<Integer> {
  @ParentCommand QueueTool tool;

  @Parameters(index = "0", paramLabel = "DIR", description = "Data directory of a store.")
  Path directory;

  @Option(names = "--json", description = "Write JSON, one object per line.")
  boolean json;

  /** Writes the result of a command: a line of text, or with --json an object of these fields. */
  void answer(String line, Object... namesAndValues) throws IOException {
    if (!json) {
      print(line);
      return;
    }
    try (Json out = new Json(tool.out())) {
      out.start();
      for (int i = 0; i < namesAndValues.length; i += 2) {
        out.field((String) namesAndValues[i], namesAndValues[i + 1]);
      }
      out.end();
    }
  }

  void print(String line) {
    tool.out().println(line);
  }
}
