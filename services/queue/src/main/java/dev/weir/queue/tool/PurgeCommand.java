package dev.weir.queue.tool;

import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.QueueSummary;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes all messages that a queue has to deliver. */
@Command(
    name = "purge",
    description = {
      "Deletes all messages that a queue has to deliver.",
      "Dead letters stay. Without --yes nothing is deleted: the command prints how many messages"
          + " there are, and the exit code is 2."
    })
final class PurgeCommand extends DirectoryCommand {
  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "The queue.")
  private String queue;

  @Option(names = "--yes", description = "Confirm the deletion.")
  private boolean yes;

  @Override
  public Integer call() throws IOException {
    if (!yes) {
      try (QueueDirectory opened = QueueDirectory.open(directory)) {
        tool.say("--yes is missing: " + describe(opened.summary(queue)) + " would be deleted");
        return ExitCodes.USAGE;
      }
    }
    QueueSummary deleted;
    try (QueueMaintenance opened = QueueMaintenance.open(directory)) {
      deleted = opened.purge(queue);
    }
    answer(
        "deleted " + describe(deleted),
        "queue",
        queue,
        "deleted",
        toDeliver(deleted),
        "deletedTransient",
        deleted.transients());
    return ExitCodes.OK;
  }

  static long toDeliver(QueueSummary summary) {
    return summary.waiting() + summary.scheduled();
  }

  private static String describe(QueueSummary summary) {
    String noUse =
        summary.transients() == 0 ? "" : " and " + summary.transients() + " transient ones";
    return toDeliver(summary) + " messages" + noUse + " of queue " + summary.name();
  }
}
