package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TestBatches;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.transport.NoTransport;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A follower that takes no part of a snapshot for a while. */
@Timeout(60)
class CatchUpTest {
  private static final int BODY_BYTES = 64;
  private static final int PAUSES = 1_000;
  private static final long SNAPSHOT_BYTES = 1 << 20;
  private static final int LARGE_BODY_BYTES = 100_000;
  private static final int MOST_MESSAGES = 200;

  private final GroupOptions options =
      new GroupOptions().setMembers(List.of("m0", "m1", "m2")).setSnapshotBytes(SNAPSHOT_BYTES);
  private final Sessions sessions = new Sessions(16, BODY_BYTES, 2, 600_000);
  private final History history =
      new History(
          options,
          new MemoryTransactionLog(),
          sessions,
          new EventSourcing(new SumProcessor(), sessions, BODY_BYTES));
  private int others;
  private int pauses;

  private final Transport transport =
      new NoTransport() {
        @Override
        public boolean send(int member, ByteBuffer frame) {
          return member == 2 || others > 0 || pauses > PAUSES;
        }
      };

  private final ReplySink replies = (client, sequence, buffer, offset, length) -> {};
  private final Leader leader =
      new Leader(
          options,
          0,
          history,
          ReplyOutlet.to(replies),
          (message, cause) -> {},
          transport,
          ReplicaClock.SYSTEM,
          () -> 1,
          () -> {});

  private void snapshot() {
    history.snapshots().demand();
    assertThat(history.takeSnapshotIfDue()).isTrue();
    history.snapshots().write(history.snapshots().taken());
    history.snapshots().written();
  }

  private CatchUp catchUp(Runnable pause) {
    history.append(TestBatches.batch(1, 0, 2, Long.BYTES));
    snapshot();
    leader.begin(1);
    leader.followers().catchUpFromSnapshot(1);
    return new CatchUp(leader, history, transport, 1_000, 1 << 20, pause, member -> {});
  }

  @Test
  void snapshotsOfOthersAreWrittenMeanwhile() {
    CatchUp catchUp = catchUp(() -> pauses++);

    CatchUp.Step step = catchUp.next();
    step.run(() -> others++);
    step.complete();

    assertThat(others).as("tries to write others").isPositive();
    assertThat(pauses).as("waits before that").isLessThan(PAUSES);
    assertThat(catchUp.next()).as("the follower is live").isNull();
  }

  @Test
  void aFollowerThatNeedsOnlyLogDoesNotWaitForTheEndOfACopy() {
    CatchUp catchUp = catchUp(() -> pauses++);
    CatchUp.Step copy = catchUp.next();
    leader.followers().catchUpFromLog(2, 0);

    copy.run(
        () -> {
          CatchUp.Step step = catchUp.meanwhile();
          if (step == null) {
            others++;
          } else {
            step.run(() -> {});
            step.complete();
          }
        });

    assertThat(others).as("the second follower is live").isPositive();
    assertThat(pauses).as("waits before that").isLessThan(PAUSES);
  }

  @Test
  void followersThatNeedLogHaveTurns() {
    Followers followers = leader.followers();
    followers.catchUpFromLog(1, 0);
    followers.catchUpFromLog(2, 0);
    List<Integer> turns = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      turns.add(followers.nextInLog().member());
    }
    assertThat(turns).containsExactly(1, 2, 1, 2);
  }

  @Test
  void howLongThatTakesDoesNotEndTheCopy() {
    CatchUp catchUp = catchUp(() -> pauses++);

    CatchUp.Step step = catchUp.next();
    step.run(this::growMuch);
    step.complete();

    assertThat(catchUp.next().getClass().getSimpleName()).isEqualTo("SendLog");
  }

  private void growMuch() {
    others++;
    for (int i = 0; i < 30; i++) {
      grow();
    }
    assertThat(history.end().position() * LARGE_BODY_BYTES).isGreaterThan(5 * SNAPSHOT_BYTES);
  }

  @Test
  void theLogAfterACopyIsKeptUntilTheFollowerHasIt() {
    pauses = PAUSES + 1;
    CatchUp catchUp = catchUp(() -> {});
    CatchUp.Step copy = catchUp.next();
    copy.run(() -> {});
    copy.complete();
    for (int i = 0; i < 3; i++) {
      grow();
      snapshot();
    }
    assertThat(history.log().start()).as("start of the log before").isLessThanOrEqualTo(2);

    for (CatchUp.Step step = catchUp.next(); step != null; step = catchUp.next()) {
      assertThat(step.getClass().getSimpleName()).isEqualTo("SendLog");
      step.run(() -> {});
      step.complete();
    }
    grow();
    snapshot();
    assertThat(history.log().start()).as("start of the log after it").isGreaterThan(2);
  }

  private void grow() {
    assertThat(history.end().position()).as("end of the log").isLessThan(MOST_MESSAGES);
    history.append(TestBatches.batch(1, history.end().position(), 2, LARGE_BODY_BYTES));
  }

  @Test
  void aCopyThatIsSlowerThanTheLogGrowsIsBegunAgain() {
    CatchUp catchUp = catchUp(this::grow);
    CatchUp.Step step = catchUp.next();
    step.run(() -> {});
    assertThat(history.end().position() * LARGE_BODY_BYTES).isGreaterThan(4 * SNAPSHOT_BYTES);
    snapshot();
    snapshot();
    assertThat(history.log().start()).as("start of the log meanwhile").isLessThanOrEqualTo(2);
    step.complete();

    grow();
    snapshot();
    assertThat(history.log().start()).as("start of the log after it").isGreaterThan(2);
    pauses = PAUSES + 1;
    CatchUp.Step later = catchUp.next();
    later.run(() -> {});
    later.complete();
    assertThat(catchUp.next()).as("the follower has all by the later snapshot").isNull();
  }
}
