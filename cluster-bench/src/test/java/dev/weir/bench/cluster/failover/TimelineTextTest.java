package dev.weir.bench.cluster.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.failover.FailoverOutcome.FailoverRound;
import dev.weir.bench.cluster.member.GroupEvents;
import java.util.List;
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
    FailoverRound round =
        new FailoverRound(
            10 * SLOT_NS,
            28 * SLOT_NS,
            new ReplyTimeline.Gap(10 * SLOT_NS, 13 * SLOT_NS),
            100,
            0,
            null);

    TimelineText text = new TimelineText(timeline, List.of(kill, start));

    assertThat(text.chart(round, 100))
        .startsWith("-000.3 s |##########..........| 10")
        .contains("+000.0 s |....................| 0 kill a", "...")
        .contains("+001.5 s |##########..........| 10 start a");
    assertThat(text.csv().lines()).contains("1000,0,kill a", "2900,10,").hasSize(31);
  }
}
