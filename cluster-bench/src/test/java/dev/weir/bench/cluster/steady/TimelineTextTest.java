package dev.weir.bench.cluster.steady;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.member.GroupEvents;
import dev.weir.bench.report.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimelineTextTest {
  private static final long SLOT_NS = ReplyTimeline.SLOT_NS;

  private final ReplyTimeline timeline = new ReplyTimeline(0);

  private void replies(int slot, int count) {
    for (int i = 0; i < count; i++) {
      timeline.onReply(slot * SLOT_NS + i * SLOT_NS / count);
    }
  }

  @Test
  void theLongestGapSinceItIsWatchedForIsFound() {
    replies(0, 10);
    replies(9, 10);
    timeline.watchGaps();
    replies(11, 1);

    assertThat(timeline.longestGap().ms()).isEqualTo(110);
  }

  @Test
  void theChartShowsTheOutageAndWhatHappenedLater() {
    for (int slot = 0; slot < 30; slot++) {
      replies(slot, slot < 10 || slot > 12 ? 10 : 0);
    }
    GroupEvents.Event kill = new GroupEvents.Event(10 * SLOT_NS, "kill a");
    GroupEvents.Event start = new GroupEvents.Event(25 * SLOT_NS, "start a");
    ReplyTimeline.Gap gap = new ReplyTimeline.Gap(10 * SLOT_NS, 13 * SLOT_NS);
    TimelineText text = new TimelineText(timeline, List.of(kill, start));

    assertThat(text.chart(10 * SLOT_NS, gap, 28 * SLOT_NS, 100))
        .startsWith("-000.3 s |##########..........| 10")
        .contains("+000.0 s |....................| 0 kill a", "...")
        .contains("+001.5 s |##########..........| 10 start a");
    assertThat(text.csv().lines()).contains("1000,0,kill a", "2900,10,").hasSize(31);
  }

  @Test
  void theChartShowsAGapThatBeginsLater() {
    for (int slot = 0; slot < 40; slot++) {
      replies(slot, slot == 25 ? 0 : 10);
    }
    ReplyTimeline.Gap gap = new ReplyTimeline.Gap(25 * SLOT_NS, 26 * SLOT_NS);

    assertThat(new TimelineText(timeline, List.of()).chart(10 * SLOT_NS, gap, 39 * SLOT_NS, 100))
        .containsSubsequence("...", "+001.5 s |....................| 0", "...");
  }

  @Test
  void aRowHasTheSlotsAndEventsOfItsTimeOnly() {
    for (int slot = 0; slot < 30; slot++) {
      replies(slot, slot + 1);
    }
    GroupEvents.Event before = new GroupEvents.Event(9 * SLOT_NS, "start a");
    GroupEvents.Event within = new GroupEvents.Event(11 * SLOT_NS, "add a");
    GroupEvents.Event after = new GroupEvents.Event(14 * SLOT_NS, "remove a");

    Row row =
        new TimelineText(timeline, List.of(before, within, after))
            .addTo(Row.of("any"), 10 * SLOT_NS, 12 * SLOT_NS);

    assertThat(row.extra().get("timeline"))
        .isEqualTo(
            Map.of(
                "slotMs", 100L, "replies", List.of(11, 12, 13), "events", List.of("0.100 add a")));
  }
}
