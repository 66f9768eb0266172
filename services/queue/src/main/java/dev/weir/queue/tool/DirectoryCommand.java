package dev.weir.queue.tool;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** What all commands have: a directory, and a choice of output. */
@Command(mixinStandardHelpOptions = true, versionProvider = QueueTool.Version.class)
abstract class DirectoryCommand implements Callable<Integer> {
  @ParentCommand QueueTool tool;

  @Parameters(index = "0", paramLabel = "DIR", description = "Data directory of a store.")
  Path directory;

  @Option(names = "--json", description = "Write JSON, one object per line.")
  boolean json;

  void print(String line) {
    tool.out().println(line);
  }
}
