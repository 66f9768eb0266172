package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.failover.FailoverOutcome.FailoverRound;
import dev.weir.bench.cluster.member.GroupEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a timeline of replies and events as a chart of characters and as CSV. */
final class TimelineText {
  private static final int BAR = 20;
  private static final int LINES_BEFORE = 3;
  private static final int LINES_AFTER = 5;

  private final int[] slots;
  private final long startNs;
  private final List<GroupEvents.Event> events;

  TimelineText(ReplyTimeline timeline, List<GroupEvents.Event> events) {
    this.slots = timeline.slots();
    this.startNs = timeline.startNs();
    this.events = events;
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
   * The chart of a round: each slot from shortly before the fault until shortly after the outage,
   * and each later slot that has an event.
   */
  List<String> chart(FailoverRound round, int ratePerSec) {
    List<String> lines = new ArrayList<>();
    int strike = slot(round.strikeNs());
    int outageEnd = slot(Math.max(round.outage().toNs(), round.strikeNs()));
    boolean left = false;
    for (int slot = Math.max(0, strike - LINES_BEFORE);
        slot <= Math.min(slot(round.endNs()), slots.length - 1);
        slot++) {
      String happened = happened(slot);
      if (slot <= outageEnd + LINES_AFTER || !happened.isEmpty()) {
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

  private int slot(long timeNs) {
    return (int) Math.floorDiv(timeNs - startNs, ReplyTimeline.SLOT_NS);
  }

  private String happened(int slot) {
    return String.join(
        ", ",
        events.stream()
            .filter(event -> slot(event.timeNs()) == slot)
            .map(GroupEvents.Event::text)
            .toList());
  }
}
