package dev.weir.queue.tool;

import dev.weir.queue.QueueVerifier;
import dev.weir.queue.VerifyReport;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Finds damage and reports what is lost. */
@Command(
    name = "verify",
    description = {
      "Finds damage and reports what is lost.",
      "Checks every byte of the log and every message. Reports what is damaged, where, and which"
          + " messages are lost. Changes nothing. The exit code is 1 if anything is damaged."
    })
final class VerifyCommand extends DirectoryCommand {
  @Override
  public Integer call() throws IOException {
    VerifyReport report;
    try (ProgressLine progress = tool.progress("verify")) {
      report = QueueVerifier.verify(directory, progress);
    }
    if (json) {
      try (Json out = new Json(tool.out())) {
        out.start();
        out.field("ok", report.ok());
        out.fields(report);
        out.field("readableMessages", report.readableMessages());
        out.field("lostMessages", report.lostMessages());
        out.end();
      }
    } else {
      VerifyText.of(report).forEach(this::print);
    }
    return report.ok() ? ExitCodes.OK : ExitCodes.FOUND;
  }
}
