package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.queue.QueueSummary;
import java.io.IOException;

/** Writes the counts of a queue as JSON fields. */
final class Counts {
  private Counts() {}

  static void write(JsonGenerator object, QueueSummary summary) throws IOException {
    object.writeNumberField("waiting", summary.waiting());
    object.writeNumberField("scheduled", summary.scheduled());
    object.writeNumberField("dead", summary.dead());
    object.writeNumberField("transient", summary.transients());
    object.writeNumberField("bytes", summary.bytes());
    object.writeNumberField("packets", summary.packets());
  }
}
