package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.Gate;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.LogStore;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TestBatches;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.threads.Turn;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.NoTransport;
import dev.weir.testing.Await;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the groups of a member append in a turn of a thread is written together, at its end. */
@Timeout(60)
class TurnWritesTest {
  private static final int BODY_BYTES = 64;
  private static final long FAILS_AT = 13;

  @TempDir private Path directory;
  private final List<String> done = new ArrayList<>();
  private final List<Long> bytes = new ArrayList<>();
  private boolean fails;
  private AckLevel level = AckLevel.PERSISTED;
  private int maxBatches = 8;

  private History history(String name, TransactionLog log) {
    TransactionLog reads = Gate.before(log, Set.of("read"), () -> done.add("read " + name));
    TransactionLog told = Gate.before(reads, Set.of("force"), () -> onForce(name));
    Sessions sessions = new Sessions(16, BODY_BYTES, 2, 600_000);
    SumProcessor processor = new SumProcessor(FAILS_AT);
    return new History(
        options(name), told, sessions, new EventSourcing(processor, sessions, BODY_BYTES));
  }

  private GroupOptions options(String name) {
    return new GroupOptions()
        .setName(name)
        .setMembers(List.of("m0"))
        .setAckLevel(level)
        .setMaxBatches(maxBatches);
  }

  private void onForce(String name) {
    done.add("force " + name);
    bytes.add(fileBytes());
    if (fails) {
      throw new LogException("the disk is full", null);
    }
  }

  private long fileBytes() {
    File[] files = directory.resolve(LogStore.SHARED).toFile().listFiles();
    return files == null
        ? 0
        : Stream.of(files)
            .filter(it -> it.getName().endsWith(".jdb"))
            .mapToLong(File::length)
            .sum();
  }

  /** A group of one member, which is primary. */
  private GroupReplica group(String name, TransactionLog log) {
    History history = history(name, log);
    GroupReplica replica =
        new GroupReplica(
            options(name),
            0,
            history,
            ReplyOutlet.to((client, sequence, buffer, offset, size) -> done.add("reply " + name)),
            (message, cause) -> {},
            new NoTransport());
    Runnable persist = replica::persist;
    history.persistLater(() -> Turn.writeAtEnd(persist));
    Await.until(
        "it accepts",
        () -> {
          replica.tick();
          return replica.stats().accepting();
        });
    return replica;
  }

  private static void offer(GroupReplica group, long sequence) {
    offer(group, sequence, 0);
  }

  private static void offer(GroupReplica group, long sequence, long number) {
    ByteBuffer body = ByteBuffer.allocate(BODY_BYTES).putLong(0, number);
    assertThat(group.offer(1, sequence, body, 0, BODY_BYTES)).isEqualTo(OfferResult.ACCEPTED);
    group.flush();
  }

  @Test
  void oneWriteOfTheEnvironmentBringsTheBatchesOfAllGroups() {
    LogStore store = new LogStore(directory);
    try (TransactionLog logA = store.open("a");
        TransactionLog logB = store.open("b")) {
      GroupReplica a = group("a", logA);
      GroupReplica b = group("b", logB);
      done.clear();
      bytes.clear();
      Turn.run(
          () -> {
            offer(a, 1);
            offer(b, 1);
            offer(a, 2);
            assertThat(done).as("nothing is written or answered in the turn").isEmpty();
          });
      assertThat(done).containsExactly("force a", "reply a", "reply a", "force b", "reply b");
      assertThat(bytes.get(1)).as("the first writes").isGreaterThan(bytes.get(0));
      assertThat(fileBytes()).as("for the second too").isEqualTo(bytes.get(1));
    }
  }

  @Test
  void outsideOfATurnABatchIsWrittenAtOnce() {
    GroupReplica a = group("a", new MemoryTransactionLog());
    done.clear();
    offer(a, 1);
    assertThat(done).containsExactly("force a", "reply a");
  }

  @Test
  void aTurnWithoutABatchWritesNothing() {
    GroupReplica a = group("a", new MemoryTransactionLog());
    done.clear();
    Turn.run(
        () -> {
          a.tick();
          a.flush();
        });
    assertThat(done).isEmpty();
  }

  @Test
  void aTickWritesWhatATurnHasNotYet() {
    GroupReplica a = group("a", new MemoryTransactionLog());
    done.clear();
    Turn.run(
        () -> {
          offer(a, 1);
          a.tick();
          assertThat(done).containsExactly("force a", "reply a");
        });
    assertThat(done).hasSize(2);
  }

  @Test
  void aBatchThatWaitedForTheOneOfTheTurnIsAnsweredToo() {
    maxBatches = 1;
    GroupReplica a = group("a", new MemoryTransactionLog());
    done.clear();
    Turn.run(
        () -> {
          offer(a, 1);
          offer(a, 2);
        });
    assertThat(done).containsExactly("force a", "reply a", "force a", "reply a");
  }

  @Test
  void whatHasToBeSentGoesOutBeforeARebuildThatTakesLong() {
    QuietLog.set();
    GroupReplica a = group("a", new MemoryTransactionLog());
    offer(a, 1);
    done.clear();
    Turn.run(
        () -> {
          Turn.sendAtEnd(() -> done.add("send"));
          offer(a, 2, FAILS_AT);
        });
    assertThat(done).startsWith("send").contains("read a");
  }

  @Test
  void whatHasToBeSentGoesOutBeforeATickThatForces() {
    level = AckLevel.FLUSHED;
    GroupReplica a = group("a", new MemoryTransactionLog());
    done.clear();
    Turn.run(
        () -> {
          Turn.sendAtEnd(() -> done.add("send"));
          offer(a, 1);
          a.tick();
        });
    assertThat(done).containsExactly("send", "force a", "reply a");
  }

  @Test
  void aWriteThatFailsEndsTheReplicasThatAppended() {
    QuietLog.set();
    GroupReplica a = group("a", new MemoryTransactionLog());
    GroupReplica b = group("b", new MemoryTransactionLog());
    GroupReplica other = group("c", new MemoryTransactionLog());
    done.clear();
    fails = true;
    Turn.run(
        () -> {
          offer(a, 1);
          offer(b, 1);
          other.tick();
        });
    assertThat(done).containsExactly("force a", "force b");
    assertThat(a.hasFailed()).isTrue();
    assertThat(b.hasFailed()).isTrue();
    assertThat(other.hasFailed()).isFalse();
  }

  @Test
  void aBackupAcknowledgesOnceATurnWhatIsWritten() {
    History history = history("a", new MemoryTransactionLog());
    Backup backup =
        new Backup(
            "a",
            false,
            history,
            new NoTransport() {
              @Override
              public boolean send(int member, ByteBuffer frame) {
                return done.add("acknowledge " + frame.getLong(Frames.content(frame)));
              }
            },
            1_000,
            0);
    Runnable persist =
        () -> {
          history.collect();
          backup.onPersisted();
        };
    history.persistLater(() -> Turn.writeAtEnd(persist));
    Turn.run(
        () -> {
          for (int batch = 0; batch < 3; batch++) {
            receive(backup, 10L * batch);
          }
          assertThat(history.end().position()).isEqualTo(30);
          assertThat(history.persisted().position()).isZero();
          assertThat(done).isEmpty();
        });
    assertThat(done).containsExactly("force a", "acknowledge 30");
  }

  private static void receive(Backup backup, long position) {
    ByteBuffer batch = TestBatches.batch(1, position, 10, Long.BYTES);
    ByteBuffer frame = ByteBuffer.allocate(Frames.HEADER_BYTES + batch.remaining());
    Frames.begin(frame, Frames.APPEND, 1).put(batch).flip();
    backup.onFrame(1, Frames.APPEND, frame, 1);
  }

  @Test
  void aChangeOfRoleWaitsForNoTurn() {
    History history = history("a", new MemoryTransactionLog());
    history.persistLater(() -> true);
    history.append(TestBatches.batch(1, 0, 10, Long.BYTES));
    assertThat(history.persisted().position()).isZero();
    history.settle();
    assertThat(history.persisted()).isEqualTo(history.end());
    assertThat(done).containsExactly("force a");
  }
}
