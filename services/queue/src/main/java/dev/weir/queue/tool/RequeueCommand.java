package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.queue.QueueMaintenance;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Puts dead letters back. */
@Command(
    name = "requeue",
    description = {
      "Puts dead letters back into their queue.",
      "They are delivered as soon as the queue is opened, and as often as if they had never failed."
          + " One that cannot be read stays where it is. The exit code is 1 if there is none of that"
          + " sequence."
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
        description = "The one of this sequence, as dead-letters shows it.")
    private Long sequence;

    @Option(names = "--all", required = true, description = "All of them.")
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
    if (json) {
      try (Json out = new Json(tool.out())) {
        JsonGenerator object = out.start();
        object.writeStringField("queue", queue);
        object.writeNumberField("requeued", requeued);
        out.end();
      }
    } else {
      print("requeued " + requeued + " dead letters of queue " + queue);
    }
    return ExitCodes.OK;
  }
}
