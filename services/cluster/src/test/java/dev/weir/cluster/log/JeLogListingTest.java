package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.faults.FaultLayer;
import dev.weir.testing.faults.FaultLayer.Call;
import dev.weir.testing.faults.FaultLayer.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A listing of the directory fails once while its log is opened. */
@Tag("slow")
class JeLogListingTest {
  private static final int MESSAGES = 400;

  @TempDir Path work;

  @Test
  void aListingThatFailsWhileALogIsOpenedCostsNothing() throws IOException {
    Path data = Files.createDirectory(work.resolve("data"));
    try (TransactionLog log = JeTransactionLog.open(data)) {
      TestBatches.append(log, 1, MESSAGES);
    }
    FaultLayer layer = FaultLayer.create(work, data);
    try (ChildJvm child =
        ChildJvm.of(Child.class)
            .environment(layer.environment())
            .mergeErrors()
            .start(data.toString())) {
      assertThat(child.allLines()).hasSizeGreaterThan(5).last().isEqualTo("all is there");
    }
  }

  /** Opens a log; the first listing fails, then the second, and so on. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      Path data = Path.of(args[0]);
      FaultLayer layer = FaultLayer.ofThisProcess();
      boolean hit = true;
      for (int i = 0; hit; i++) {
        long failed = layer.failed();
        layer.fail(Errno.EMFILE, i, 1, Call.LIST);
        try {
          JeTransactionLog.open(data).close();
        } catch (LogException e) {
          System.out.println("listing " + i + ": " + e.getMessage());
        }
        layer.heal();
        hit = layer.failed() > failed;
        try (TransactionLog log = JeTransactionLog.open(data)) {
          TestBatches.assertHolds(log, 1, 0, MESSAGES);
        }
      }
      System.out.println("all is there");
    }
  }
}
