package dev.weir.queue.tool;

import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.QueueSummary;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes a queue with all its messages. */
@Command(
    name = "delete-queue",
    description = {
      "Deletes a queue with all its messages and dead letters.",
      "Without --yes nothing is deleted: the command prints how many messages there are, and the"
          + " exit code is 2."
    })
final class DeleteQueueCommand extends DirectoryCommand {
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
      deleted = opened.deleteQueue(queue);
    }
    answer(
        "deleted " + describe(deleted),
        "queue",
        queue,
        "deleted",
        PurgeCommand.toDeliver(deleted),
        "deletedDead",
        deleted.dead());
    return ExitCodes.OK;
  }

  private static String describe(QueueSummary summary) {
    return "queue "
        + summary.name()
        + " with "
        + PurgeCommand.toDeliver(summary)
        + " messages and "
        + summary.dead()
        + " dead letters";
  }
}
