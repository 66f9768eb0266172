package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replica knows of the others, for operators. */
class GroupViewTest {
  @TempDir Path directory;

  private static GroupView.Peer peer(ProcessorGroup group, String name) {
    return group.view().peers().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void eachMemberKnowsWhereTheOthersAre() {
    try (TestGroup group = new TestGroup(TestGroup.patient(), 2, directory, false).startAll()) {
      int primary = group.awaitPrimary();
      group.awaitInSync(2);
      group.send(1, 50);
      ProcessorGroup leader = group.member(primary);
      ProcessorGroup backup = group.member(1 - primary);

      Await.until(
          () -> "the primary knows that the backup has all: " + leader.view(),
          () -> isLevel(peer(leader, "m" + (1 - primary)), 50));
      Await.until(
          () -> "the backup knows that it has all: " + backup.view(),
          () -> isLevel(peer(backup, "m" + primary), 50) && backup.view().behind() == 0);
      assertThat(leader.view().behind()).isZero();
      assertThat(leader.view().peers()).hasSize(1);
      assertThat(leader.view().changes().get(0))
          .matches(change -> change.role() == Role.PRIMARY && change.epoch() > 0)
          .matches(change -> change.primary().equals("m" + primary))
          .matches(change -> System.currentTimeMillis() - change.atMs() < 600_000);
      assertThat(backup.view().changes().get(0))
          .matches(change -> change.role() == Role.BACKUP && change.atMs() > 0)
          .matches(change -> change.primary().equals("m" + primary));
    }
  }

  private static boolean isLevel(GroupView.Peer peer, long position) {
    return peer.connected()
        && peer.inSync()
        && peer.position() == position
        && peer.behind() == 0
        && peer.behindMs() == 0
        && peer.silentMs() >= 0;
  }

  @Test
  void aMemberThatIsKilledIsNotConnectedAndTheOtherChangesItsRole() {
    try (TestGroup group = new TestGroup(TestGroup.patient(), 2, directory, false).startAll()) {
      int primary = group.awaitPrimary();
      group.awaitInSync(2);
      group.send(1, 10);
      ProcessorGroup left = group.member(1 - primary);

      group.kill(primary);

      Await.until(
          () -> "the other leads: " + left.view(),
          () -> left.view().changes().get(0).role() == Role.PRIMARY);
      GroupView.Peer gone = peer(left, "m" + primary);
      assertThat(gone.connected()).isFalse();
      assertThat(gone.silentMs()).isEqualTo(-1);
      assertThat(gone.behind()).isEqualTo(-1);
      List<Role> roles = left.view().changes().stream().map(GroupView.RoleChange::role).toList();
      assertThat(roles).startsWith(Role.PRIMARY).contains(Role.BACKUP);
      assertThat(roles.size()).isLessThanOrEqualTo(GroupView.MAX_CHANGES);
    }
  }

  @Test
  void aWitnessHoldsNothingAndLacksNothing() {
    GroupOptions options = TestGroup.patient().setWitness("m2");
    try (TestGroup group = new TestGroup(options, 3, directory, false).startAll()) {
      ProcessorGroup leader = group.member(group.awaitPrimary());
      group.awaitInSync(2);
      group.send(1, 10);
      Await.until(
          () -> "the witness is heard: " + leader.view(), () -> peer(leader, "m2").connected());
      GroupView.Peer witness = peer(leader, "m2");
      assertThat(witness.witness()).isTrue();
      assertThat(witness.inSync()).isFalse();
      assertThat(List.of(witness.position(), witness.behind(), witness.behindMs()))
          .containsOnly(-1L);
      assertThat(group.member(2).view().behind()).isEqualTo(-1);
    }
  }

  @Test
  void aReplicaThatHasFailedSaysSoAmongItsChanges() {
    try (TestGroup group = new TestGroup(new GroupOptions(), 1, directory, false)) {
      group.failsAt.put(0, 3L);
      group.startAll().awaitPrimary();
      group.send(1, 2);
      group.onRestore =
          () -> {
            throw new IllegalStateException("cannot be restored");
          };
      group.offer(3);
      Await.until(
          () -> "it has failed: " + group.member(0).view(),
          () -> group.member(0).stats().role() == Role.WAITING);
      assertThat(group.member(0).view().changes().get(0))
          .matches(change -> change.role() == Role.WAITING && change.primary() == null);
    }
  }

  @Test
  void aReplicaThatIsClosedCanStillBeLookedAt() {
    try (TestGroup group = new TestGroup(new GroupOptions(), 1, directory, false).startAll()) {
      group.awaitPrimary();
      group.send(1, 5);
      ProcessorGroup closed = group.member(0);
      group.closeGracefully(0);
      assertThat(closed.view().stats().logEnd()).isEqualTo(5);
      assertThat(closed.view().changes().get(0).role()).isEqualTo(Role.WAITING);
    }
  }
}
