package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.Role;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TestBatches;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.NoTransport;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A primary and its backup. The process of the backup has ended and another one runs, with an empty
 * log, when frames of the first one arrive.
 */
class LateFramesTest implements ReplicaClock {
  private static final long MS = 1_000_000;
  private static final int BODY_BYTES = 64;
  private static final int BOTH = 3;

  private record Sent(int to, ByteBuffer frame) {}

  private final GroupOptions options = new GroupOptions().setMembers(List.of("m0", "m1"));
  private final ReplicaCore[] cores = new ReplicaCore[2];
  private final Queue<Sent> frames = new ArrayDeque<>();

  /** What the process of the backup that runs now, or ran last, has sent. */
  private final List<ByteBuffer> ofBackup = new ArrayList<>();

  /** What the process before that has sent. */
  private List<ByteBuffer> ofEnded;

  private boolean holdsBatches;
  private long nowNs = MS;

  @BeforeAll
  static void quiet() {
    QuietLog.set();
  }

  @BeforeEach
  void theBackupIsInSyncEndsAndStartsAnew() {
    start(0);
    start(1);
    connect();
    run(3_000);
    assertThat(primary().machine().inSync()).isEqualTo(BOTH);
    for (long sequence = 1; sequence <= 10; sequence++) {
      ByteBuffer body = ByteBuffer.allocate(BODY_BYTES).putLong(0, sequence);
      assertThat(primary().offer(7, sequence, body, 0, Long.BYTES)).isEqualTo(OfferResult.ACCEPTED);
      primary().flush();
      run(100);
    }
    cores[1].sayGone();
    ofEnded = List.copyOf(ofBackup);
    ofBackup.clear();
    frames.clear();
    primary().onLost(1);
    primary().onRefused(1);
    assertThat(primary().machine().inSync()).isEqualTo(1);
    start(1);
    connect();
  }

  private ReplicaCore primary() {
    return cores[0];
  }

  private void start(int member) {
    Sessions sessions = new Sessions(64, BODY_BYTES, 10, 600_000);
    History history =
        new History(
            options,
            new MemoryTransactionLog(),
            sessions,
            new EventSourcing(new SumProcessor(), sessions, BODY_BYTES));
    NoTransport transport =
        new NoTransport() {
          @Override
          public boolean send(int to, ByteBuffer frame) {
            ByteBuffer copy = TestBatches.copy(frame);
            if (member == 1) {
              ofBackup.add(copy);
            }
            return to < cores.length && frames.add(new Sent(to, copy.duplicate()));
          }
        };
    ReplyOutlet replies =
        new ReplyOutlet() {
          @Override
          public boolean offer(
              boolean rejected, long client, long sequence, ByteBuffer body, int at, int length) {
            return true;
          }

          @Override
          public void onRole(Role role, long epoch) {}
        };
    cores[member] =
        new ReplicaCore(
            options,
            member,
            history,
            replies,
            (message, cause) -> {},
            transport,
            this,
            () -> {},
            () -> {});
  }

  private void connect() {
    cores[0].onConnected(1);
    cores[1].onConnected(0);
  }

  private void run(int ms) {
    for (int passed = 0; passed < ms; passed += 10) {
      nowNs += 10 * MS;
      for (ReplicaCore core : cores) {
        core.tick();
        for (CatchUp.Step step = core.catchUp().next();
            step != null;
            step = core.catchUp().next()) {
          step.run(() -> {});
          step.complete();
        }
      }
      deliverAll();
    }
  }

  private void deliverAll() {
    for (Sent next = frames.poll(); next != null; next = frames.poll()) {
      if (!holdsBatches || Frames.type(next.frame()) != Frames.APPEND) {
        cores[next.to()].onFrame(1 - next.to(), next.frame());
      }
    }
  }

  private void arrivesLate(int type) {
    ByteBuffer last = null;
    for (ByteBuffer frame : ofEnded) {
      last = Frames.type(frame) == type ? frame : last;
    }
    primary().onFrame(1, last);
  }

  @Test
  void aProcessThatIsGoneDoesNotTakeTheNextOneWithIt() {
    run(1_000);
    assertThat(primary().machine().inSync()).isEqualTo(BOTH);
    arrivesLate(Frames.GONE);
    run(3_000);
    assertThat(primary().machine().inSync()).isEqualTo(BOTH);
    assertThat(primary().isAccepting()).isTrue();
  }

  @Test
  void aProcessThatIsGoneSpeaksForItself() {
    run(1_000);
    cores[1].sayGone();
    deliverAll();
    assertThat(primary().machine().inSync()).isEqualTo(1);
    assertThat(primary().isAccepting()).isTrue();
  }

  @Test
  void whatAnEndedProcessHeldDoesNotCountForTheNextOne() {
    holdsBatches = true;
    run(200);
    arrivesLate(Frames.CONTROL);
    assertThat(primary().machine().inSync()).as("the new process has no messages").isEqualTo(1);
    holdsBatches = false;
    cores[1].onLost(0);
    primary().onLost(1);
    connect();
    run(1_000);
    assertThat(primary().machine().inSync()).isEqualTo(BOTH);
  }

  @Test
  void whatAnEndedProcessAskedForAndGotDoesNotCountForTheNextOne() {
    holdsBatches = true;
    run(200);
    arrivesLate(Frames.FOLLOW);
    arrivesLate(Frames.ACK);
    run(10);
    assertThat(primary().machine().inSync()).as("the new process has no messages").isEqualTo(1);
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }

  @Override
  public long timeMs() {
    return 1_000_000 + nowNs / MS;
  }
}
