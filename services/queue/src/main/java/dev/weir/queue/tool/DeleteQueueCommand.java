package dev.weir.queue.tool;

import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.QueueSummary;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Deletes a queue with all its messages. */
@Command(
    name = "delete-queue",
    description = {
      "Deletes a queue with all its messages and dead letters.",
      "Without --yes nothing is deleted: the command prints how many messages there are, and the"
          + " exit code is 2."
    })
final class DeleteQueueCommand extends ConfirmedDeletion {
  @Override
  QueueSummary delete(QueueMaintenance opened, String queue) {
    return opened.deleteQueue(queue);
  }

  @Override
  void report(QueueSummary deleted) throws IOException {
    answer(
        "deleted " + describe(deleted),
        "queue",
        deleted.name(),
        "deleted",
        toDeliver(deleted),
        "deletedDead",
        deleted.dead());
  }

  @Override
  String describe(QueueSummary summary) {
    return "queue "
        + summary.name()
        + " with "
        + toDeliver(summary)
        + " messages and "
        + summary.dead()
        + " dead letters";
  }
}
