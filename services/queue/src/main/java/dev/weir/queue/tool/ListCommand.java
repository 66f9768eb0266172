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
          + " Reads all messages, because a delayed message tells only itself when it is due. If some"
          + " cannot be read, they are named as left out, and the exit code is 1."
    })
final class ListCommand extends DirectoryCommand {
  @Override
  public Integer call() throws IOException {
    try (QueueDirectory opened = QueueDirectory.open(directory)) {
      if (json) {
        try (Json out = new Json(tool.out())) {
          for (String queue : opened.queues()) {
            out.start();
            out.fields(count(opened, queue));
            out.end();
          }
        }
        return counted();
      }
      Table table = new Table("queue", "waiting", "scheduled", "dead", "transient", "bytes");
      for (String queue : opened.queues()) {
        QueueSummary summary = count(opened, queue);
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
    return counted();
  }
}
