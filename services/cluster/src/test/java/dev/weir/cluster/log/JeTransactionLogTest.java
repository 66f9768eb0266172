package dev.weir.cluster.log;

import static dev.weir.cluster.log.TestBatches.append;
import static dev.weir.cluster.log.TestBatches.assertHolds;
import static dev.weir.cluster.log.TestBatches.batch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.queue.QueueException;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JeTransactionLogTest extends TransactionLogContract {
  @TempDir Path directory;

  @Override
  TransactionLog open() {
    return JeTransactionLog.open(directory);
  }

  private void reopen() {
    log.close();
    log = open();
  }

  @Test
  void everythingIsFoundAgain() {
    append(log, 2, 10);
    append(log, 5, 20);
    save(log, new LogEnd(5, 14), 77, 600_000);
    log.save(new GroupRecord(5, 1, 4, 3, 2));
    reopen();
    assertThat(log.end()).isEqualTo(new LogEnd(5, 20));
    assertThat(log.endOf(3)).isEqualTo(new LogEnd(2, 10));
    assertThat(log.snapshot()).isEqualTo(new LogEnd(5, 14));
    assertThat(state(log)).isEqualTo(77);
    assertThat(log.record()).isEqualTo(new GroupRecord(5, 1, 4, 3, 2));
    append(log, 5, 24);
    assertThat(TestBatches.read(log)).hasSize(12);
    log.truncate(10);
    append(log, 6, 12);
    reopen();
    assertThat(log.end()).isEqualTo(new LogEnd(6, 12));
    assertThat(log.endOf(5)).isEqualTo(new LogEnd(2, 10));
    assertThat(log.snapshot()).isEqualTo(LogEnd.EMPTY);
  }

  @Test
  void aDirectoryOfFormat1IsReadAndGetsTheIdOfADisk() {
    log.close();
    SharedEnvironment shared = new SharedEnvironment(directory);
    shared.use();
    LogEnvironment environment = new LogEnvironment(shared, "");
    MetaTable meta = new MetaTable(environment);
    meta.putForced("format", MetaTable.value(Integer.BYTES).putInt(1));
    meta.putForced(
        "record", MetaTable.value(32).putLong(5).putInt(-1).putLong(5).putInt(3).putLong(2));
    meta.close();
    environment.close();
    log = open();
    assertThat(log.record()).isEqualTo(new GroupRecord(5, -1, 5, 3, 2));
    long disk = log.diskId();
    reopen();
    assertThat(log.diskId()).isEqualTo(disk);
    GroupRecord known = new GroupRecord(6, 1, 5, 3, 3, 77, 88, 99);
    log.save(known);
    reopen();
    assertThat(log.record()).isEqualTo(known);
  }

  @Test
  void aNoteOfAFailedSyncThatALossOfPowerSpoiledDoesNotCloseTheLog() throws IOException {
    append(log, 1, 10);
    log.close();
    Path note = directory.resolve("weir.unsynced");
    for (byte[] spoiled : new byte[][] {new byte[2], {(byte) 0xff, '7'}}) {
      Files.write(note, spoiled);
      log = open();
      assertHolds(log, 1, 0, 10);
      assertThat(note).doesNotExist();
      log.close();
    }
    log = open();
  }

  @Test
  void aNoteOfAFailedSyncStaysUntilTheEndOfTheLogHasItsNameAgain() throws IOException {
    append(log, 1, 10);
    log.close();
    Path note = Files.writeString(directory.resolve("weir.unsynced"), "0");
    Path end = directory.resolve("00000000.jdb");
    Path moved = Files.move(end, directory.resolve("00000000.bad"));
    assertThatThrownBy(this::open)
        .isInstanceOf(LogException.class)
        .hasMessageContaining(moved + ": JE could not read this file");
    assertThat(note).exists();
    Files.move(moved, end);
    log = open();
    assertHolds(log, 1, 0, 10);
    assertThat(note).doesNotExist();
  }

  @Test
  void whatIsTrimmedStaysForgottenAndItsDeletionGoesOn() {
    append(log, 1, 5000);
    save(log, new LogEnd(1, 4000), 1, 10);
    save(log, new LogEnd(1, 5000), 1, 10);
    log.trim(4000);
    reopen();
    assertHolds(log, 1, 4000, 5000);
    log.trim(5000);
    reopen();
    assertHolds(log, 1, 5000, 5000);
    assertThat(log.end()).isEqualTo(new LogEnd(1, 5000));
    append(log, 1, 5002);
    reopen();
    assertHolds(log, 1, 5000, 5002);
  }

  @Test
  void aResetThatGotItsSnapshotIsFoundAgain() {
    append(log, 1, 10);
    save(log, new LogEnd(1, 10), 10, 10);
    log.reset(new LogEnd(7, 1000));
    save(log, new LogEnd(7, 1000), 77, 10);
    append(log, 7, 1010);
    reopen();
    assertHolds(log, 7, 1000, 1010);
    assertThat(state(log)).isEqualTo(77);
    assertThat(log.endOf(6)).isEqualTo(LogEnd.EMPTY);
  }

  @Test
  void aResetWithoutASnapshotLeavesNothing() {
    append(log, 1, 2000);
    save(log, new LogEnd(1, 1500), 10, 10);
    log.save(new GroupRecord(7, -1, 7, 1, 2));
    log.reset(new LogEnd(7, 1000));
    append(log, 7, 1010);
    reopen();
    assertThat(log.start()).isZero();
    assertThat(log.end()).isEqualTo(LogEnd.EMPTY);
    assertThat(log.snapshot()).isEqualTo(LogEnd.EMPTY);
    assertThat(log.record()).isEqualTo(new GroupRecord(7, -1, 7, 1, 2));
    append(log, 8, 4);
    reopen();
    assertHolds(log, 8, 0, 4);
  }

  /** The launcher ends a program with exit code 3 for such a cause. */
  @Test
  void aDirectoryThatCannotBeOpenedIsNamedAsTheCause(@TempDir Path broken) throws IOException {
    Files.createDirectory(broken.resolve("00000000.jdb"));
    assertThatThrownBy(() -> JeTransactionLog.open(broken))
        .isInstanceOf(LogException.class)
        .hasMessageStartingWith("cannot open the log in " + broken)
        .hasCauseInstanceOf(QueueException.class);
  }

  @Test
  void aDirectoryIsUsedOnce() {
    assertThatThrownBy(() -> JeTransactionLog.open(directory))
        .isInstanceOf(LogException.class)
        .hasMessage("directory " + directory + " is in use by this process")
        .hasCauseInstanceOf(QueueException.class);
    append(log, 1, 2);
    log.force(AckLevel.FLUSHED);
    reopen();
    assertHolds(log, 1, 0, 2);
  }

  @Test
  void aClosedLogSaysSo() {
    log.close();
    assertThatThrownBy(() -> log.append(batch(1, 0, 1, 10)))
        .isInstanceOf(LogException.class)
        .hasMessageEndingWith("is closed");
    assertThatThrownBy(() -> log.force(AckLevel.FLUSHED)).isInstanceOf(LogException.class);
    assertThatThrownBy(() -> log.truncate(0)).isInstanceOf(LogException.class);
    assertThatThrownBy(() -> log.save(GroupRecord.NONE)).isInstanceOf(LogException.class);
    assertThatThrownBy(() -> save(log, LogEnd.EMPTY, 1, 1)).isInstanceOf(LogException.class);
  }

  @Test
  void anInterruptInsideCostsTheLogUntilItIsOpenedAgain() {
    append(log, 1, 10);
    log.force(AckLevel.PERSISTED);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> log.force(AckLevel.FLUSHED))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("threads of a group must not be interrupted");
    } finally {
      // JE may have taken it or not.
      Thread.interrupted();
    }
    assertThatThrownBy(() -> log.append(batch(1, 10, 1, 10)))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("can no longer be used")
        .hasMessageContaining("threads of a group must not be interrupted");
    reopen();
    assertHolds(log, 1, 0, 10);
  }

  @Test
  void anInterruptedThreadMayOpenAndCloseIt() {
    append(log, 1, 10);
    Thread.currentThread().interrupt();
    try {
      reopen();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertHolds(log, 1, 0, 10);
  }

  @Test
  void aFullDiskIsTold() throws IOException {
    append(log, 1, 100);
    // JE's own file of properties wins over what the program sets: no disk has so much room.
    Path properties = directory.resolve("je.properties");
    Files.writeString(properties, "je.freeDisk=4000000000000000");
    reopen();
    // JE looks for room on a thread of its own.
    AtomicReference<LogException> told = new AtomicReference<>();
    Await.until(
        "the full disk is told",
        () -> {
          try {
            append(log, 1, log.end().position() + 2);
            return false;
          } catch (LogException e) {
            told.set(e);
            return true;
          }
        });
    assertThat(told.get())
        .hasMessageContaining("the disk is full: make room, then start the replica again");
    assertThatThrownBy(() -> log.force(AckLevel.PERSISTED))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("can no longer be used")
        .hasMessageContaining("the disk is full");
    Files.delete(properties);
    reopen();
    long end = log.end().position();
    assertThat(end).isGreaterThanOrEqualTo(100);
    assertHolds(log, 1, 0, end);
    append(log, 1, end + 10);
  }

  @Test
  void aDirectoryInUseByAnotherProcessSaysWhichUntilThatIsKilled() throws IOException {
    Path other = directory.resolve("other");
    try (ChildJvm child = ChildJvm.start(HoldLog.class, other.toString())) {
      child.await("open");
      assertThatThrownBy(() -> JeTransactionLog.open(other))
          .isInstanceOf(LogException.class)
          .hasMessageStartingWith(inUseBy(other, child.pid()))
          .hasMessageContaining(" since 20");
      assertThat(child.isAlive()).as("the holder goes on").isTrue();
    }
    JeTransactionLog.open(other).close();
  }

  @Test
  void aDirectoryInUseByThisProcessIsKeptFromAnotherAfterASecondOpenToo() throws IOException {
    assertThatThrownBy(this::open).isInstanceOf(LogException.class);
    try (ChildJvm child = ChildJvm.start(HoldLog.class, directory.toString())) {
      child.await(inUseBy(directory, ProcessHandle.current().pid()));
    }
  }

  private static String inUseBy(Path directory, long pid) {
    return "directory " + directory + " is in use by process " + pid + " on host ";
  }

  /** Holds a log open until it is killed, or says why it cannot. */
  static final class HoldLog {
    private HoldLog() {}

    public static void main(String[] args) throws InterruptedException {
      try (TransactionLog log = JeTransactionLog.open(Path.of(args[0]))) {
        System.out.println("open at " + log.start());
        TimeUnit.MINUTES.sleep(1);
      } catch (LogException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void whatIsNoDirectoryIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    assertThatThrownBy(() -> JeTransactionLog.open(file))
        .isInstanceOf(LogException.class)
        .hasMessageStartingWith("directory " + file + " cannot be used: ");
  }

  @Test
  @Tag("soak")
  void theSpaceOfWhatIsTrimmedIsUsedAgain() {
    long mostBytes = 0;
    for (int round = 1; round <= 10; round++) {
      LogEnd before = log.snapshot();
      while (log.end().position() < round * 1000L) {
        log.append(batch(1, log.end().position(), 1, 128 << 10));
      }
      save(log, log.end(), round, 1_000_000);
      log.trim(before.position());
      mostBytes = Math.max(mostBytes, log.diskBytes());
    }
    // Of 1,280 MB; between 128 and 256 MB are needed at any time.
    assertThat(mostBytes).isLessThan(600L << 20);
  }
}
