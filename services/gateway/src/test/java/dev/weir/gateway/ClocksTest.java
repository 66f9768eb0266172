package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The clock of the day jumps when an operator or a time server sets it. */
class ClocksTest {
  @Test
  void noDurationIsMeasuredByTheClockOfTheDay() throws IOException {
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      // A deadline for handlers, times for charts, and how long a user's token is still valid.
      assertThat(sources.filter(Files::isRegularFile).filter(ClocksTest::asksForTheTimeOfDay))
          .extracting(source -> source.getFileName().toString())
          .containsExactlyInAnyOrder(
              "RequestHeaders.java",
              "DashboardEvents.java",
              "DashboardSnapshot.java",
              "UserExpiry.java");
    }
  }

  private static boolean asksForTheTimeOfDay(Path source) {
    try {
      return Files.readString(source).contains("currentTimeMillis");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
