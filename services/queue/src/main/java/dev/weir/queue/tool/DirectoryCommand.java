package dev.weir.queue.tool;

import dev.weir.queue.DamagedPacket;
import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  private boolean foundDamage;

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

  /** Counts a queue, and says how many of its records cannot be read: these are not counted. */
  QueueSummary count(QueueDirectory opened, String queue) {
    List<DamagedPacket> damaged = new ArrayList<>();
    QueueSummary counted = opened.count(queue, damaged::add);
    if (!damaged.isEmpty()) {
      foundDamage = true;
      long messages = damaged.stream().mapToLong(DamagedPacket::messages).sum();
      tool.say(
          "queue "
              + queue
              + ": "
              + damaged.size()
              + " records with "
              + messages
              + " messages cannot be read and are not counted; verify names them");
    }
    return counted;
  }

  /** The exit code of a command that has {@linkplain #count counted} what it shows. */
  int counted() {
    return foundDamage ? ExitCodes.FOUND : ExitCodes.OK;
  }

  void print(String line) {
    tool.out().println(line);
  }
}
