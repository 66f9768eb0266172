package dev.weir.cluster.log;

import dev.weir.cluster.AckLevel;
import dev.weir.testing.Await;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A log is forced to the device in pieces, though no acknowledgement needs it. */
class JeLogSyncTest {
  private static final String FSYNC = "dev.weir.Fsync";
  private static final int BATCH_BYTES = 128 << 10;
  private static final int PIECE_BYTES = 5 << 20;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(
      value = AckLevel.class,
      names = {"RECEIVED", "PERSISTED"})
  void whatIsPutIsForcedSoon(AckLevel level) {
    AtomicInteger syncs = new AtomicInteger();
    try (RecordingStream events = new RecordingStream();
        JeTransactionLog log = JeTransactionLog.open(directory.resolve("log"))) {
      // The first batch of an epoch is forced by itself.
      append(log, level);
      Instant begin = Instant.now();
      events.enable(FSYNC).withoutThreshold();
      events.onEvent(
          FSYNC,
          event -> {
            if (event.getStartTime().isAfter(begin)) {
              syncs.incrementAndGet();
            }
          });
      events.startAsync();
      for (int put = 0; put < PIECE_BYTES; put += BATCH_BYTES) {
        append(log, level);
      }
      Await.until("the log is forced", () -> syncs.get() > 0);
    }
  }

  private static void append(JeTransactionLog log, AckLevel level) {
    log.append(TestBatches.batch(1, log.end().position(), 1, BATCH_BYTES));
    log.force(level);
  }
}
