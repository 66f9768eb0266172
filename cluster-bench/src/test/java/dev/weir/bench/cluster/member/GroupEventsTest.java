package dev.weir.bench.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GroupEventsTest {
  private static final Duration NOW = Duration.ZERO;

  private final GroupEvents events = new GroupEvents(2, "processor");

  @Test
  void aGroupIsInSyncWhenItsPrimarySaysSo() throws Exception {
    events.onLine("a", "a processor: primary, epoch 3");
    assertThatThrownBy(() -> events.awaitInSync(NOW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("all members in sync", "a primary 3");

    events.onLine("a", "12:00:00.000 INFO x.Y: group processor: in sync are a b in epoch 3");

    assertThat(events.awaitInSync(NOW)).isEqualTo(new GroupEvents.Primary("a", 3));
  }

  @Test
  void aNewPrimaryIsAloneInSync() throws Exception {
    events.onLine("a", "a processor: primary, epoch 3");
    events.onLine("a", "group processor: in sync are a b in epoch 3");
    events.onLine("b", "b processor: primary, epoch 4");
    events.onLine("a", "group processor: in sync are a b in epoch 3");

    assertThat(events.awaitPrimaryAfter(3, NOW)).isEqualTo(new GroupEvents.Primary("b", 4));
    assertThatThrownBy(() -> events.awaitInSync(NOW)).isInstanceOf(IOException.class);
    assertThat(events.stale()).isZero();
  }

  @Test
  void aPrimaryThatGoesOnWithoutItsBackupIsWaitedFor() throws Exception {
    events.onLine("a", "a processor: primary, epoch 3");
    events.onLine("a", "group processor: in sync are a b in epoch 3");
    assertThatThrownBy(() -> events.awaitWithout(NOW)).isInstanceOf(IOException.class);

    events.onLine("a", "group processor: in sync are a in epoch 3");

    events.awaitWithout(NOW);
  }

  @Test
  void nothingIsWaitedForWhenAMemberHasEndedByItself() {
    events.onEnd("b", "the child JVM ended with exit code 1; last output: port 5 cannot be had");

    assertThatThrownBy(() -> events.awaitInSync(Duration.ofDays(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("all members in sync", "member b has ended", "port 5");
  }

  @Test
  void aSecondPrimaryOfAnEpochIsCounted() {
    events.onLine("a", "a processor: primary, epoch 3");
    events.onLine("b", "b processor: primary, epoch 4");
    events.onLine("a", "a processor: primary, epoch 3");
    events.onLine("a", "a processor: primary, epoch 4");

    assertThat(events.stale()).isEqualTo(2);
    assertThat(events.epoch()).isEqualTo(4);
  }
}
