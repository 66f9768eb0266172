package dev.weir.queue.tool;

import dev.weir.queue.QueueMaintenance;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes scheduled messages due. */
@Command(
    name = "release",
    description = {
      "Makes the scheduled messages of a queue due.",
      "Delayed messages and retries are delivered as soon as the queue is opened, instead of at"
          + " their time. Reads all messages to count them."
    })
final class ReleaseCommand extends DirectoryCommand {
  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "The queue.")
  private String queue;

  @Override
  public Integer call() throws IOException {
    long released;
    try (QueueMaintenance opened = QueueMaintenance.open(directory)) {
      released = opened.releaseScheduled(queue);
    }
    answer(
        "released " + released + " scheduled messages of queue " + queue,
        "queue",
        queue,
        "released",
        released);
    return ExitCodes.OK;
  }
}
