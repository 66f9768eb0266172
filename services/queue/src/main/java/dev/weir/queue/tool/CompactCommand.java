package dev.weir.queue.tool;

import dev.weir.queue.Compaction;
import dev.weir.queue.QueueMaintenance;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Gives the space of deleted messages back to the file system. */
@Command(
    name = "compact",
    description = {
      "Gives the space of deleted messages back.",
      "Gives the space of deleted messages back to the file system, one log file at a time. It then"
          + " writes a checkpoint, so that the next start is fast."
    })
final class CompactCommand extends DirectoryCommand {
  @Override
  public Integer call() throws IOException {
    Compaction done;
    try (QueueMaintenance opened = QueueMaintenance.open(directory);
        ProgressLine progress = tool.progress("compact")) {
      done = opened.compact(progress);
    }
    answer(
        "log bytes before "
            + done.bytesBefore()
            + ", after "
            + done.bytesAfter()
            + (done.bytesAfter() < done.bytesBefore() ? "" : "; nothing to give back"),
        "bytesBefore",
        done.bytesBefore(),
        "bytesAfter",
        done.bytesAfter());
    return ExitCodes.OK;
  }
}
