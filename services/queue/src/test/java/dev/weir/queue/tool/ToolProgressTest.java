package dev.weir.queue.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.DataDirectoryTestBase;
import dev.weir.queue.Delivery;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueReader;
import dev.weir.queue.QueueStore;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.testing.Await;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which commands show how far they have come; how it is shown is the affair of another test. */
class ToolProgressTest extends DataDirectoryTestBase {
  private static final int DEAD = 30;
  private static final int MESSAGES = 8000;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(1024);
  }

  /** Log files of which compact cleans some, and some dead letters. */
  private void fill() {
    try (QueueStore store = openStore();
        DurableQueue<String> kept = openQueue(store, "kept", new QueueOptions(), NO_LOSSES);
        DurableQueue<String> queue = openQueue(store)) {
      appendMixed(kept, queue, MESSAGES);
      new QueueReader<>(queue).drain(MESSAGES * 2 / 5 - DEAD);
      Await.until(
          "some are dead",
          () -> {
            Delivery<String> next = queue.stats().deadLettered() < DEAD ? queue.poll() : null;
            if (next != null) {
              queue.reject(next, "poison");
            }
            return queue.deadLetters().count() == DEAD;
          });
    }
  }

  /** What a command of many seconds writes to a terminal. */
  private static String shown(Object... args) {
    AtomicLong nowNs = new AtomicLong();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        QueueTool.runAtTerminal(
            InputStream.nullInputStream(),
            new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            () -> nowNs.addAndGet(TimeUnit.SECONDS.toNanos(3)),
            Arrays.stream(args).map(String::valueOf).toArray(String[]::new));
    String shown = err.toString(StandardCharsets.UTF_8);
    assertThat(exitCode).as(shown).isZero();
    return shown;
  }

  private static void showsRateAndRemainingTime(Object... args) {
    assertThat(shown(args))
        .as("what %s shows", args[0])
        .containsPattern(args[0] + " \\d+ of \\d+ (MiB|messages), \\d+/s, .*\\d+ s left");
  }

  @Test
  void everyLongCommandShowsItsRateAndTheTimeThatIsLeft() {
    fill();
    Path lines = directory.resolve("lines");
    Path copy = directory.resolve("copy");

    showsRateAndRemainingTime("verify", data());
    showsRateAndRemainingTime("export", data(), "--all", "--output", lines);
    showsRateAndRemainingTime("import", directory.resolve("imported"), lines);
    showsRateAndRemainingTime("requeue", data(), "--queue", "q", "--all");
    showsRateAndRemainingTime("backup", data(), copy);
    showsRateAndRemainingTime("restore", copy, directory.resolve("restored"));
    showsRateAndRemainingTime("compact", data());
  }
}
