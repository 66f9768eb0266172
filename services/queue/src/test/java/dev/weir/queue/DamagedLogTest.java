package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.je.LogEntry;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.LogMark;
import dev.weir.queue.je.LogScan;
import dev.weir.queue.segment.SegmentDirectory;
import dev.weir.testing.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A damaged log costs what is damaged and no more, and every lost message is named. */
@Tag("slow")
class DamagedLogTest extends DamagedStoreTestBase {
  private static final int ALL = 8000;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setSegmentThresholdBytes(0);
  }

  @Test
  void aFlippedBitOfAnOlderFileAfterAKillCostsItsOwnPacketOnly() throws IOException {
    fill(storeOptions(), ALL, 0);
    // In a message: the places of other entries differ from run to run.
    LogDamage.flip(killed(), text(1000, MESSAGE));

    VerifyReport report = QueueVerifier.verify(killed());
    ToolRun exported = ToolRun.of("export", killed(), "--all");

    assertThat(report.openFailure()).isNull();
    assertThat(report.lostMessages()).isBetween(1L, 40L);
    assertThat(report.readableMessages()).isBetween(ALL + 1 - 40L, ALL + 0L);
    assertThat(exported.exitCode()).isEqualTo(FOUND);
    assertThat(exported.lines()).hasSize((int) report.readableMessages());
    assertThat(unnamed(ALL + 1)).isEmpty();
    List<String> found = drainKilled(0);
    assertThat(found).hasSize((int) report.readableMessages()).endsWith("last");
    TreeSet<String> expected = new TreeSet<>(texts(0, ALL, MESSAGE));
    expected.add("last");
    assertThat(expected).containsAll(found);
    assertThat(killed().resolve("damaged")).isDirectory();
  }

  @Test
  void aFlippedBitOfALargeFileAfterAKillCostsItsOwnPacketOnly() throws IOException {
    int all = 140_000;
    QueueStoreOptions defaults = new QueueStoreOptions(data()).setSegmentThresholdBytes(0);
    fill(defaults, all, 0);
    LogDamage.flip(LogFiles.of(killed()).get(0), 30_000_000, 1);
    assertThat(QueueVerifier.verify(killed()).readableMessages()).isGreaterThan(all - 200);
    assertThat(drainKilled(0)).hasSizeGreaterThan(all - 200);
  }

  /** Options as users have them: large packets lie in segments, whose references the log has. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFlippedBitOfADefaultStoreAfterAKillCostsItsOwnPacketOnly(boolean ofASegment)
      throws IOException {
    int all = 140_000;
    QueueStoreOptions defaults = new QueueStoreOptions(data());
    fill(defaults, all, 0);
    List<Path> segments = SegmentDirectory.of(killed());
    assertThat(segments).as("segments").isNotEmpty();
    Path damaged = ofASegment ? segments.get(0) : LogFiles.of(killed()).get(0);
    LogDamage.flip(damaged, Math.min(30_000_000, Files.size(damaged) / 2), 1);
    // A packet has as many messages as were appended at once, at most.
    int packet = defaults.getPacketBytes() / MESSAGE + 1;

    VerifyReport report = QueueVerifier.verify(killed());

    assertThat(report.openFailure()).isNull();
    assertThat(report.readableMessages()).isGreaterThanOrEqualTo(all + 1L - packet);
    ToolRun exported = ToolRun.of("export", killed(), "--all");
    assertThat(exported.lines()).hasSize((int) report.readableMessages());
    List<String> found;
    try (QueueStore store = QueueStore.open(new QueueStoreOptions(killed()));
        DurableQueue<String> queue = openQueue(store)) {
      found = drainAll(queue);
    }
    assertThat(found).hasSize((int) report.readableMessages()).endsWith("last");
  }

  @Test
  void whatWasHandledDoesNotComeBackFromADamagedLog() throws IOException {
    int handled = 5000;
    fill(storeOptions(), ALL, handled);
    List<Path> files = LogFiles.of(killed());
    LogDamage.flip(files.get(files.size() - 2), 500_000, 1);
    List<String> found = drainKilled(handled - 100);
    assertThat(found.size()).isBetween(ALL - handled - 40, ALL - handled + 100);
  }

  /** Finds the longest run of entries that delete in transactions. */
  private static final class Deletions implements LogScan.Visitor {
    private static final int DELETES = 31;
    private final List<Long> run = new ArrayList<>();
    private List<Long> longest = List.of();
    private long file;
    private long fileOfLongest;

    @Override
    public void file(long number, boolean isLast) {
      file = number;
      run.clear();
    }

    @Override
    public void entry(LogEntry entry, ByteBuffer content) {
      if (entry.type() != DELETES) {
        run.clear();
        return;
      }
      run.add(entry.offset());
      if (run.size() > longest.size()) {
        longest = List.copyOf(run);
        fileOfLongest = file;
      }
    }
  }

  @Test
  void aDamagedDeletionBringsItsOwnPacketBackOnly() throws IOException {
    int handled = 5000;
    fill(storeOptions(), ALL, handled);
    Deletions deletions = new Deletions();
    LogScan.of(killed(), deletions);
    int many = deletions.longest.size();
    assertThat(many).as("deletions in a row").isPositive();
    Path log = killed().resolve(LogFiles.name(deletions.fileOfLongest));
    // The first is that of a packet, others may be those of progress; behind its header.
    LogDamage.flip(log, deletions.longest.get(0) + 20, 1);
    List<String> found = drainKilled(0);
    found.removeAll(texts(handled, ALL, MESSAGE));
    assertThat(found.size()).as("handled and back, and the last").isBetween(2, 80);
  }

  /**
   * Fills, handles all but some, and kills; on and on, so that JE cleans and deletes files between
   * and after those with what is left.
   *
   * @return the messages that are left
   */
  private TreeSet<String> fillAndHandle(int rounds, Random random) throws IOException {
    TreeSet<String> left = new TreeSet<>();
    for (int round = 0; round < rounds; round++) {
      try (QueueStore store = QueueStore.open(storeOptions());
          DurableQueue<String> queue = openQueue(store)) {
        appendAll(queue, texts(round * 1000, (round + 1) * 1000, MESSAGE));
        QueueReader<String> reader = new QueueReader<>(queue);
        TreeSet<String> found = new TreeSet<>();
        for (int i = left.size() + 1000; i > 0; i--) {
          Delivery<String> next = reader.next();
          if (random.nextInt(50) == 0) {
            found.add(next.message());
          } else {
            queue.acknowledge(next);
          }
        }
        left = found;
        KilledStore.awaitWritten(queue);
        store.engine().files().reclaim(true);
        // Behind what was acknowledged.
        appendAll(queue, List.of("end " + round));
        left.add("end " + round);
        kill();
      }
      replace(killed(), data());
    }
    replace(data(), killed());
    return left;
  }

  private static void replace(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> all = Files.walk(to)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
    Files.move(from, to);
  }

  @Test
  void whatWasHandledDoesNotComeBackAfterItsFilesWereCleaned() throws IOException {
    Files.createDirectories(data());
    Files.writeString(
        data().resolve("je.properties"),
        "je.checkpointer.bytesInterval=200000\nje.cleaner.bytesInterval=100000\n");
    TreeSet<String> left = fillAndHandle(8, new Random(1));
    List<Path> files = LogFiles.of(killed());
    assertThat(LogFiles.number(files.get(0))).as("files were deleted").isPositive();
    LogDamage.flip(killed(), left.first());

    List<String> found = drainKilled(0);

    TreeSet<String> others = new TreeSet<>(found);
    assertThat(found.size()).as("each comes once").isEqualTo(others.size());
    others.removeAll(left);
    left.removeAll(found);
    assertThat(others.size()).as("handled and back").isLessThan(40);
    assertThat(left.size()).as("lost").isLessThan(40);
  }

  @Test
  void everyMessageOfAZeroedBlockOfAnOlderFileIsNamed() throws IOException {
    fill(storeOptions(), ALL, 0);
    KilledStore.zero(LogFiles.of(killed()).get(1), 300_000, 64 << 10);
    assertThat(unnamed(ALL + 1)).isEmpty();
  }

  @Test
  void everyMessageOfAZeroedBlockOfTheLastFileIsNamedAndTheOthersCome() throws IOException {
    fill(storeOptions(), ALL, 0);
    List<Path> files = LogFiles.of(killed());
    Path last = files.get(files.size() - 1);
    long size = Files.size(last);
    KilledStore.zero(last, size / 3, (int) (size / 5));

    assertThat(unnamed(ALL + 1)).isEmpty();
    long readable = QueueVerifier.verify(killed()).readableMessages();
    List<String> found = drainKilled(0);
    assertThat(found).hasSize((int) readable).endsWith("last");
  }

  /** What a loss of power leaves: of what was never forced, some pages are there. */
  @Test
  void aHoleBehindWhatWasForcedEndsTheLogAndCostsNothingBeforeIt() throws IOException {
    int all = 600;
    byte[] forced;
    QueueOptions later = new QueueOptions().setRetry(RetryOptions.fixed(5, 3_600_000));
    try (QueueStore store = QueueStore.open(storeOptions());
        DurableQueue<String> queue = openQueue(store, later)) {
      appendAll(queue, texts(0, all, MESSAGE));
      KilledStore.force(store.engine().files(), data());
      forced = Files.readAllBytes(data().resolve("weir.end"));
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; i < 300; i++) {
        queue.fail(reader.next(), "later");
      }
      Await.until("what has failed is moved", () -> queue.stats().scheduled() == 300);
      // The first with the moves that are not written yet, the second behind all of them.
      appendAll(queue, List.of("after"));
      appendAll(queue, List.of("behind"));
      kill();
    }
    Files.write(killed().resolve("weir.end"), forced);
    KilledStore.restartMachine(killed());
    long syncedLsn = LogMark.read(killed()).syncedLsn();
    List<Path> files = LogFiles.of(killed());
    assertThat(files).as("files").hasSize(1);
    // Behind the commit.
    KilledStore.zero(files.get(0), DbLsn.getFileOffset(syncedLsn) + 100, 2000);

    VerifyReport report = QueueVerifier.verify(killed());
    assertThat(report.faults()).anyMatch(LogFault::isFollowed);
    assertThat(report.readableMessages()).isEqualTo(all);
    assertThat(report.lostMessages()).isEqualTo(2);
    assertThat(unnamed(all + 2)).isEmpty();
    try (QueueStore store = QueueStore.open(killedOptions());
        DurableQueue<String> queue = openQueue(store, later)) {
      assertThat(queue.stats().waiting()).isEqualTo(all);
    }
  }

  @Test
  void aMissingFileInTheMiddleIsNamedWithItsMessages() throws IOException {
    fill(storeOptions(), ALL, 0);
    Path gone = LogFiles.of(killed()).get(2);
    Files.delete(gone);

    VerifyReport report = QueueVerifier.verify(killed());

    assertThat(report.faults()).extracting(LogFault::file).contains("" + gone.getFileName());
    assertThat(unnamed(ALL + 1)).isEmpty();
    assertThat(drainKilled(0)).hasSize((int) report.readableMessages()).endsWith("last");
  }

  /** JE deletes files after a checkpoint only, and a young log has none. */
  @Test
  void aMissingFirstFileOfAYoungLogIsNamedWithItsMessagesAndTheOthersAreKept() throws IOException {
    int all = 4000;
    fill(storeOptions(), all, 0);
    Path gone = LogFiles.of(killed()).get(0);
    Files.delete(gone);

    VerifyReport report = QueueVerifier.verify(killed());

    assertThat(report.ok()).isFalse();
    assertThat(report.faults()).extracting(LogFault::file).contains("" + gone.getFileName());
    assertThat(report.readableMessages()).isPositive();
    assertThat(unnamed(all + 1)).isEmpty();
    QueueStore.open(killedOptions()).close();
    assertThat(QueueVerifier.verify(killed()).readableMessages())
        .as("readable after the store was opened")
        .isEqualTo(report.readableMessages());
  }

  @Test
  void aMissingLastFileIsNamedWithItsMessages() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, ALL, MESSAGE));
    }
    kill();
    List<Path> files = LogFiles.of(killed());
    Path gone = files.get(files.size() - 1);
    Files.delete(gone);

    VerifyReport report = QueueVerifier.verify(killed());

    assertThat(report.ok()).isFalse();
    assertThat(report.faults()).extracting(LogFault::file).contains("" + gone.getFileName());
    assertThat(unnamed(ALL)).isEmpty();
    assertThat(ToolRun.of("verify", killed()).exitCode()).isEqualTo(FOUND);
  }

  @Test
  void anExportOfALogWithACutEndSaysSo() throws IOException {
    fill(storeOptions(), ALL, 0);
    List<Path> files = LogFiles.of(killed());
    Path last = files.get(files.size() - 1);
    try (RandomAccessFile log = new RandomAccessFile(last.toFile(), "rw")) {
      log.setLength(log.length() - 700);
    }
    ToolRun exported = ToolRun.of("export", killed(), "--all");
    assertThat(exported.exitCode()).isEqualTo(FOUND);
    assertThat(exported.err()).contains("" + last.getFileName());
  }

  @Test
  void queuesWhoseNameIsLostAreFound() throws IOException {
    fill(storeOptions(), ALL, 0);
    // The names are among the first records of the log.
    KilledStore.zero(LogFiles.of(killed()).get(0), 200, 8 << 10);
    List<String> queues = new ArrayList<>();
    ToolRun.of("list", killed(), "--json").lines().forEach(queues::add);
    assertThat(queues.toString()).contains("recovered-");
    VerifyReport report = QueueVerifier.verify(killed());
    assertThat(report.readableMessages()).isGreaterThan(ALL - 100);
  }
}
