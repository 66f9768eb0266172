package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.StoreDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A log file that ends in the middle, or in rubbish: everything before is intact. */
class TornTailTest extends QueueTestBase {
  private static final int EARLY = 300;
  private static final int ALL = 600;
  private static final String LOG = "00000000.jdb";

  private final Random random = new Random(20260101);
  private long earlyBytes;
  private long allBytes;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setLogFileBytes(16 << 20).setPacketBytes(2048);
  }

  /** A log as a killed process leaves it. */
  private Path log() throws IOException {
    Path live = directory.resolve("live");
    Path killed = directory.resolve("killed");
    Files.createDirectories(killed);
    try (QueueStore store = QueueStore.open(storeOptions().setDirectory(live));
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, EARLY, 100));
      earlyBytes = Files.size(live.resolve(LOG));
      appendAll(queue, texts(EARLY, ALL, 100));
      allBytes = Files.size(live.resolve(LOG));
      Files.copy(live.resolve(LOG), killed.resolve(LOG));
    }
    assertThat(allBytes).isGreaterThan(earlyBytes);
    return killed.resolve(LOG);
  }

  private List<String> recover(byte[] log) throws IOException {
    Path torn = Files.createTempDirectory(directory, "torn");
    Files.write(torn.resolve(LOG), log);
    Files.writeString(torn.resolve(StoreDirectory.FORMAT_FILE), "2\n");
    List<String> found;
    QueueStoreOptions options = storeOptions().setDirectory(torn);
    try (QueueStore store = QueueStore.open(options);
        DurableQueue<String> queue = openQueue(store)) {
      int waiting = (int) queue.waiting();
      found = new ArrayList<>(new QueueReader<>(queue).drain(waiting));
      assertThat(queue.stats().corruptPackets()).isZero();
      assertThat(queue.stats().lost()).isZero();
      appendAll(queue, List.of("one more"));
    }
    try (QueueStore store = QueueStore.open(options);
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drainAll()).containsExactly("one more");
    }
    return found;
  }

  private void intact(byte[] log, int atLeast) throws IOException {
    List<String> found = recover(log);
    assertThat(found).hasSizeBetween(atLeast, ALL).isEqualTo(texts(0, found.size(), 100));
  }

  @Tag("slow")
  @Test
  void aTailThatIsCutOffAnywhereCostsOnlyWhatIsBehindTheCut() throws IOException {
    byte[] log = Files.readAllBytes(log());
    intact(log, ALL);
    for (int i = 0; i < 25; i++) {
      long cut = earlyBytes + random.nextLong(allBytes - earlyBytes);
      intact(Arrays.copyOf(log, (int) cut), EARLY);
    }
    intact(Arrays.copyOf(log, (int) earlyBytes), EARLY);
  }

  @Test
  void rubbishBehindTheTailCostsNothing() throws IOException {
    Path path = log();
    byte[] log = Files.readAllBytes(path);
    for (int size : new int[] {1, 13, 14, 100, 5000, 200_000}) {
      byte[] rubbish = new byte[size];
      intact(append(path, log, rubbish), ALL);
      random.nextBytes(rubbish);
      intact(append(path, log, rubbish), ALL);
    }
  }

  private static byte[] append(Path path, byte[] log, byte[] rubbish) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      file.truncate(log.length);
      file.write(ByteBuffer.wrap(rubbish), log.length);
    }
    return Files.readAllBytes(path);
  }
}
