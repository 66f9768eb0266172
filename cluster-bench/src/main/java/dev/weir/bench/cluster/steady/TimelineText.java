package dev.weir.bench.cluster.steady;

import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.report.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Writes a timeline of replies and events as a chart of characters, as CSV and into a row. */
public final class TimelineText {
  private static final int BAR = 20;
  private static final int LINES_BEFORE = 3;
  private static final int LINES_AFTER = 5;

  private final int[] slots;
  private final ReplyTimeline timeline;
  private final List<GroupEvents.Event> events;

  public TimelineText(ReplyTimeline timeline, List<GroupEvents.Event> events) {
    this.slots = timeline.slots();
    this.timeline = timeline;
    this.events = events;
  }

  /** Adds all slots, and the events since the driver began, to a row, for a chart. */
  public Row addTo(Row row) {
    return addTo(row, timeline.startNs(), Long.MAX_VALUE);
  }

  /** Adds the slots and events of this time to a row; they count from its beginning. */
  public Row addTo(Row row, long fromNs, long toNs) {
    int from = Math.min(slots.length, Math.max(0, timeline.slot(fromNs)));
    int to = Math.max(from, Math.min(slots.length, timeline.slot(toNs) + 1));
    List<String> history =
        events.stream()
            .filter(event -> event.timeNs() >= fromNs && event.timeNs() <= toNs)
            .map(
                event ->
                    String.format(
                        Locale.ROOT, "%.3f %s", (event.timeNs() - fromNs) / 1e9, event.text()))
            .toList();
    return row.timeline(
        ReplyTimeline.SLOT_NS / 1_000_000, Arrays.copyOfRange(slots, from, to), history);
  }

  /** Writes the lines of {@link #csv} to a file. */
  public void write(Path file) throws IOException {
    Files.writeString(file, csv());
  }

  /** One line for each slot: milliseconds since the start, number of replies, events. */
  String csv() {
    StringBuilder text = new StringBuilder("ms,replies,events\n");
    for (int slot = 0; slot < slots.length; slot++) {
      text.append(slot * ReplyTimeline.SLOT_NS / 1_000_000)
          .append(',')
          .append(slots[slot])
          .append(',')
          .append(happened(slot).replace(',', ';'))
          .append('\n');
    }
    return text.toString();
  }

  /**
   * A chart with a line for each slot about a time and about a gap, and for each other slot that
   * has an event.
   *
   * @param fromNs 0 s in the chart, near its beginning
   * @param endNs the end of the chart
   */
  public List<String> chart(long fromNs, ReplyTimeline.Gap gap, long endNs, int ratePerSec) {
    List<String> lines = new ArrayList<>();
    int strike = timeline.slot(fromNs);
    boolean left = false;
    for (int slot = Math.max(0, strike - LINES_BEFORE);
        slot <= Math.min(timeline.slot(endNs), slots.length - 1);
        slot++) {
      String happened = happened(slot);
      boolean isNear =
          slot <= strike + LINES_AFTER
              || slot >= timeline.slot(gap.fromNs())
                  && slot <= timeline.slot(gap.toNs()) + LINES_AFTER;
      if (isNear || !happened.isEmpty()) {
        lines.add(line(slot, strike, ratePerSec, happened));
        left = false;
      } else if (!left) {
        lines.add("...");
        left = true;
      }
    }
    return lines;
  }

  private String line(int slot, int strike, int ratePerSec, String happened) {
    double seconds = (slot - strike) * ReplyTimeline.SLOT_NS / 1e9;
    double share = slots[slot] / (ratePerSec * ReplyTimeline.SLOT_NS / 1e9);
    // Half a bar is the rate, because replies exceed it after an outage.
    int full = (int) Math.min(BAR, Math.round(share * BAR / 2));
    return String.format(
            Locale.ROOT,
            "%+06.1f s |%s%s| %d %s",
            seconds,
            "#".repeat(full),
            ".".repeat(BAR - full),
            slots[slot],
            happened)
        .stripTrailing();
  }

  private String happened(int slot) {
    return String.join(
        ", ",
        events.stream()
            .filter(event -> timeline.slot(event.timeNs()) == slot)
            .map(GroupEvents.Event::text)
            .toList());
  }
}
