package dev.weir.queue.tool;

import dev.weir.queue.QueueMaintenance;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes one message. */
@Command(
    name = "delete",
    description = {
      "Deletes one message.",
      "The message may wait, be scheduled or be a dead letter. The exit code is 1 if the queue has"
          + " no message of the given sequence."
    })
final class DeleteCommand extends DirectoryCommand {
  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "The queue.")
  private String queue;

  @Option(
      names = "--sequence",
      required = true,
      paramLabel = "N",
      description = "The message of this sequence, as peek and dead-letters show it.")
  private long sequence;

  @Override
  public Integer call() throws IOException {
    boolean deleted;
    try (QueueMaintenance opened = QueueMaintenance.open(directory)) {
      deleted = opened.delete(queue, sequence);
    }
    if (!deleted) {
      tool.say("queue " + queue + " has no message of sequence " + sequence);
      return ExitCodes.FOUND;
    }
    answer(
        "deleted message " + sequence + " of queue " + queue,
        "queue",
        queue,
        "deletedSequence",
        sequence);
    return ExitCodes.OK;
  }
}
