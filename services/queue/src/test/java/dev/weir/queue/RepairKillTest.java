package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.faults.DiskJournal.Entry;
import dev.weir.testing.faults.DiskJournal.Mark;
import dev.weir.testing.faults.DiskJournal.Open;
import dev.weir.testing.faults.DiskJournal.Rename;
import dev.weir.testing.faults.DiskJournal.Unlink;
import dev.weir.testing.faults.DiskJournal.Write;
import dev.weir.testing.faults.FaultLayer;
import dev.weir.testing.faults.PowerLoss;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The repair of a damaged log is killed, or loses its power, at each of its steps. */
@Tag("slow")
class RepairKillTest extends DamagedStoreTestBase {
  private static final int ALL = 3000;
  private static final int HANDLED = 500;

  /** A step is every fiftieth write, and each change of a name. */
  private static final int WRITES = 50;

  /** Steps that are tried in each build. */
  private static final int FEW = 6;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setSegmentThresholdBytes(0);
  }

  @Test
  @Timeout(900)
  void whatARepairCanReadIsThereWhereverItStops() throws IOException {
    tryKills(FEW);
  }

  @Test
  @Tag("soak")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void whatARepairCanReadIsThereAtEachOfItsSteps() throws IOException {
    tryKills(Integer.MAX_VALUE);
  }

  private void tryKills(int most) throws IOException {
    fill(storeOptions(), ALL, HANDLED);
    LogDamage.flip(killed(), text(ALL / 2, MESSAGE));
    Path root = Files.createDirectory(directory.resolve("root"));
    Path repaired = root.resolve("data");
    FaultLayer layer = FaultLayer.create(directory, root);
    try (ChildJvm child =
        ChildJvm.of(Child.class)
            .environment(layer.environment())
            .start(killed().toString(), repaired.toString(), layer.marks().toString())) {
      assertThat(child.says("repaired")).isTrue();
      assertThat(child.exitCode()).isZero();
    }
    assertThat(repaired.resolve("damaged")).isDirectory();
    List<String> expected = drain(repaired);
    assertThat(expected).hasSizeBetween(ALL - HANDLED - 100, ALL);
    List<Entry> entries = layer.journal().read();
    List<Integer> steps = steps(entries);
    assertThat(steps).hasSizeGreaterThan(10);
    int count = Math.min(most, steps.size());
    Set<Integer> tried = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      tried.add(steps.get((int) ((long) i * (steps.size() - 1) / (count - 1))));
    }
    PowerLoss disk = new PowerLoss();
    for (int i = 0; i < entries.size(); i++) {
      disk.apply(entries.get(i));
      if (tried.contains(i)) {
        tryKill(disk, entries.get(i), expected);
      }
    }
    System.out.println("repair kills: " + count + " of " + steps.size() + " steps, seed " + seed);
  }

  /** The places in the journal after which the repair is stopped. */
  private static List<Integer> steps(List<Entry> entries) {
    List<Integer> steps = new ArrayList<>();
    boolean copied = false;
    int writes = 0;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      boolean isNew = entry instanceof Open open && open.created();
      boolean isWrite = copied && entry instanceof Write && writes++ % WRITES == 0;
      if (isWrite || copied && (isName(entry) || isNew)) {
        steps.add(i);
      }
      copied |= entry instanceof Mark;
    }
    return steps;
  }

  private static boolean isName(Entry entry) {
    return entry instanceof Rename || entry instanceof Unlink;
  }

  private void tryKill(PowerLoss disk, Entry entry, List<String> expected) throws IOException {
    String where = "seed " + seed + ", " + entry;
    Path image = Files.createTempDirectory(directory, "image");
    disk.killed(image);
    assertThat(drain(image.resolve("data")).equals(expected)).as(where).isTrue();
    delete(image);
    if (isName(entry)) {
      Path dark = Files.createTempDirectory(directory, "image");
      disk.image(dark, random.nextInt(3) / 2.0, random);
      KilledStore.restartMachine(dark.resolve("data"));
      TreeSet<String> missing = new TreeSet<>(expected);
      drain(dark.resolve("data")).forEach(missing::remove);
      assertThat(missing).as(where + ", no power").isEmpty();
      delete(dark);
    }
  }

  private static void delete(Path image) throws IOException {
    for (Path file : LogDamage.all(image)) {
      Files.delete(file);
    }
  }

  private List<String> drain(Path at) {
    try (QueueStore store = QueueStore.open(storeOptions().setDirectory(at));
        DurableQueue<String> queue = openQueue(store)) {
      List<String> found = drainAll(queue);
      found.removeAll(texts(0, HANDLED, MESSAGE));
      return found;
    }
  }

  /** Copies a damaged store, and opens the copy. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      QuietLog.set();
      Path data = Path.of(args[1]);
      KilledStore.copy(Path.of(args[0]), data);
      for (Path file : LogDamage.all(data)) {
        if (Files.isRegularFile(file)) {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
          }
        }
      }
      Files.writeString(Path.of(args[2]), "copied");
      RepairKillTest test = new RepairKillTest();
      test.directory = data.getParent();
      QueueStore.open(test.storeOptions().setDirectory(data)).close();
      System.out.println("repaired");
    }
  }
}
