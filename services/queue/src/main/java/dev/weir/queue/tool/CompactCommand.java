package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.queue.Compaction;
import dev.weir.queue.QueueMaintenance;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Gives space back. */
@Command(
    name = "compact",
    description = {
      "Gives the space of deleted messages back.",
      "Gives the space of messages that are gone back to the file system, a log file at a time,"
          + " and ends the log with a checkpoint, so that the next start is fast."
    })
final class CompactCommand extends DirectoryCommand {
  @Override
  public Integer call() throws IOException {
    Compaction done;
    try (QueueMaintenance opened = QueueMaintenance.open(directory)) {
      done = opened.compact();
    }
    if (json) {
      try (Json out = new Json(tool.out())) {
        JsonGenerator object = out.start();
        object.writeNumberField("bytesBefore", done.bytesBefore());
        object.writeNumberField("bytesAfter", done.bytesAfter());
        out.end();
      }
    } else {
      print("log bytes before " + done.bytesBefore() + ", after " + done.bytesAfter());
    }
    return ExitCodes.OK;
  }
}
