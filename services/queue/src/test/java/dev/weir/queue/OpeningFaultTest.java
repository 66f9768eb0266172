package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.LogFiles;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.faults.FaultLayer;
import dev.weir.testing.faults.FaultLayer.Call;
import dev.weir.testing.faults.FaultLayer.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One call fails while a store is opened, for want of a file descriptor or because of the disk: a
 * listing of the directory, or the opening or reading of a file. The opening of the store fails or
 * succeeds, and nothing is lost.
 */
class OpeningFaultTest extends DamagedStoreTestBase {
  private static final int ALL = 3000;
  private static final int HANDLED = 500;
  private static final int MOST = 1000;

  private static final long DEADLINE_S = 500;

  @ParameterizedTest
  @Tag("slow")
  @Timeout(600)
  @CsvSource({"LIST, 1, 8192", "READ_LIST, 15, 0", "OPEN, 4, 8192", "READ, 20, 8192"})
  void aCallThatFailsWhileAStoreIsOpenedCostsNothing(Call call, int step, int segmentBytes)
      throws IOException {
    failOneAfterAnother(call, step, segmentBytes);
  }

  @ParameterizedTest
  @Tag("soak")
  @Timeout(600)
  @CsvSource({
    "LIST, 1, 0",
    "READ_LIST, 1, 0",
    "READ_LIST, 1, 8192",
    "OPEN, 1, 8192",
    "READ, 1, 8192"
  })
  void noCallThatFailsWhileAStoreIsOpenedCostsAnything(Call call, int step, int segmentBytes)
      throws IOException {
    failOneAfterAnother(call, step, segmentBytes);
  }

  private void failOneAfterAnother(Call call, int step, int segmentBytes) throws IOException {
    fill(options(data(), segmentBytes), ALL, HANDLED);
    assertThat(LogFiles.withSegments(killed())).hasSizeGreaterThan(1);
    Path root = Files.createDirectory(directory.resolve("root"));
    FaultLayer layer = FaultLayer.create(directory, root);
    try (ChildJvm child =
        ChildJvm.of(Child.class)
            .environment(layer.environment())
            .mergeErrors()
            .start(
                killed().toString(),
                root.resolve("data").toString(),
                "" + call,
                "" + step,
                "" + segmentBytes)) {
      Await.until("the child ends", DEADLINE_S, () -> !child.isAlive());
      List<String> said = child.allLines();
      assertThat(said).last().asString().startsWith("done after ");
      assertThat(said.stream().filter(line -> line.startsWith("lost"))).isEmpty();
      assertThat(said).hasSizeGreaterThan(3);
    }
  }

  /** Opens copies of a store; a call fails, then a later one, and so on. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      QuietLog.set();
      Path from = Path.of(args[0]);
      Path to = Path.of(args[1]);
      Call call = Call.valueOf(args[2]);
      int step = Integer.parseInt(args[3]);
      int segmentBytes = Integer.parseInt(args[4]);
      boolean opens = call == Call.LIST || call == Call.OPEN;
      Errno error = opens ? Errno.EMFILE : Errno.EIO;
      OpeningFaultTest test = new OpeningFaultTest();
      test.directory = to.getParent();
      FaultLayer layer = FaultLayer.ofThisProcess();
      boolean hit = true;
      for (int i = 0; i < MOST && hit; i += step) {
        KilledStore.copy(from, to);
        long failed = layer.failed();
        layer.fail(error, i, 1, call);
        String outcome = "opened";
        try {
          QueueStore.open(test.options(to, segmentBytes)).close();
        } catch (QueueException e) {
          outcome = e.getMessage();
        }
        layer.heal();
        hit = layer.failed() > failed;
        System.out.println(call + " " + i + ": " + outcome);
        test.check(to, segmentBytes);
        for (Path file : LogDamage.all(to)) {
          Files.delete(file);
        }
        if (!hit) {
          System.out.println("done after " + i);
        }
      }
    }
  }

  private QueueStoreOptions options(Path at, int segmentBytes) {
    return storeOptions().setDirectory(at).setSegmentThresholdBytes(segmentBytes);
  }

  private void check(Path at, int segmentBytes) {
    List<String> rest = new ArrayList<>(texts(HANDLED, ALL, MESSAGE));
    rest.add("last");
    try (QueueStore store = QueueStore.open(options(at, segmentBytes));
        DurableQueue<String> queue = openQueue(store)) {
      List<String> found = drainAll(queue);
      found.removeAll(texts(0, HANDLED, MESSAGE));
      if (!found.equals(rest) || queue.stats().lost() > 0) {
        System.out.println("lost: " + found.size() + " of " + rest.size() + " are found");
      }
    }
  }
}
