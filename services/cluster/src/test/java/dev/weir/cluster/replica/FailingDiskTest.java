package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import dev.weir.cluster.State;
import dev.weir.cluster.StateReplicatedProcessor;
import dev.weir.cluster.log.JeTransactionLog;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.state.StateReplication;
import dev.weir.cluster.transport.NoTransport;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary whose disk fails where a handler needs an object of it. */
class FailingDiskTest implements ReplySink, StateReplicatedProcessor {
  private static final int BODY_BYTES = 64;
  private static final long GOOD = 1;

  /** The log fails, and the handler hides it. */
  private static final long HIDDEN = 2;

  /** The log fails, and the handler throws something else. */
  private static final long WRAPPED = 3;

  @TempDir private Path directory;
  private final GroupOptions options = new GroupOptions().setMembers(List.of("m0", "m1"));
  private final List<ByteBuffer> sent = new ArrayList<>();
  private final List<Throwable> rejected = new ArrayList<>();
  private JeTransactionLog log;
  private History history;
  private Leader leader;

  @BeforeEach
  void open() {
    QuietLog.set();
    log = JeTransactionLog.open(directory);
    Sessions sessions = new Sessions(16, BODY_BYTES, 2, 600_000);
    StateReplication handling =
        new StateReplication(this, sessions, BODY_BYTES, log.objects(true), new State.Heap(0));
    history = new History(options, log, sessions, handling);
    leader =
        new Leader(
            options,
            0,
            history,
            ReplyOutlet.to(this),
            (message, cause) -> rejected.add(cause),
            new NoTransport() {
              @Override
              public boolean send(int member, ByteBuffer frame) {
                return sent.add(frame);
              }
            },
            ReplicaClock.SYSTEM,
            () -> 1,
            () -> {});
    leader.begin(1);
    leader.followers().catchUpFromLog(1, 0);
    leader.followers().goLive(leader.followers().nextBehind());
    for (long sequence = 1; sequence <= 20; sequence++) {
      offer(sequence, GOOD);
    }
    leader.flush();
    assertThat(sent).hasSize(1);
    sent.clear();
  }

  @Override
  public void onMessage(Inbound message, State state, Outbound out) {
    long what = message.buffer().getLong(message.offset());
    if (what == GOOD) {
      state.put(message.sequence(), ByteBuffer.allocate(BODY_BYTES));
    } else {
      log.close();
      try {
        state.get(1);
      } catch (LogException e) {
        if (what == WRAPPED) {
          throw new IllegalStateException("it has no object", e);
        }
      }
    }
    out.claim(Long.BYTES);
    out.commit(Long.BYTES);
  }

  private OfferResult offer(long sequence, long what) {
    ByteBuffer body = ByteBuffer.allocate(Long.BYTES).putLong(0, what);
    return leader.take(7, sequence, body, 0, Long.BYTES);
  }

  private void assertNothingComesOfIt(long what) {
    assertThat(offer(21, GOOD)).isEqualTo(OfferResult.ACCEPTED);
    assertThatThrownBy(() -> offer(22, what)).isInstanceOf(LogException.class);
    assertThat(rejected).isEmpty();
    assertThatThrownBy(leader::flush).isInstanceOf(LogException.class);
    assertThat(sent).as("what a log that has failed cannot take").isEmpty();
  }

  @Test
  void aFailureThatTheHandlerHidesIsNoResultOfTheMessage() {
    assertNothingComesOfIt(HIDDEN);
  }

  @Test
  void aFailureThatTheHandlerWrapsRejectsNoMessage() {
    assertNothingComesOfIt(WRAPPED);
  }

  /** A replica that only reads would keep its role otherwise. */
  @Test
  void aFailureBelowAReadIsSeenWhenTimePasses() {
    history.tick();
    log.close();
    assertThatThrownBy(() -> history.handling().readable().get(1)).isInstanceOf(LogException.class);
    assertThatThrownBy(history::tick).isInstanceOf(LogException.class);
  }

  /** The primary of a group of its own, with more objects than it has in memory. */
  private GroupReplica alone() {
    log.close();
    log = JeTransactionLog.open(directory.resolve("alone"));
    Sessions sessions = new Sessions(16, BODY_BYTES, 2, 600_000);
    GroupOptions one = new GroupOptions().setMembers(List.of("m0"));
    StateReplication handling =
        new StateReplication(this, sessions, BODY_BYTES, log.objects(true), new State.Heap(0));
    GroupReplica replica =
        new GroupReplica(
            one,
            0,
            new History(one, log, sessions, handling),
            ReplyOutlet.to(this),
            (message, cause) -> rejected.add(cause),
            new NoTransport());
    Await.until(
        "it is primary",
        () -> {
          replica.tick();
          return replica.stats().accepting();
        });
    ByteBuffer body = ByteBuffer.allocate(Long.BYTES).putLong(0, GOOD);
    for (long sequence = 1; sequence <= 20; sequence++) {
      assertThat(replica.offer(7, sequence, body, 0, Long.BYTES)).isEqualTo(OfferResult.ACCEPTED);
    }
    replica.flush();
    log.close();
    return replica;
  }

  private record Reading(long id) implements State.Reader {
    @Override
    public void read(State state) {
      assertThat(state.get(id)).isNotNull();
    }

    @Override
    public void onConfirmed() {}

    @Override
    public void onLost() {}
  }

  @Test
  void aReplicaEndsWithTheReadBelowWhichItsDiskFails() {
    GroupReplica replica = alone();
    assertThat(replica.read(new Reading(20))).isEqualTo(OfferResult.ACCEPTED);
    assertThat(replica.stats().accepting()).isTrue();
    assertThat(replica.read(new Reading(1))).isEqualTo(OfferResult.NOT_PRIMARY);
    assertThat(replica.stats().accepting()).isFalse();
    assertThat(replica.stats().role()).isEqualTo(Role.WAITING);
  }

  @Test
  void aReplicaEndsWhenTimePassesAndItsReadersHaveHiddenThatTheDiskFails() {
    GroupReplica replica = alone();
    replica.readHere(
        state -> assertThatThrownBy(() -> state.get(1)).isInstanceOf(LogException.class));
    assertThat(replica.stats().accepting()).isTrue();
    replica.tick();
    assertThat(replica.stats().accepting()).isFalse();
    assertThat(replica.stats().role()).isEqualTo(Role.WAITING);
  }

  @Override
  public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {}

  @Override
  public void onRejected(long client, long sequence, ByteBuffer buffer, int offset, int length) {}

  @Override
  public void onRole(Role role, long epoch) {}
}
