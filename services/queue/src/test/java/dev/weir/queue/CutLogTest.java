package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.je.LogEntry;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.LogScan;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The last log file of a store that was killed and never forced its log. What a killed process has
 * written is there, so what cannot be read is damage. After a loss of power it may be missing, and
 * the log ends before it.
 */
@Tag("slow")
class CutLogTest extends DataDirectoryTestBase {
  private static final int ALL = 1000;
  private static final int MESSAGE = 500;

  /** In the header of an entry, where its size is, the lowest byte first. */
  private static final int SIZE_OFFSET = 10;

  private Path killed() {
    return directory.resolve("killed");
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setLogFileBytes(16 << 20).setPacketBytes(8 << 10);
  }

  /** In transactions of twenty messages at most. */
  private static void fill(DurableQueue<String> queue) {
    for (int from = 0; from < ALL; from += 20) {
      appendAll(queue, texts(from, from + 20, MESSAGE));
    }
  }

  /** A log in one file. */
  private Path fillAndKill() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      fill(queue);
      Await.until(
          "the mark tells of the last message",
          () -> KilledStore.mark(data()).endSequences().getOrDefault("q", 0L) == ALL + 1);
      KilledStore.copy(data(), killed());
    }
    assertThat(KilledStore.mark(killed()).syncedLsn()).as("forced").isLessThan(10_000);
    List<Path> files = LogFiles.of(killed());
    assertThat(files).hasSize(1);
    return files.get(0);
  }

  private List<String> drainKilled() {
    QueueStoreOptions options = storeOptions().setDirectory(killed());
    try (QueueStore store = QueueStore.open(options);
        DurableQueue<String> queue = openQueue(store)) {
      List<String> found = new ArrayList<>();
      Await.until(
          () -> "everything comes: " + queue.stats(),
          () -> {
            for (Delivery<String> next = queue.poll(); next != null; next = queue.poll()) {
              found.add(next.message());
              queue.acknowledge(next);
            }
            return queue.waiting() == 0;
          });
      return found;
    }
  }

  private List<Path> kept() throws IOException {
    Path damaged = killed().resolve("damaged");
    if (!Files.exists(damaged)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(damaged)) {
      return files.sorted().toList();
    }
  }

  /** The sequences that an opening says to be lost. */
  private static TreeSet<Long> lost(ErrorLines errors) {
    TreeSet<Long> lost = new TreeSet<>();
    KilledStore.addLost(String.join("\n", errors.lines()), lost);
    return lost;
  }

  @Test
  void aFlippedBitBehindTheLastSyncCostsItsOwnPacketOnlyAfterAKill() throws IOException {
    fillAndKill();
    LogDamage.flip(killed(), text(100, MESSAGE));

    VerifyReport report = QueueVerifier.verify(killed());
    List<String> found = drainKilled();

    assertThat(found.size()).as("found").isBetween(ALL - 20, ALL - 1);
    assertThat(found.contains(text(ALL - 1, MESSAGE))).as("the last is found").isTrue();
    assertThat(report.readableMessages()).isEqualTo(found.size());
    assertThat(report.lostMessages()).isEqualTo(ALL - found.size());
    assertThat(kept()).contains(killed().resolve("damaged").resolve("00000000.jdb"));
  }

  @Test
  void aFlippedBitBehindTheLastSyncEndsTheLogAfterALossOfPower() throws IOException {
    Path log = fillAndKill();
    KilledStore.restartMachine(killed());
    LogDamage.flip(killed(), text(100, MESSAGE));
    byte[] before = Files.readAllBytes(log);

    try (ErrorLines errors = ErrorLines.ofRepairs()) {
      List<String> found = drainKilled();
      assertThat(found.size()).as("found").isBetween(80, 100);
      assertThat(found.equals(texts(0, found.size(), MESSAGE))).as("in order").isTrue();
      TreeSet<Long> expected = new TreeSet<>();
      KilledStore.add(expected, found.size() + 1, ALL - found.size());
      assertThat(lost(errors).equals(expected)).as("named: %d", lost(errors).size()).isTrue();
    }
    assertThat(kept()).hasSize(1);
    byte[] tail = Files.readAllBytes(kept().get(0));
    byte[] cut = Arrays.copyOfRange(before, before.length - tail.length, before.length);
    assertThat(tail.length).isGreaterThan((ALL - 120) * MESSAGE);
    assertThat(Arrays.equals(tail, cut)).as("what was cut off is kept").isTrue();
  }

  @Test
  void aFlippedBitOfTheLastEntryIsDamageAfterAKill() throws IOException {
    Path log = fillAndKill();
    LogDamage.flip(log, Files.size(log) - 1, 1);
    assertThat(drainKilled().size()).as("found").isBetween(ALL - 20, ALL);
    assertThat(kept()).contains(killed().resolve("damaged").resolve("00000000.jdb"));
  }

  /** The entry then seems longer than the file, as one that a kill has cut off. */
  @Test
  void aFlippedBitInTheSizeOfTheLastCommitIsDamageAfterAKill() throws IOException {
    Path log = fillAndKill();
    long[] last = new long[1];
    LogScan.of(
        killed(),
        new LogScan.Visitor() {
          @Override
          public void entry(LogEntry entry, ByteBuffer content) {
            last[0] = entry.offset();
          }
        });
    LogDamage.flip(log, last[0] + SIZE_OFFSET + 2, 1);

    assertThat(ToolRun.of("verify", killed()).exitCode()).isEqualTo(1);
    assertThat(drainKilled().size()).as("found").isBetween(ALL - 20, ALL);
    assertThat(kept()).contains(killed().resolve("damaged").resolve("00000000.jdb"));
  }

  @Test
  void aLastWriteThatAKillHasCutOffIsNoDamage() throws IOException {
    byte[] early;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      early = Files.readAllBytes(data().resolve("weir.end"));
      fill(queue);
      KilledStore.copy(data(), killed());
    }
    Files.write(killed().resolve("weir.end"), early);
    Path log = LogFiles.of(killed()).get(0);
    try (var file = Files.newByteChannel(log, StandardOpenOption.WRITE)) {
      file.truncate(Files.size(log) - 3);
    }
    assertThat(ToolRun.of("verify", killed()).ok().out()).endsWith("intact\n");
    assertThat(ToolRun.of("export", killed(), "--all").ok().err()).hasLineCount(1);
    try (ErrorLines errors = ErrorLines.ofRepairs()) {
      assertThat(drainKilled().size()).as("found").isBetween(ALL - 20, ALL);
      assertThat(errors.lines()).isEmpty();
    }
    assertThat(kept()).isEmpty();
  }

  @Test
  void aLastWriteThatMayBeCutOffByALossOfPowerIsNamedAndKept() throws IOException {
    Path log = fillAndKill();
    KilledStore.restartMachine(killed());
    try (var file = Files.newByteChannel(log, StandardOpenOption.WRITE)) {
      file.truncate(Files.size(log) - 3);
    }
    assertThat(ToolRun.of("verify", killed()).exitCode()).isEqualTo(1);
    assertThat(ToolRun.of("export", killed(), "--all").exitCode()).isEqualTo(1);
    assertThat(drainKilled().size()).as("found").isBetween(ALL - 20, ALL);
    assertThat(kept()).hasSize(1);
    assertThat(kept().get(0)).isNotEqualTo(killed().resolve("damaged").resolve("00000000.jdb"));
  }

  @Test
  void aRepairThatCouldNotMoveTheOldLogGoesOnWithTheCopyThatItHasMade() throws IOException {
    fillAndKill();
    LogDamage.flip(killed(), text(100, MESSAGE));
    Path damaged = killed().resolve("damaged");
    Files.createSymbolicLink(damaged, killed().resolve("nowhere"));
    try (ErrorLines errors = ErrorLines.ofRepairs()) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(this::drainKilled)
            .isInstanceOf(QueueException.class)
            .hasMessageContaining("(" + damaged + ")");
      }
      assertThat(errors.lines())
          .as("what was made of the log is told once")
          .filteredOn(line -> line.contains("the damaged log is kept in damaged"))
          .hasSize(1);
    }
    Files.delete(damaged);

    List<String> found = drainKilled();

    assertThat(found).doesNotHaveDuplicates().hasSizeBetween(ALL - 20, ALL - 1);
    assertThat(kept()).contains(damaged.resolve("00000000.jdb"));
  }

  @Test
  void aStoreWhoseLogFilesAreGoneIsRefusedWithWhatToDo() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      fill(queue);
    }
    Path log = LogFiles.of(data()).get(0);
    Files.move(log, directory.resolve("away"));

    List<Path> strays = List.of(data().resolve(LogFiles.MARKER), data().resolve("old.jdb"));
    for (int i = 0; i < 2; i++) {
      if (i == 1) {
        for (Path stray : strays) {
          Files.createFile(stray);
        }
      }
      assertThatThrownBy(this::openStore)
          .isInstanceOfSatisfying(
              QueueException.class,
              e -> assertThat(e.reason()).isEqualTo(QueueException.Reason.DIRECTORY_UNUSABLE))
          .hasMessageContaining("the log files (*.jdb) in " + data() + " are gone")
          .hasMessageContaining("put them back")
          .hasMessageContaining("delete weir.end");
    }
    for (String command : List.of("list", "verify", "compact")) {
      ToolRun run = ToolRun.of(command, data());
      assertThat(run.exitCode()).as(command).isEqualTo(3);
      assertThat(run.err()).as(command).contains("are gone", "delete weir.end");
    }
    for (Path stray : strays) {
      Files.delete(stray);
    }
    assertThat(LogFiles.of(data())).isEmpty();
    Files.move(directory.resolve("away"), log);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isEqualTo(ALL);
    }
    Files.delete(log);
    Files.delete(data().resolve("weir.end"));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isZero();
    }
  }

  /** In the middle of an entry, and between two. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEndThatIsGoneIsNamedBySequence(boolean isBetween) throws IOException {
    Path log = fillAndKill();
    long half = Files.size(log) / 2;
    long[] end = {half};
    if (isBetween) {
      LogScan.of(
          killed(),
          new LogScan.Visitor() {
            @Override
            public void entry(LogEntry entry, ByteBuffer content) {
              end[0] = entry.offset() < half ? entry.end() : end[0];
            }
          });
    }
    try (var file = Files.newByteChannel(log, StandardOpenOption.WRITE)) {
      file.truncate(end[0]);
    }
    try (ErrorLines errors = ErrorLines.ofRepairs()) {
      List<String> found = drainKilled();
      assertThat(found.size()).as("found").isBetween(ALL / 3, ALL - 100);
      TreeSet<Long> expected = new TreeSet<>();
      KilledStore.add(expected, found.size() + 1, ALL - found.size());
      assertThat(lost(errors).equals(expected)).as("named: %d", lost(errors).size()).isTrue();
    }
  }

  @Test
  void aFlippedBitInTheHeaderOfTheLastFileCostsNoMessageAfterAKill() throws IOException {
    try (QueueStore store = QueueStore.open(storeOptions().setLogFileBytes(1 << 20));
        DurableQueue<String> queue = openQueue(store)) {
      for (int i = 0; i < 4; i++) {
        fill(queue);
      }
      KilledStore.copy(data(), killed());
    }
    List<Path> files = LogFiles.of(killed());
    assertThat(files).hasSizeGreaterThan(1);
    LogDamage.flip(files.get(files.size() - 1), 20, 1);

    VerifyReport report = QueueVerifier.verify(killed());

    assertThat(report.readableMessages()).as("verify").isEqualTo(4 * ALL);
    assertThat(drainKilled().size()).as("found").isEqualTo(4 * ALL);
  }
}
