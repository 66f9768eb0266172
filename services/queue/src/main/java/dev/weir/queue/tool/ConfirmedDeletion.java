package dev.weir.queue.tool;

import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.QueueSummary;
import java.io.IOException;
import picocli.CommandLine.Option;

/** A command that deletes much of a queue, and does so only with {@code --yes}. */
abstract class ConfirmedDeletion extends DirectoryCommand {
  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "The queue.")
  private String queue;

  @Option(names = "--yes", description = "Confirm the deletion.")
  private boolean yes;

  @Override
  public final Integer call() throws IOException {
    if (!yes) {
      try (QueueDirectory opened = QueueDirectory.open(directory)) {
        tool.say("--yes is missing: " + describe(opened.summary(queue)) + " would be deleted");
        return ExitCodes.USAGE;
      }
    }
    QueueSummary deleted;
    try (QueueMaintenance opened = QueueMaintenance.open(directory)) {
      deleted = delete(opened, queue);
    }
    report(deleted);
    return ExitCodes.OK;
  }

  /** What is deleted, or was. */
  abstract String describe(QueueSummary summary);

  /** Deletes it; returns what it was. */
  abstract QueueSummary delete(QueueMaintenance opened, String queue);

  /** Answers with what was deleted. */
  abstract void report(QueueSummary deleted) throws IOException;

  static long toDeliver(QueueSummary summary) {
    return summary.waiting() + summary.scheduled();
  }
}
