package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.faults.DiskJournal.Entry;
import dev.weir.testing.faults.DiskJournal.Mark;
import dev.weir.testing.faults.DiskJournal.SyncFailed;
import dev.weir.testing.faults.DiskJournal.WriteFailed;
import dev.weir.testing.faults.FaultLayer;
import dev.weir.testing.faults.FaultLayer.Call;
import dev.weir.testing.faults.FaultLayer.Errno;
import dev.weir.testing.faults.PowerLoss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that fails calls of the running store. The store refuses appends meanwhile, goes on once
 * the disk does, and nothing that was accepted is missing: neither in the directory as it is, nor
 * after a loss of power.
 */
@Tag("slow")
class DiskFaultTest {

  /** A fault of the disk: the calls that fail, and how. */
  enum Fault {
    WRITE_EIO(Errno.EIO, Call.WRITE),
    WRITE_ENOSPC(Errno.ENOSPC, Call.WRITE),
    SHORT_WRITE(Errno.EIO, Call.SHORT_WRITE),
    TORN_WRITE_ENOSPC(Errno.ENOSPC, Call.TORN_WRITE),
    TORN_WRITE_EIO(Errno.EIO, Call.TORN_WRITE),
    SYNC_EIO(Errno.EIO, Call.SYNC),
    CREATE_ENOSPC(Errno.ENOSPC, Call.CREATE),
    CREATE_EMFILE(Errno.EMFILE, Call.CREATE),
    UNLINK_EIO(Errno.EIO, Call.UNLINK);

    private final Errno error;
    private final Call call;

    Fault(Errno error, Call call) {
      this.error = error;
      this.call = call;
    }
  }

  private static final int FAULTS = 5;

  /**
   * Losses of power tried after each write or sync that fails: one at once, then one at each thing
   * that the child says next.
   */
  private static final int CUTS = 4;

  /** Until the twentieth file is deleted, on a slow disk. */
  private static final long FAILS_S = 300;

  /** A hundred marks and more. */
  private static final int MARKED_BYTES = 1_000;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @TempDir Path work;
  private Path data;

  @BeforeEach
  void makeDirectory() throws IOException {
    QuietLog.set();
    data = Files.createDirectory(work.resolve("data"));
  }

  static Stream<Arguments> faults() {
    return Stream.of(Fault.values())
        .flatMap(fault -> Stream.of(Arguments.of(fault, false), Arguments.of(fault, true)));
  }

  @ParameterizedTest
  @MethodSource("faults")
  @Timeout(900)
  void whatWasAcceptedOutlivesAFaultOfTheDiskAndALossOfPowerAfterIt(Fault fault, boolean segments)
      throws IOException {
    if (segments) {
      PowerLossTest.useSegments(work);
    }
    PowerLossTest.cleanOften(data);
    FaultLayer layer = FaultLayer.create(work, data);
    Set<Long> accepted = new TreeSet<>();
    Set<Long> taken = new HashSet<>();
    try (ChildJvm child = PowerLossTest.startChild(layer, data, random.nextLong(), 0)) {
      for (int i = 0; i < FAULTS; i++) {
        awaitMore(child, layer);
        long failed = layer.failed();
        int times = 1 + random.nextInt(3);
        layer.fail(
            fault.error,
            random.nextInt(20),
            fault.call == Call.TORN_WRITE ? 2 * times : times,
            fault.call);
        Await.until("a call fails", FAILS_S, () -> layer.failed() > failed);
        layer.heal();
      }
      awaitMore(child, layer);
    }
    List<Entry> entries = layer.journal().read();
    String where = "seed " + seed + ", " + fault + ", segments " + segments;
    PowerLoss disk = new PowerLoss();
    int cuts = 0;
    for (Entry entry : entries) {
      disk.apply(entry);
      boolean failed = entry instanceof SyncFailed || entry instanceof WriteFailed;
      cuts = failed ? CUTS : cuts;
      if (entry instanceof Mark mark) {
        PowerLossTest.note(mark, accepted, taken);
      }
      if (cuts > 0 && (failed || entry instanceof Mark)) {
        cuts--;
        assertKept(disk, accepted, taken, where + ", after a failure and " + entry);
      }
    }
    accepted.removeAll(taken);
    Path image = Files.createDirectory(work.resolve("image"));
    disk.image(image, 0, random);
    KilledStore.restartMachine(image);
    PowerLossTest.assertFound(accepted, PowerLossTest.drain(image, where), where + ", no power");
    PowerLossTest.assertFound(accepted, PowerLossTest.drain(data, where), where);
    assertThat(accepted).isNotEmpty();
  }

  /**
   * A sync fails, and the process is killed before it can open its files again. The system then
   * takes the pages for written that are not on the device.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(300)
  void whatIsAcceptedAfterAFailedSyncAndAKillSurvivesALossOfPower(boolean segments)
      throws IOException {
    if (segments) {
      PowerLossTest.useSegments(work);
    }
    FaultLayer layer = FaultLayer.create(work, data);
    try (ChildJvm child = PowerLossTest.startChild(layer, data, random.nextLong(), 0)) {
      awaitMore(child, layer);
      long failed = layer.failed();
      layer.fail(Errno.EIO, 0, -1, Call.SYNC);
      Await.until("a sync fails", () -> layer.failed() > failed);
      child.kill();
    }
    layer.heal();
    try (ChildJvm child = PowerLossTest.startChild(layer, data, random.nextLong(), 0)) {
      awaitMore(child, layer);
      child.kill();
    }
    Set<Long> accepted = new TreeSet<>();
    Set<Long> taken = new HashSet<>();
    PowerLoss disk = new PowerLoss();
    for (Entry entry : layer.journal().read()) {
      disk.apply(entry);
      if (entry instanceof Mark mark) {
        PowerLossTest.note(mark, accepted, taken);
      }
    }
    accepted.removeAll(taken);
    assertThat(accepted).isNotEmpty();
    Path image = Files.createDirectory(work.resolve("image"));
    disk.image(image, 0, random);
    KilledStore.restartMachine(image);
    String where = "seed " + seed;
    PowerLossTest.assertFound(accepted, PowerLossTest.drain(image, where), where);
  }

  /** What was accepted is there if the power goes now. */
  private void assertKept(PowerLoss disk, Set<Long> accepted, Set<Long> taken, String where)
      throws IOException {
    Set<Long> due = new TreeSet<>(accepted);
    due.removeAll(taken);
    Path image = Files.createTempDirectory(work, "image");
    double unsynced = random.nextInt(3) / 2.0;
    disk.image(image, unsynced, random);
    KilledStore.restartMachine(image);
    String found = where + ", unsynced " + unsynced;
    PowerLossTest.assertFound(due, PowerLossTest.drain(image, found), found);
  }

  private static void awaitMore(ChildJvm child, FaultLayer layer) {
    long before = layer.marks().toFile().length();
    Await.until(
        () -> "messages are accepted: " + child.lines(),
        () -> !child.isAlive() || layer.marks().toFile().length() > before + MARKED_BYTES);
    assertThat(child.isAlive()).as("the child lives: %s", child.lines()).isTrue();
  }
}
