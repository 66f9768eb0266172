package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.QuietLog;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.faults.DiskJournal.Entry;
import dev.weir.testing.faults.DiskJournal.Mark;
import dev.weir.testing.faults.DiskJournal.SyncFailed;
import dev.weir.testing.faults.FaultLayer;
import dev.weir.testing.faults.FaultLayer.Call;
import dev.weir.testing.faults.FaultLayer.Errno;
import dev.weir.testing.faults.PowerLoss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A disk that fails calls of a log, which is opened again then, and loses power later. {@code
 * -Dweir.faults=N} for other than 3 faults of each kind.
 */
@Tag("soak")
class JeLogDiskFaultTest {
  private static final int FAULTS = Integer.getInteger("weir.faults", 3);

  /** Losses of power tried after each sync that fails, each at the next mark. */
  private static final int CUTS = 4;

  private static final int MARKED_BYTES = 300;

  /** So that a thread comes while another one's sync runs. */
  private static final int SYNC_US = 2_000;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @TempDir Path work;
  private Path data;
  private long position;
  private long epoch;

  @BeforeEach
  void makeDirectory() throws IOException {
    QuietLog.set();
    data = Files.createDirectory(work.resolve("data"));
  }

  @ParameterizedTest
  @EnumSource(names = {"SYNC", "WRITE", "SHORT_WRITE"})
  @Timeout(300)
  void whatWasForcedOutlivesAFaultOfTheDiskAndALossOfPowerAfterIt(Call call) throws IOException {
    FaultLayer layer = FaultLayer.create(work, data);
    layer.slowSyncs(SYNC_US);
    ChildJvm.Builder builder =
        ChildJvm.of(LogFaultChild.class)
            .flags("-Xmx128m")
            .environment(layer.environment())
            .mergeErrors();
    try (ChildJvm child = builder.start(data.toString(), layer.marks().toString())) {
      for (int i = 0; i < FAULTS; i++) {
        awaitMore(child, layer);
        long failed = layer.failed();
        layer.fail(Errno.EIO, random.nextInt(10), 1, call);
        Await.until("a call fails", () -> layer.failed() > failed);
        layer.heal();
      }
      awaitMore(child, layer);
    }
    PowerLoss disk = new PowerLoss();
    int cuts = 0;
    for (Entry entry : layer.journal().read()) {
      disk.apply(entry);
      cuts = entry instanceof SyncFailed ? CUTS : cuts;
      if (entry instanceof Mark mark) {
        note(mark);
        if (cuts > 0) {
          cuts--;
          assertKept(disk, mark);
        }
      }
    }
    assertKept(disk, null);
    assertThat(position).isPositive();
    assertThat(epoch).isPositive();
  }

  private void note(Mark mark) {
    String[] words = mark.text().split(" ");
    long number = Long.parseLong(words[1]);
    position = words[0].equals("B") ? number : position;
    epoch = words[0].equals("R") ? number : epoch;
  }

  /** What was forced is there if the power goes now, and the log can be used. */
  private void assertKept(PowerLoss disk, Mark mark) throws IOException {
    String where = "seed " + seed + ", power is lost after " + mark;
    Path image = Files.createTempDirectory(work, "image");
    disk.image(image, 0, random);
    try (TransactionLog log = JeTransactionLog.open(image)) {
      assertThat(log.end().position()).as(where).isGreaterThanOrEqualTo(position);
      assertThat(log.record().epoch()).as(where).isGreaterThanOrEqualTo(epoch);
      TestBatches.assertHolds(log, 1, 0, log.end().position());
      for (int i = 0; i < 3; i++) {
        log.saveSnapshot(log.end(), state -> state.writeLong(0));
      }
    }
  }

  private static void awaitMore(ChildJvm child, FaultLayer layer) {
    long before = layer.marks().toFile().length();
    Await.until(
        () -> "batches are forced: " + child.lines(),
        () -> !child.isAlive() || layer.marks().toFile().length() > before + MARKED_BYTES);
    assertThat(child.isAlive()).as("the child lives: %s", child.lines()).isTrue();
  }
}
