package dev.weir.queue.tool;

import dev.weir.queue.DamagedPacket;
import dev.weir.queue.LogFault;
import dev.weir.queue.LostPackets;
import dev.weir.queue.QueueCheck;
import dev.weir.queue.VerifyReport;
import java.util.ArrayList;
import java.util.List;

/** The findings of a check as lines of text. */
final class VerifyText {
  private VerifyText() {}

  static List<String> of(VerifyReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "log: %d files, %d bytes, %d entries intact, %d faults"
            .formatted(
                report.logFiles(), report.logBytes(), report.logEntries(), report.faults().size()));
    report.faults().forEach(fault -> lines.add(of(fault)));
    if (report.openFailure() != null) {
      lines.add(report.openFailure());
    }
    for (QueueCheck queue : report.queues()) {
      lines.add(of(queue));
      queue.damaged().forEach(packet -> lines.add("  " + of(packet)));
    }
    report.lost().forEach(lost -> lines.add(of(lost)));
    lines.add(
        report.ok()
            ? "intact"
            : "damaged: %d messages are readable, %d are known to be lost"
                .formatted(report.readableMessages(), report.lostMessages()));
    return lines;
  }

  private static String of(LogFault fault) {
    String line =
        "%s offset %d: %s, %d bytes"
            .formatted(fault.file(), fault.offset(), fault.what(), fault.bytes());
    return fault.endOfLog()
        ? line + "; the log ends in " + fault.lostBytes() + " bytes from there on"
        : line;
  }

  private static String of(QueueCheck queue) {
    return "queue %s: %d waiting, %d scheduled, %d dead, %d transient, %d packets; %d damaged"
        .formatted(
            queue.queue(),
            queue.waiting(),
            queue.scheduled(),
            queue.dead(),
            queue.transients(),
            queue.packets(),
            queue.damaged().size());
  }

  static String of(DamagedPacket packet) {
    String place =
        packet.file() == null ? "" : " (" + packet.file() + " offset " + packet.offset() + ")";
    return "queue %s: packet %d with %d messages %s%s"
        .formatted(packet.queue(), packet.sequence(), packet.messages(), packet.what(), place);
  }

  static String of(LostPackets lost) {
    return "lost: " + lost.text();
  }
}
