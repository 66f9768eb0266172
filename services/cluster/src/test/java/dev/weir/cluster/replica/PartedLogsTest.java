package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TestBatches;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.NoTransport;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A leader and a backup whose logs have parted, as an operator forced first the one and then the
 * other: both have messages of epoch 1, then the leader some of epoch 2 and the backup some of
 * epoch 3.
 */
class PartedLogsTest {
  private static final int LEADER = 0;
  private static final int BACKUP = 1;
  private static final int BODY_BYTES = 100;
  private static final int MAX_END = 8;
  private static final long PROCESS = 7;
  private static final long EPOCH = 4;
  private static final Logger LOG = Logger.getLogger("dev.weir.cluster");

  private final GroupOptions options = new GroupOptions().setMembers(List.of("m0", "m1"));
  private final Queue<Runnable> frames = new ArrayDeque<>();
  private Leader leader;
  private Backup backup;

  @BeforeAll
  static void logNothing() {
    LOG.setLevel(Level.SEVERE);
  }

  @AfterAll
  static void logAgain() {
    LOG.setLevel(null);
  }

  private History history(long epoch, long endOfFirst, long end) {
    MemoryTransactionLog log = new MemoryTransactionLog();
    TestBatches.append(log, 1, endOfFirst);
    TestBatches.append(log, epoch, end);
    Sessions sessions = new Sessions(64, BODY_BYTES, 10, 600_000);
    return new History(
        options, log, sessions, new EventSourcing(new SumProcessor(), sessions, BODY_BYTES));
  }

  /** A transport that hands copies of its frames over when the sender has returned. */
  private NoTransport to(boolean toLeader) {
    return new NoTransport() {
      @Override
      public boolean send(int member, ByteBuffer frame) {
        ByteBuffer copy = TestBatches.copy(frame);
        return frames.add(() -> receive(toLeader, copy));
      }
    };
  }

  private void receive(boolean toLeader, ByteBuffer frame) {
    int type = Frames.type(frame);
    int content = Frames.content(frame);
    if (!toLeader) {
      backup.onFrame(LEADER, type, frame, EPOCH);
    } else if (type == Frames.FOLLOW) {
      leader.onFollow(
          BACKUP,
          frame.getLong(content),
          frame.getLong(content + Long.BYTES),
          Frames.end(frame, content + 2 * Long.BYTES));
    } else {
      leader.onAck(BACKUP, frame.getLong(content), frame.getLong(content + Long.BYTES));
    }
  }

  private void join(History leading, History following) {
    NoTransport toBackup = to(false);
    leader =
        new Leader(
            options, LEADER, leading, null, null, toBackup, ReplicaClock.SYSTEM, () -> 1, () -> {});
    backup = new Backup("group", false, following, to(true), 1_000, PROCESS);
    CatchUp catchUp =
        new CatchUp(leader, leading, toBackup, 1 << 10, 1 << 20, () -> {}, member -> {});
    leader.begin(EPOCH);
    backup.follow(LEADER, EPOCH);
    do {
      while (!frames.isEmpty()) {
        frames.remove().run();
      }
      for (CatchUp.Step step = catchUp.next(); step != null; step = catchUp.next()) {
        step.run(() -> {});
        step.complete();
      }
    } while (!frames.isEmpty());
  }

  @Test
  void theBackupEndsWithTheLogOfTheLeaderWhereverTheirEpochsEnd() {
    for (int first = 0; first <= MAX_END; first += 2) {
      for (int end = first; end <= MAX_END; end += 2) {
        for (int itsFirst = 0; itsFirst <= MAX_END; itsFirst += 2) {
          for (int itsEnd = itsFirst; itsEnd <= MAX_END; itsEnd += 2) {
            History leading = history(2, first, end);
            History following = history(3, itsFirst, itsEnd);
            join(leading, following);
            assertThat(TestBatches.read(following.log()))
                .as("leader %d, %d; backup %d, %d", first, end, itsFirst, itsEnd)
                .isEqualTo(TestBatches.read(leading.log()));
            assertThat(leader.committedBy(3)).isEqualTo(end);
          }
        }
      }
    }
  }

  @Test
  void anAcknowledgementToAnEarlierQuestionDoesNotCount() {
    join(history(2, 0, MAX_END), history(3, 0, 0));
    assertThat(leader.committedBy(3)).isEqualTo(MAX_END);
    long next = 100;
    leader.onFollow(BACKUP, PROCESS, next, LogEnd.EMPTY);
    leader.onAck(BACKUP, MAX_END, 1);
    assertThat(leader.committedBy(3)).as("its log may be empty now").isNegative();
    leader.onAck(BACKUP, MAX_END, next);
    assertThat(leader.committedBy(3)).isEqualTo(MAX_END);
  }

  @Test
  void aQuestionThatComesAfterALaterOneOfItsProcessIsNotAnswered() {
    join(history(2, 0, MAX_END), history(3, 0, 0));
    long last = PROCESS + 100;
    leader.onFollow(BACKUP, PROCESS, last, LogEnd.EMPTY);
    leader.onFollow(BACKUP, PROCESS, last - 1, LogEnd.EMPTY);
    leader.onAck(BACKUP, MAX_END, last);
    assertThat(leader.committedBy(3)).as("the backup answers its last question").isEqualTo(MAX_END);
    leader.onFollow(BACKUP, PROCESS - 5, 1, LogEnd.EMPTY);
    leader.onAck(BACKUP, MAX_END, last);
    assertThat(leader.committedBy(3)).as("another process has asked").isNegative();
  }
}
