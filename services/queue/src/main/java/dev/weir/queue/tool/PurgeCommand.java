package dev.weir.queue.tool;

import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.QueueSummary;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Deletes all messages that a queue has to deliver. */
@Command(
    name = "purge",
    description = {
      "Deletes all messages that a queue has to deliver.",
      "Dead letters stay. Without --yes nothing is deleted: the command prints how many messages"
          + " there are, and the exit code is 2."
    })
final class PurgeCommand extends ConfirmedDeletion {
  @Override
  QueueSummary delete(QueueMaintenance opened, String queue) {
    return opened.purge(queue);
  }

  @Override
  void report(QueueSummary deleted) throws IOException {
    answer(
        "deleted " + describe(deleted),
        "queue",
        deleted.name(),
        "deleted",
        toDeliver(deleted),
        "deletedTransient",
        deleted.transients());
  }

  @Override
  String describe(QueueSummary summary) {
    String noUse =
        summary.transients() == 0 ? "" : " and " + summary.transients() + " transient ones";
    return toDeliver(summary) + " messages" + noUse + " of queue " + summary.name();
  }
}
