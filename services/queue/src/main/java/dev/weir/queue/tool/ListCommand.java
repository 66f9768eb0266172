package dev.weir.queue.tool;

import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueSummary;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Lists the queues with their counts. */
@Command(
    name = "list",
    description = {
      "Lists the queues.",
      "Shows for each queue the waiting, scheduled, dead and transient messages, and their bytes."
    })
final class ListCommand extends DirectoryCommand {
  @Override
  public Integer call() throws IOException {
    try (QueueDirectory opened = QueueDirectory.open(directory)) {
      if (json) {
        try (Json out = new Json(tool.out())) {
          for (String queue : opened.queues()) {
            out.start();
            out.fields(opened.summary(queue));
            out.end();
          }
        }
        return ExitCodes.OK;
      }
      Table table = new Table("queue", "waiting", "scheduled", "dead", "transient", "bytes");
      for (String queue : opened.queues()) {
        QueueSummary summary = opened.summary(queue);
        table.row(
            queue,
            summary.waiting(),
            summary.scheduled(),
            summary.dead(),
            summary.transients(),
            summary.bytes());
      }
      table.print(this::print);
    }
    return ExitCodes.OK;
  }
}
