package dev.weir.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.LoggedLines;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class WarningLogTest {
  private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

  private final LoggedLines log = LoggedLines.of(WarningLogTest.class.getName(), Level.WARNING);
  private final Queue<String> lines = log.lines();
  private final WarningLog warnings =
      new WarningLog(LoggerFactory.getLogger(WarningLogTest.class), "a");

  @AfterEach
  void listenNoMore() {
    log.close();
  }

  @Test
  void theSameIsLoggedOnceInTenMinutes() {
    for (long nowNs = 0; nowNs < 20 * MINUTE_NS; nowNs += TimeUnit.SECONDS.toNanos(1)) {
      warnings.add("refused b", nowNs);
    }
    assertThat(lines).containsExactly("a refused b", "a refused b");
  }

  @Test
  void tenLinesAMinuteAreLoggedHoweverManyTextsThereAre() {
    for (int i = 0; i < 10_000; i++) {
      warnings.add("refused " + i, i);
    }
    assertThat(lines).hasSize(10).first().isEqualTo("a refused 0");
    warnings.add("refused b", MINUTE_NS);
    warnings.add("refused c", MINUTE_NS);
    assertThat(lines)
        .hasSize(12)
        .endsWith("a refused b; 9990 warnings before it are not logged", "a refused c");
  }

  @Test
  void whatMayPassIsLoggedOnlyIfItLastsForTenSeconds() {
    long secondNs = TimeUnit.SECONDS.toNanos(1);
    for (int s = 0; s <= 9; s++) {
      warnings.addIfItLasts("b is not a member here", s * secondNs);
      warnings.addIfItLasts("stranger " + s, s * secondNs);
    }
    // It is over, and comes again later.
    for (int s = 60; s <= 69; s++) {
      warnings.addIfItLasts("b is not a member here", s * secondNs);
    }
    assertThat(lines).isEmpty();
    warnings.addIfItLasts("b is not a member here", 70 * secondNs);
    assertThat(lines).containsExactly("a b is not a member here");
  }

  @Test
  void aTextIsOneLineOfPrintableCharactersAndNotLongerThanAThousand() {
    warnings.add("b\r\n2026 INFO all is well\u001b[2J\u202e\u2028\ud800{} ü \ud83d\ude00", 0);
    warnings.add("x".repeat(5_000), 0);
    warnings.add(null, 0);
    assertThat(lines)
        .containsExactly(
            "a b??2026 INFO all is well?[2J???{} ü \ud83d\ude00",
            "a " + "x".repeat(1_000),
            "a null");
  }
}
