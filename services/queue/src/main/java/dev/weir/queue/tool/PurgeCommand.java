package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.offline.QueueSummary;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes what waits. */
@Command(
    name = "purge",
    description = {
      "Deletes all that a queue has to deliver.",
      "Dead letters stay. Without --yes it is only said how many messages there are, and the exit"
          + " code is 2."
    })
final class PurgeCommand extends DirectoryCommand {
  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "The queue.")
  private String queue;

  @Option(names = "--yes", description = "Do it.")
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
    if (json) {
      try (Json out = new Json(tool.out())) {
        JsonGenerator object = out.start();
        object.writeStringField("queue", queue);
        object.writeNumberField("deleted", deleted.waiting() + deleted.scheduled());
        object.writeNumberField("deletedTransient", deleted.ofNoUse());
        out.end();
      }
    } else {
      print("deleted " + describe(deleted));
    }
    return ExitCodes.OK;
  }

  private static String describe(QueueSummary summary) {
    String noUse =
        summary.ofNoUse() == 0 ? "" : " and " + summary.ofNoUse() + " of no use after a restart";
    return (summary.waiting() + summary.scheduled())
        + " messages"
        + noUse
        + " of queue "
        + summary.name();
  }
}
