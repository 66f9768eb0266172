package dev.weir.queue.tool;

import java.util.List;
import picocli.CommandLine.Option;

/** One queue or all. */
final class QueueChoice {
  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "One queue.")
  String queue;

  @Option(names = "--all", required = true, description = "All queues.")
  boolean all;

  List<String> of(List<String> queues) {
    return all ? queues : List.of(queue);
  }
}
