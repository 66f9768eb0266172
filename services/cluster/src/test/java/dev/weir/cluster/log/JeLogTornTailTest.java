package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.LogEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log file that ends in the middle, or in rubbish: everything before is as it was appended. */
class JeLogTornTailTest {
  private static final String FILE = "00000000.jdb";
  private static final long EARLY = 200;
  private static final long ALL = 600;

  @TempDir Path directory;

  private final Random random = new Random(20260101);
  private byte[] file;
  private int earlyBytes;

  /** The file as a killed process leaves it. */
  @BeforeEach
  void writeLog() throws IOException {
    Path live = directory.resolve("live");
    try (TransactionLog log = JeTransactionLog.open(live)) {
      TestBatches.append(log, 1, EARLY);
      log.force(AckLevel.PERSISTED);
      earlyBytes = (int) Files.size(live.resolve(FILE));
      TestBatches.append(log, 1, 400);
      TestBatches.append(log, 2, ALL);
      log.force(AckLevel.PERSISTED);
      file = Files.readAllBytes(live.resolve(FILE));
    }
    assertThat(file.length).isGreaterThan(earlyBytes);
  }

  /** Opens what is left and returns how far it goes. */
  private long recover(byte[] left) throws IOException {
    Path torn = Files.createTempDirectory(directory, "torn");
    Files.write(torn.resolve(FILE), left);
    long end;
    try (TransactionLog log = JeTransactionLog.open(torn)) {
      end = log.end().position();
      assertIntact(log, end);
      log.append(TestBatches.batch(3, end, 1, 10));
    }
    try (TransactionLog log = JeTransactionLog.open(torn)) {
      assertThat(log.end()).isEqualTo(new LogEnd(3, end + 1));
    }
    return end;
  }

  private static void assertIntact(TransactionLog log, long end) {
    List<ByteBuffer> found = TestBatches.read(log);
    assertThat(found).hasSize((int) end / 2);
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i)).isEqualTo(TestBatches.batch(i < 200 ? 1 : 2, 2L * i, 2, 100));
    }
    assertThat(log.end().epoch()).isEqualTo(end > 400 ? 2 : 1);
    assertThat(log.endOf(1)).isEqualTo(new LogEnd(1, Math.min(400, end)));
  }

  @Tag("slow")
  @Test
  void aTailThatIsCutOffCostsOnlyWhatIsBehindTheCut() throws IOException {
    assertThat(recover(file)).isEqualTo(ALL);
    assertThat(recover(Arrays.copyOf(file, earlyBytes))).isEqualTo(EARLY);
    long last = EARLY;
    for (int cut = earlyBytes; cut < file.length; cut += 1 + random.nextInt(6000)) {
      long end = recover(Arrays.copyOf(file, cut));
      assertThat(end).isBetween(last, ALL);
      last = end;
    }
  }

  @Test
  void rubbishOrZerosBehindTheEndCostNothing() throws IOException {
    for (int i = 0; i < 5; i++) {
      byte[] longer = Arrays.copyOf(file, file.length + 1 + random.nextInt(5000));
      assertThat(recover(longer)).isEqualTo(ALL);
      for (int at = file.length; at < longer.length; at++) {
        longer[at] = (byte) random.nextInt();
      }
      assertThat(recover(longer)).isEqualTo(ALL);
    }
  }
}
