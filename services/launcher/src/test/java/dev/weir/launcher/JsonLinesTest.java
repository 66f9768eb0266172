package dev.weir.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class JsonLinesTest {
  private static LogRecord entry(Level level, String message) {
    LogRecord entry = new LogRecord(level, message);
    entry.setLoggerName("dev.weir.Some");
    return entry;
  }

  private static JsonObject line(LogRecord entry) {
    String text = new JsonLines().format(entry);
    assertThat(text).endsWith(System.lineSeparator());
    assertThat(text.strip()).doesNotContain("\n");
    return new JsonObject(text);
  }

  @Test
  void aLineHasWhatIsInTheMdcAndTheStackTrace() {
    LogRecord entry = entry(Level.WARNING, "two\nlines");
    entry.setThrown(new IllegalStateException("no stock"));
    MDC.put("message_id", "orders-1");
    MDC.put("message", "not this one");
    try {
      JsonObject line = line(entry);
      assertThat(Instant.parse(line.getString("time"))).isEqualTo(entry.getInstant());
      assertThat(line.getString("level")).isEqualTo("WARN");
      assertThat(line.getString("logger")).isEqualTo("dev.weir.Some");
      assertThat(line.getString("message")).isEqualTo("two\nlines");
      assertThat(line.getString("message_id")).isEqualTo("orders-1");
      assertThat(line.getString("error"))
          .startsWith("java.lang.IllegalStateException: no stock")
          .contains("JsonLinesTest");
    } finally {
      MDC.clear();
    }
  }

  @Test
  void levelsHaveTheNamesThatMostSystemsKnow() {
    assertThat(line(entry(Level.SEVERE, "x")).getString("level")).isEqualTo("ERROR");
    assertThat(line(entry(Level.INFO, "x")).getString("level")).isEqualTo("INFO");
    assertThat(line(entry(Level.CONFIG, "x")).getString("level")).isEqualTo("INFO");
    assertThat(line(entry(Level.FINE, "x")).getString("level")).isEqualTo("DEBUG");
  }

  @Test
  void theArgumentsOfAnEntryAreInItsMessage() {
    LogRecord entry = entry(Level.INFO, "{0} of {1}");
    entry.setParameters(new Object[] {1, 2});
    assertThat(line(entry).getString("message")).isEqualTo("1 of 2");
  }
}
