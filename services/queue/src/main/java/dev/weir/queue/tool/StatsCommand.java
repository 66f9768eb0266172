package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueSummary;
import dev.weir.queue.StoreFigures;
import dev.weir.queue.WriteTimes;
import java.io.IOException;
import java.time.Instant;
import picocli.CommandLine.Command;

/** Shows figures of the directory and of each queue. */
@Command(
    name = "stats",
    description = {
      "Shows figures of the directory and each queue.",
      "Shows what each queue holds, when it was written, and how much of the log on disk is in use."
          + " Reads all messages. If some cannot be read, they are named as left out, and the exit"
          + " code is 1."
    })
final class StatsCommand extends DirectoryCommand {
  @Override
  public Integer call() throws IOException {
    try (QueueDirectory opened = QueueDirectory.open(directory)) {
      if (json) {
        writeJson(opened);
      } else {
        printTable(opened);
      }
    }
    return counted();
  }

  private void printTable(QueueDirectory opened) {
    StoreFigures figures = opened.figures();
    print("log files    " + figures.logFiles());
    print("log bytes    " + figures.logBytes());
    print("in use       " + figures.utilizationPercent() + " %");
    print("");
    Table table =
        new Table(
            "queue",
            "waiting",
            "scheduled",
            "dead",
            "transient",
            "bytes",
            "packets",
            "oldest",
            "newest");
    for (String queue : opened.queues()) {
      QueueSummary summary = count(opened, queue);
      WriteTimes times = opened.writeTimes(queue);
      table.row(
          queue,
          summary.waiting(),
          summary.scheduled(),
          summary.dead(),
          summary.transients(),
          summary.bytes(),
          summary.packets(),
          times == null ? "-" : Instant.ofEpochMilli(times.oldestMs()),
          times == null ? "-" : Instant.ofEpochMilli(times.newestMs()));
    }
    table.print(this::print);
  }

  private void writeJson(QueueDirectory opened) throws IOException {
    StoreFigures figures = opened.figures();
    try (Json out = new Json(tool.out())) {
      JsonGenerator object = out.start();
      out.fields(figures);
      object.writeArrayFieldStart("queues");
      for (String queue : opened.queues()) {
        object.writeStartObject();
        out.fields(count(opened, queue));
        WriteTimes times = opened.writeTimes(queue);
        if (times != null) {
          out.fields(times);
        }
        object.writeEndObject();
      }
      object.writeEndArray();
      out.end();
    }
  }
}
