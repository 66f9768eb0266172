package dev.weir.queue.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A command of more than two seconds shows its rate and the time that is left. */
class ProgressLineTest {
  private static final String CLEAR = "\r\u001b[K";
  private static final long MIB = 1 << 20;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream terminal = new PrintStream(written, true, StandardCharsets.UTF_8);
  private long nowNs = 17;

  private String written() {
    String text = written.toString(StandardCharsets.UTF_8);
    written.reset();
    return text;
  }

  private void passMs(long ms) {
    nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  @Test
  void rateAndRemainingTimeAreShownFromTheThirdSecondOnTwiceASecond() {
    try (ProgressLine progress = new ProgressLine("verify", terminal, () -> nowNs)) {
      progress.bytes(0, 400 * MIB);
      passMs(1999);
      progress.bytes(70 * MIB, 400 * MIB);
      assertThat(written()).isEmpty();
      passMs(1);
      progress.bytes(80 * MIB, 400 * MIB);
      assertThat(written()).isEqualTo(CLEAR + "weir-queue: verify 80 of 400 MiB, 40/s, 8 s left");
      passMs(499);
      progress.bytes(90 * MIB, 400 * MIB);
      assertThat(written()).isEmpty();
      passMs(1501);
      progress.bytes(100 * MIB, 400 * MIB);
      assertThat(written()).isEqualTo(CLEAR + "weir-queue: verify 100 of 400 MiB, 25/s, 12 s left");
    }
    assertThat(written()).isEqualTo(CLEAR);
  }

  @Test
  void anUnknownEndHasNoRemainingTime() {
    try (ProgressLine progress = new ProgressLine("import", terminal, () -> nowNs)) {
      progress.bytes(0, -1);
      passMs(4000);
      progress.bytes(8 * MIB, -1);
      assertThat(written()).isEqualTo(CLEAR + "weir-queue: import 8 MiB, 2/s");
    }
  }

  @Test
  void eachPartOfTheWorkHasItsOwnRate() {
    try (ProgressLine progress = new ProgressLine("verify", terminal, () -> nowNs)) {
      progress.bytes(0, 400 * MIB);
      passMs(9000);
      progress.messages(0, 50_000);
      written();
      passMs(1000);
      progress.messages(500, 50_000);
      assertThat(written())
          .isEqualTo(CLEAR + "weir-queue: verify 500 of 50000 messages, 500/s, 1 min 39 s left");
    }
  }

  @Test
  void nothingIsWrittenWithoutATerminalOrWhenTheCommandIsShort() {
    try (ProgressLine progress = new ProgressLine("export", null, () -> nowNs)) {
      passMs(9000);
      progress.messages(5, 50);
    }
    try (ProgressLine progress = new ProgressLine("export", terminal, () -> nowNs)) {
      passMs(1000);
      progress.messages(5, 50);
    }
    assertThat(written()).isEmpty();
  }
}
