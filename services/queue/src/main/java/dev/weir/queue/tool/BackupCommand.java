package dev.weir.queue.tool;

import dev.weir.queue.QueueMaintenance;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Copies the directory to a new one. */
@Command(
    name = "backup",
    description = {
      "Copies the directory to a new one.",
      "The copy holds all messages and is complete, or there is none."
          + " It leaves free what a store must keep on its disk."
          + " A store that runs is copied by its program: POST /admin/backup of a gateway,"
          + " Weir.backup or QueueStore.backup."
    })
final class BackupCommand extends DirectoryCommand {
  @Parameters(
      index = "1",
      paramLabel = "TARGET",
      description = "New or empty directory for the copy.")
  private Path target;

  @Override
  public Integer call() throws IOException {
    long bytes;
    try (QueueMaintenance opened = QueueMaintenance.open(directory);
        ProgressLine progress = tool.progress("backup")) {
      bytes = opened.backup(target, progress);
    }
    answer("copied " + bytes + " bytes to " + target, "bytes", bytes, "target", target.toString());
    return ExitCodes.OK;
  }
}
