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
    report.lost().forEach(lost -> lines.add("lost: " + of(lost)));
    report.redelivered().forEach(each -> lines.add("delivered again: " + of(each)));
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
        ? line + "; opening the store cuts off the last " + fault.lostBytes() + " bytes there"
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

  private static String of(LostPackets lost) {
    String queue = lost.queue() == null ? "a queue whose name is unknown" : "queue " + lost.queue();
    return "%s: up to %d packets with %d messages, sequences %d to %d: %s"
        .formatted(
            queue,
            lost.packets(),
            lost.messages(),
            lost.firstSequence(),
            lost.lastSequence(),
            lost.why());
  }
}
