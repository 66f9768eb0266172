package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.faults.DiskJournal.Entry;
import dev.weir.testing.faults.DiskJournal.Mark;
import dev.weir.testing.faults.FaultLayer;
import dev.weir.testing.faults.FaultLayer.Call;
import dev.weir.testing.faults.FaultLayer.Errno;
import dev.weir.testing.faults.PowerLoss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills a process under load again and again, with SIGKILL, and looks at what the next one finds.
 */
@Tag("slow")
class CrashTest {
  private static final int POWER_CUTS = 6;

  @TempDir Path directory;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** The largest version of a key that was acknowledged, deletions included. */
  private final Map<String, Long> versions = new HashMap<>();

  /** The largest count of a key that was acknowledged. */
  private final Map<String, Integer> counts = new HashMap<>();

  private int acknowledged;

  /** Operations that the disk has failed. */
  private int failures;

  /** A fault of the disk: the calls that fail, and how. */
  enum Fault {
    WRITE_EIO(Errno.EIO, Call.WRITE),
    WRITE_ENOSPC(Errno.ENOSPC, Call.WRITE),
    TORN_WRITE_EIO(Errno.EIO, Call.TORN_WRITE),
    SYNC_EIO(Errno.EIO, Call.SYNC),
    CREATE_EMFILE(Errno.EMFILE, Call.CREATE);

    private final Errno error;
    private final Call call;

    Fault(Errno error, Call call) {
      this.error = error;
      this.call = call;
    }
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(300)
  void aDiskThatFailsForAWhileLosesNothingThatWasAcknowledged(Fault fault) throws IOException {
    Path data = Files.createDirectory(directory.resolve("documents"));
    FaultLayer layer = FaultLayer.create(directory, data);
    ChildJvm.Builder builder =
        ChildJvm.of(CrashChild.class)
            .flags("-Xmx96m")
            .environment(layer.environment())
            .errorsTo(directory.resolve("errors.txt"));
    try (ChildJvm child = builder.start(data.toString(), Durability.MACHINE.name())) {
      for (int i = 0; i < 2; i++) {
        awaitMore(child);
        long failed = layer.failed();
        layer.fail(fault.error, random.nextInt(20), 2, fault.call);
        Await.until("a call fails", () -> layer.failed() > failed);
        layer.heal();
      }
      awaitMore(child);
      child.kill();
      check(child.allLines());
    }
    try (ChildJvm child = start()) {
      assertThat(child.exitCode()).isZero();
      check(child.lines());
    }
    assertThat(acknowledged).as("seed %d", seed).isPositive();
  }

  @Test
  @Timeout(300)
  void whatIsOnTheMachineOutlivesALossOfPower() throws IOException {
    Path data = Files.createDirectory(directory.resolve("documents"));
    FaultLayer layer = FaultLayer.create(directory, data);
    ChildJvm.Builder builder =
        ChildJvm.of(CrashChild.class).flags("-Xmx96m").environment(layer.environment());
    try (ChildJvm child =
        builder.start(data.toString(), Durability.MACHINE.name(), layer.marks().toString())) {
      Await.until("much is acknowledged", () -> acknowledgements(child) > 1_500);
    }
    List<Entry> entries = layer.journal().read();
    Set<Integer> moments = new TreeSet<>();
    while (moments.size() < POWER_CUTS) {
      moments.add(random.nextInt(entries.size()));
    }
    PowerLoss disk = new PowerLoss();
    for (int i = 0; i < entries.size(); i++) {
      disk.apply(entries.get(i));
      if (entries.get(i) instanceof Mark mark) {
        check(mark.text().lines().toList());
      }
      if (moments.contains(i)) {
        Path image = Files.createTempDirectory(directory, "image");
        disk.image(image, random.nextInt(3) / 2.0, random);
        try (ChildJvm child =
            ChildJvm.of(CrashChild.class).flags("-Xmx96m").start(image.toString())) {
          assertThat(child.exitCode()).as("moment %d, seed %d", i, seed).isZero();
          check(child.lines());
        }
      }
    }
    assertThat(acknowledged).as("seed %d", seed).isGreaterThan(1_000);
  }

  private static void awaitMore(ChildJvm child) {
    long before = acknowledgements(child);
    Await.until(
        () -> "more is acknowledged; " + child.lines(),
        () -> acknowledgements(child) > before + 100);
  }

  private static long acknowledgements(ChildJvm child) {
    return child.lines().stream().filter(CrashTest::isAcknowledged).count();
  }

  @Test
  @Timeout(300)
  void whatWasAcknowledgedOutlivesEveryKillAndVersionsNeverGoBack() {
    liveAndBeKilled(8);
  }

  @Test
  @Tag("soak")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void whatWasAcknowledgedOutlivesHundredsOfKills() {
    liveAndBeKilled(200);
  }

  private void liveAndBeKilled(int rounds) {
    for (int round = 0; round < rounds; round++) {
      Durability durability = round % 2 == 0 ? Durability.PROCESS : Durability.MACHINE;
      try (ChildJvm child = start(durability.name())) {
        int most = 1 + random.nextInt(3_000);
        child.awaitLine("line that all was read", line -> line.equals("R"));
        int[] seen = {0};
        child.awaitLine(
            "acknowledgement " + most, line -> isAcknowledged(line) && ++seen[0] > most);
        child.kill();
        check(child.allLines());
      }
    }
    try (ChildJvm child = start()) {
      assertThat(child.exitCode()).isZero();
      check(child.lines());
    }
    assertThat(acknowledged).as("seed %d", seed).isGreaterThan(rounds);
    assertThat(failures).as("failures, seed %d", seed).isZero();
  }

  private ChildJvm start(String... durability) {
    String data = directory.resolve("documents").toString();
    String[] args =
        durability.length == 0 ? new String[] {data} : new String[] {data, durability[0]};
    return ChildJvm.of(CrashChild.class).flags("-Xmx96m").start(args);
  }

  private static boolean isAcknowledged(String line) {
    return line.startsWith("A ") || line.startsWith("C ") || line.startsWith("D ");
  }

  private void check(List<String> lines) {
    long found = lines.stream().filter(line -> line.startsWith("F ")).count();
    for (String line : lines) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "F" -> found(words[1], Long.parseLong(words[2]), Integer.parseInt(words[3]));
        case "N" -> absent(words[1]);
        case "A", "D" -> note(versions.merge(words[1], Long.parseLong(words[2]), Math::max));
        case "C" -> {
          if (!isShort(words[1])) {
            note(counts.merge(words[1], Integer.parseInt(words[2]), Math::max));
          }
        }
        case "Q" -> assertThat(line).as("seed %d", seed).isEqualTo("Q " + found + " " + found);
        case "R" -> {}
        case "E" -> failures++;
        default -> throw new AssertionError(line + ", seed " + seed);
      }
    }
  }

  private void note(Number newest) {
    acknowledged += newest.intValue() > 0 ? 1 : 0;
  }

  private void found(String key, long version, int count) {
    assertThat(version)
        .as("version of %s, seed %d", key, seed)
        .isGreaterThanOrEqualTo(versions.getOrDefault(key, 0L));
    if (!isShort(key)) {
      assertThat(count)
          .as("count of %s, seed %d", key, seed)
          .isGreaterThanOrEqualTo(counts.getOrDefault(key, 0));
    }
  }

  private void absent(String key) {
    if (!isShort(key)) {
      assertThat(versions).as("seed %d", seed).doesNotContainKey(key);
      assertThat(counts).as("seed %d", seed).doesNotContainKey(key);
    }
  }

  private static boolean isShort(String key) {
    return Integer.parseInt(key.substring(4)) >= CrashChild.FIRST_SHORT;
  }
}
