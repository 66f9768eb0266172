package dev.weir.queue.tool;

import dev.weir.queue.QueueMaintenance;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Puts dead letters back into their queue. */
@Command(
    name = "requeue",
    description = {
      "Puts dead letters back into their queue.",
      "The messages are delivered as soon as the queue is opened, with all their attempts again. A"
          + " dead letter that cannot be read stays. The exit code is 1 if no dead letter has the"
          + " given sequence."
    })
final class RequeueCommand extends DirectoryCommand {
  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "The queue.")
  private String queue;

  @ArgGroup(multiplicity = "1")
  private Which which;

  private static final class Which {
    @Option(
        names = "--sequence",
        required = true,
        paramLabel = "N",
        description = "The dead letter of this sequence, as dead-letters shows it.")
    private Long sequence;

    @Option(names = "--all", required = true, description = "All dead letters.")
    private boolean all;
  }

  @Override
  public Integer call() throws IOException {
    long requeued;
    try (QueueMaintenance opened = QueueMaintenance.open(directory)) {
      requeued = opened.requeue(queue, which.all ? null : which.sequence);
    }
    if (requeued == 0 && !which.all) {
      tool.say("queue " + queue + " has no dead letter of sequence " + which.sequence);
      return ExitCodes.FOUND;
    }
    answer(
        "requeued " + requeued + " dead letters of queue " + queue,
        "queue",
        queue,
        "requeued",
        requeued);
    return ExitCodes.OK;
  }
}
