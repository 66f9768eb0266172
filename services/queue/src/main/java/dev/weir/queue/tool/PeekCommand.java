package dev.weir.queue.tool;

import dev.weir.queue.QueueDirectory;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the first messages of a queue. */
@Command(
    name = "peek",
    description = {
      "Shows the first messages of a queue.",
      "Shows waiting messages in order, then scheduled messages by time: sequence, state,"
          + " deliveries, time of writing, size, body. A body that is printable UTF-8 is shown as"
          + " text, any other in base64."
    })
final class PeekCommand extends DirectoryCommand {
  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "The queue.")
  private String queue;

  @Mixin private ShownMessages shown;

  @Override
  public Integer call() throws IOException {
    shown.check();
    try (QueueDirectory opened = QueueDirectory.open(directory)) {
      return shown.show(visitor -> opened.read(queue, visitor), this);
    }
  }
}
