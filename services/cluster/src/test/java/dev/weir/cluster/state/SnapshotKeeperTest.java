package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log that a member needs which gets a copy of the state. */
class SnapshotKeeperTest {
  private static final int KEPT = 4;
  private static final int A = 1;
  private static final int B = 2;

  @TempDir private Path directory;
  private StoredMember member;
  private long copied;

  @BeforeEach
  void open() {
    member = new StoredMember(directory, 0);
    snapshots(3);
    copied = member.log.snapshot().position();
    member.history.snapshots().need(A, copied);
  }

  @AfterEach
  void close() {
    member.close();
  }

  private void snapshots(int count) {
    for (int i = 0; i < count; i++) {
      member.append(1);
      member.takeSnapshot();
      member.writeSnapshot();
      member.finishSnapshot();
    }
  }

  @Test
  void theLogStaysWhileTheCopyIsSentAndUntilTheMemberHasCaughtUp() {
    snapshots(10);
    assertThat(member.log.start()).isLessThanOrEqualTo(copied);
    member.history.snapshots().sent(A, 0);
    snapshots(KEPT);
    assertThat(member.log.start()).isLessThanOrEqualTo(copied);
    member.history.snapshots().needNothing(A);
    snapshots(1);
    assertThat(member.log.start()).isGreaterThan(copied);
  }

  @Test
  void theLogOfAMemberThatNeverCatchesUpIsTrimmedInTheEnd() {
    member.history.snapshots().sent(A, 0);
    snapshots(KEPT);
    assertThat(member.log.start()).isLessThanOrEqualTo(copied);
    snapshots(1);
    assertThat(member.log.start()).isGreaterThan(copied);
  }

  @Test
  void theLogOfOneMemberStaysWhenAnotherHasCaughtUp() {
    snapshots(2);
    member.history.snapshots().need(B, member.log.snapshot().position());
    member.history.snapshots().needNothing(B);
    snapshots(2);
    assertThat(member.log.start()).isLessThanOrEqualTo(copied);
  }

  @Test
  void aMemberThatIsSentALaterCopyDoesNotKeepTheLogOfTheFirst() {
    snapshots(2);
    member.history.snapshots().need(A, member.log.snapshot().position());
    snapshots(2);
    assertThat(member.log.start()).isGreaterThan(copied);
  }
}
