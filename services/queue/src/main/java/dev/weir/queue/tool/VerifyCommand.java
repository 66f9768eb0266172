package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.queue.DamagedPacket;
import dev.weir.queue.LogFault;
import dev.weir.queue.LostPackets;
import dev.weir.queue.QueueCheck;
import dev.weir.queue.QueueVerifier;
import dev.weir.queue.VerifyReport;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

/** Checks everything. */
@Command(
    name = "verify",
    description = {
      "Finds damage and says what is lost.",
      "Checks every byte of the log and every packet, and says what is damaged, where, and what"
          + " is lost by it. Changes nothing; run it before the store is opened again, because"
          + " opening cuts off a damaged end. The exit code is 1 if anything is damaged."
    })
final class VerifyCommand extends DirectoryCommand {
  @Override
  public Integer call() throws IOException {
    VerifyReport report = QueueVerifier.verify(directory);
    if (json) {
      try (Json out = new Json(tool.out())) {
        write(out.start(), report);
        out.end();
      }
    } else {
      VerifyText.of(report).forEach(this::print);
    }
    return report.ok() ? ExitCodes.OK : ExitCodes.FOUND;
  }

  private static void write(JsonGenerator object, VerifyReport report) throws IOException {
    object.writeBooleanField("ok", report.ok());
    object.writeNumberField("logFiles", report.logFiles());
    object.writeNumberField("logBytes", report.logBytes());
    object.writeNumberField("logEntries", report.logEntries());
    object.writeNumberField("readableMessages", report.readableMessages());
    object.writeNumberField("lostMessages", report.lostMessages());
    if (report.openFailure() != null) {
      object.writeStringField("openFailure", report.openFailure());
    }
    object.writeArrayFieldStart("faults");
    for (LogFault fault : report.faults()) {
      write(object, fault);
    }
    object.writeEndArray();
    object.writeArrayFieldStart("queues");
    for (QueueCheck queue : report.queues()) {
      write(object, queue);
    }
    object.writeEndArray();
    write(object, "lost", report.lost());
    write(object, "again", report.again());
  }

  private static void write(JsonGenerator object, LogFault fault) throws IOException {
    object.writeStartObject();
    object.writeStringField("file", fault.file());
    object.writeNumberField("offset", fault.offset());
    object.writeNumberField("bytes", fault.bytes());
    object.writeBooleanField("endOfLog", fault.endOfLog());
    object.writeNumberField("lostBytes", fault.lostBytes());
    object.writeStringField("what", fault.what());
    object.writeEndObject();
  }

  private static void write(JsonGenerator object, QueueCheck queue) throws IOException {
    object.writeStartObject();
    object.writeStringField("queue", queue.queue());
    object.writeNumberField("packets", queue.packets());
    object.writeNumberField("waiting", queue.waiting());
    object.writeNumberField("scheduled", queue.scheduled());
    object.writeNumberField("dead", queue.dead());
    object.writeNumberField("transient", queue.ofNoUse());
    object.writeArrayFieldStart("damaged");
    for (DamagedPacket packet : queue.damaged()) {
      object.writeStartObject();
      object.writeNumberField("sequence", packet.sequence());
      object.writeNumberField("messages", packet.messages());
      if (packet.file() != null) {
        object.writeStringField("file", packet.file());
        object.writeNumberField("offset", packet.offset());
      }
      object.writeStringField("what", packet.what());
      object.writeEndObject();
    }
    object.writeEndArray();
    object.writeEndObject();
  }

  private static void write(JsonGenerator object, String name, List<LostPackets> packets)
      throws IOException {
    object.writeArrayFieldStart(name);
    for (LostPackets lost : packets) {
      object.writeStartObject();
      if (lost.queue() != null) {
        object.writeStringField("queue", lost.queue());
      }
      object.writeNumberField("packets", lost.packets());
      object.writeNumberField("messages", lost.messages());
      object.writeNumberField("firstSequence", lost.firstSequence());
      object.writeNumberField("lastSequence", lost.lastSequence());
      object.writeStringField("why", lost.why());
      object.writeEndObject();
    }
    object.writeEndArray();
  }
}
