package dev.weir.queue.tool;

import dev.weir.queue.QueueMaintenance;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes a data directory of a backup. */
@Command(
    name = "restore",
    description = {
      "Makes a data directory of a backup.",
      "The backup stays as it is. Verify it first: a damaged backup gives a damaged directory."
    })
final class RestoreCommand extends DirectoryCommand {
  @Parameters(index = "1", paramLabel = "TARGET", description = "New or empty data directory.")
  private Path target;

  @Override
  public Integer call() throws IOException {
    long bytes;
    try (ProgressLine progress = tool.progress("restore")) {
      bytes = QueueMaintenance.restore(directory, target, progress);
    }
    answer("copied " + bytes + " bytes to " + target, "bytes", bytes, "target", target.toString());
    return ExitCodes.OK;
  }
}
