package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.ReadOnlyFiles;
import dev.weir.queue.je.Table;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.segment.SegmentDirectory;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.faults.DiskJournal.Entry;
import dev.weir.testing.faults.DiskJournal.Mark;
import dev.weir.testing.faults.DiskJournal.Rename;
import dev.weir.testing.faults.DiskJournal.Sync;
import dev.weir.testing.faults.DiskJournal.Unlink;
import dev.weir.testing.faults.FaultLayer;
import dev.weir.testing.faults.PowerLoss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link Durability#MACHINE} promises: a message whose append completed is delivered after a
 * loss of power. One process runs on a recorded disk; then the power is cut at chosen moments of
 * the record. What was not synced is there in part, in any combination, or not at all.
 */
@Tag("slow")
class PowerLossTest {
  /** Of the child: while one queue waits for a sync, the next group gathers in the other. */
  static final int QUEUES = 2;

  private static final String SEGMENTS = "with-segments";
  private static final int SEGMENT_THRESHOLD_BYTES = 40;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @TempDir Path work;
  private Path data;

  @BeforeEach
  void makeDirectory() throws IOException {
    QuietLog.set();
    data = Files.createDirectory(work.resolve("data"));
  }

  static QueueStoreOptions options(Path directory) {
    return new QueueStoreOptions(directory)
        .setMinFreeBytes(1 << 20)
        .setLogFileBytes(1 << 20)
        .setPacketBytes(4096)
        .setSegmentThresholdBytes(hasSegments(directory) ? SEGMENT_THRESHOLD_BYTES : 0)
        .setAckFlushMs(5);
  }

  /** A mark beside the directory, which the child and the images see too. */
  private static boolean hasSegments(Path directory) {
    return Files.exists(directory.toAbsolutePath().resolveSibling(SEGMENTS));
  }

  /** Stores in directories inside this one write their packets to segments. */
  static void useSegments(Path parent) throws IOException {
    Files.createFile(parent.resolve(SEGMENTS));
  }

  static QueueOptions queueOptions() {
    return new QueueOptions()
        .setReadAheadBytes(16 << 10)
        .setRetry(RetryOptions.exponential(100, 1, 5));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(900)
  void aMessageAcceptedForTheMachineSurvivesALossOfPower(boolean segments) throws IOException {
    if (segments) {
      useSegments(work);
    }
    cutPower(1_500, 60);
  }

  @Test
  @Tag("soak")
  @Timeout(3600)
  void aMessageAcceptedForTheMachineSurvivesThousandsOfLossesOfPower() throws IOException {
    for (int run = 0; run < 20; run++) {
      if (run == 10) {
        useSegments(work);
      }
      data = Files.createDirectory(work.resolve("data-" + run));
      cutPower(6_000, 200);
    }
  }

  /** Small files, often cleaned: names of files come and go while messages are accepted. */
  static void cleanOften(Path data) throws IOException {
    Files.writeString(
        data.resolve("je.properties"),
        """
        je.checkpointer.bytesInterval=50000
        je.cleaner.bytesInterval=50000
        je.cleaner.minUtilization=80
        """);
  }

  private void cutPower(int messages, int cuts) throws IOException {
    cleanOften(data);
    FaultLayer layer = FaultLayer.create(work, data);
    Files.deleteIfExists(work.resolve("journal"));
    try (ChildJvm child = startChild(layer, data, random.nextLong(), messages)) {
      assertThat(child.exitCode()).as("exit code: %s", child.lines()).isZero();
    }
    List<Entry> entries = layer.journal().read();
    System.out.printf("power loss: seed %d, %d entries%n", seed, entries.size());

    Set<Integer> moments = new TreeSet<>();
    while (moments.size() < cuts) {
      moments.add(random.nextInt(entries.size()));
    }
    PowerLoss disk = new PowerLoss();
    Set<Long> accepted = new TreeSet<>();
    Set<Long> taken = new HashSet<>();
    for (int i = 0; i < entries.size(); i++) {
      disk.apply(entries.get(i));
      if (entries.get(i) instanceof Mark mark) {
        note(mark, accepted, taken);
      }
      if (moments.contains(i)) {
        Set<Long> due = new TreeSet<>(accepted);
        due.removeAll(taken);
        checkImage(disk, i, due);
      }
    }
    assertThat(accepted).as("accepted").hasSizeGreaterThan(messages / 2);
    assertThat(taken).as("acknowledged").isNotEmpty();
  }

  /**
   * A segment is deleted when the deletions of all references to it are on the device. Otherwise a
   * loss of power brings back a reference, and its packet is taken for lost.
   */
  @Test
  @Timeout(900)
  void aSegmentThatIsDeletedIsNotNamedByWhatALossOfPowerLeaves() throws IOException {
    useSegments(work);
    FaultLayer layer = FaultLayer.create(work, data);
    try (ChildJvm child = startChild(layer, data, random.nextLong(), 1_200, "8000")) {
      assertThat(child.exitCode()).as("exit code: %s", child.lines()).isZero();
    }
    List<Entry> entries = layer.journal().read();
    PowerLoss disk = new PowerLoss();
    int references = 0;
    int deleted = 0;
    int syncsToTry = 0;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      disk.apply(entry);
      if (isSegmentGone(entry)) {
        deleted++;
        syncsToTry = 4;
      } else if (entry instanceof Sync && syncsToTry-- > 0) {
        references += countReferences(disk, i);
      }
    }
    assertThat(references).as("references").isPositive();
    assertThat(deleted).as("deleted segments").isGreaterThan(3);
  }

  /** The file of a segment is deleted, or becomes that of a new segment. */
  private static boolean isSegmentGone(Entry entry) {
    String path =
        entry instanceof Unlink gone
            ? gone.path()
            : entry instanceof Rename renamed ? renamed.from() : "";
    return SegmentDirectory.isSegment(path);
  }

  /** Each segment that the synced log names is there; returns their number. */
  private int countReferences(PowerLoss disk, int moment) throws IOException {
    Path image = Files.createTempDirectory(work, "image");
    disk.image(image, 0, random);
    KilledStore.restartMachine(image);
    Set<Integer> named = new TreeSet<>();
    try (ReadOnlyFiles files = ReadOnlyFiles.open(image)) {
      for (String queue : files.tables().queues()) {
        files
            .tables()
            .forEachKey(Table.PACKETS, queue, key -> named.add(PacketKey.of(key).segment()));
      }
    }
    named.remove(0);
    for (int segment : named) {
      assertThat(image.resolve(SegmentDirectory.name(segment)))
          .as("seed %d, moment %d", seed, moment)
          .exists();
    }
    return named.size();
  }

  private void checkImage(PowerLoss disk, int moment, Set<Long> due) throws IOException {
    Path image = Files.createTempDirectory(work, "image");
    double unsynced = random.nextInt(3) / 2.0;
    disk.image(image, unsynced, random);
    KilledStore.restartMachine(image);
    String where = "seed " + seed + ", moment " + moment + ", unsynced " + unsynced;
    assertFound(due, drain(image, where), where);
  }

  /** Starts a {@link PowerLossChild}. */
  static ChildJvm startChild(
      FaultLayer layer, Path data, long seed, int messages, String... bodyBytes) {
    List<String> arguments = new ArrayList<>();
    arguments.add(data.toString());
    arguments.add(layer.marks().toString());
    arguments.add(Long.toString(seed));
    arguments.add(Integer.toString(messages));
    arguments.addAll(List.of(bodyBytes));
    return ChildJvm.of(PowerLossChild.class)
        .flags("-Xmx128m")
        .environment(layer.environment())
        .mergeErrors()
        .start(arguments.toArray(String[]::new));
  }

  /** Takes note of what the child says it did. */
  static void note(Mark mark, Set<Long> accepted, Set<Long> taken) {
    String[] words = mark.text().trim().split(" ");
    (words[0].equals("A") ? accepted : taken).add(Long.parseLong(words[1]));
  }

  static void assertFound(Set<Long> due, List<Long> found, String where) {
    Set<Long> lost = new TreeSet<>(due);
    lost.removeAll(new HashSet<>(found));
    assertThat(lost).as("lost; %s", where).isEmpty();
  }

  /** Opens a store and takes all messages out of it; each must be intact. */
  static List<Long> drain(Path image, String where) {
    List<Long> numbers = new ArrayList<>();
    try (QueueStore store = QueueStore.open(options(image))) {
      for (int i = 0; i < QUEUES; i++) {
        drain(store, i, numbers, where);
      }
    }
    return numbers;
  }

  static DurableQueue<byte[]> queue(QueueStore store, int number) {
    return store.queue("q" + number, Serde.BYTES, queueOptions(), (attachment, reason) -> {});
  }

  private static void drain(QueueStore store, int which, List<Long> numbers, String where) {
    try (DurableQueue<byte[]> queue = queue(store, which)) {
      long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Await.DEADLINE_S);
      while (isLeft(queue.stats())) {
        Delivery<byte[]> delivery = queue.poll();
        if (delivery != null) {
          long number = CrashChild.number(delivery.message());
          assertThat(number).as("intact; %s", where).isNotNegative();
          numbers.add(number);
          queue.acknowledge(delivery);
        }
        assertThat(System.nanoTime() - deadlineNs).as("time to drain; %s", where).isNegative();
      }
      assertThat(queue.stats().lost()).as("counted as lost; %s", where).isZero();
    }
  }

  /** Asked of one snapshot: a message goes from scheduled to waiting at any moment. */
  private static boolean isLeft(QueueStats stats) {
    return stats.waiting() + stats.scheduled() > 0;
  }
}
