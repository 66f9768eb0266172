package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Await;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class HandOverTest {
  @TempDir Path directory;

  @Test
  void aPrimaryHandsItsRoleOverAndFollows() {
    try (TestGroup group = new TestGroup(TestGroup.patient(), 2, directory, false).startAll()) {
      group.awaitInSync(2);
      group.send(1, 10);
      int first = group.primary();
      group.member(first).handOver();
      Await.until(
          () -> "the other one leads: " + group.describe(), () -> group.primary() == 1 - first);
      group.awaitInSync(2);
      group.send(11, 20);
      assertThat(group.member(first).stats().role()).isEqualTo(Role.BACKUP);
      assertThatThrownBy(() -> group.member(first).handOver())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("this member is not primary");
    }
  }

  @Test
  @Tag("slow")
  void theNamedMemberTakesOver() {
    // Of three, a process does not vote before it has run for a takeover.
    GroupOptions options =
        TestGroup.patient().setHeartbeatMs(200).setLeaseMs(2_000).setTakeoverMs(4_000);
    try (TestGroup group = new TestGroup(options, 3, directory, false).startAll()) {
      group.awaitInSync(3);
      group.send(1, 10);
      String last = group.member(2).options().getMembers().get(2);
      ProcessorGroup first = group.member(group.awaitPrimary());
      assertThatThrownBy(() -> first.handOver("z"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("z is not another member in sync");
      Await.until(() -> last + " leads: " + group.describe(), () -> leads(group, 2));
      group.awaitInSync(3);
      group.send(11, 20);
    }
  }

  /** Hands the role over again when another member was faster: the member is asked, not obeyed. */
  private static boolean leads(TestGroup group, int wanted) {
    int primary = group.primary();
    if (primary >= 0 && primary != wanted) {
      try {
        group.member(primary).handOver(group.member(wanted).options().getMembers().get(wanted));
      } catch (IllegalStateException e) {
        // It is primary no more, or not in sync yet.
      }
    }
    return primary == wanted;
  }

  @Test
  void aPrimaryAloneKeepsItsRole() {
    try (TestGroup group = new TestGroup(TestGroup.patient(), 1, directory, false).startAll()) {
      group.awaitInSync(1);
      assertThatThrownBy(() -> group.member(0).handOver())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no other member is in sync");
      group.send(1, 10);
    }
  }
}
