package dev.weir.launcher;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.MDC;

/**
 * Log lines as JSON objects: {@code time}, {@code level}, {@code logger}, {@code message}, {@code
 * error} with the stack trace, and what is in the MDC, such as {@code message_id} and {@code
 * trace_id}.
 */
final class JsonLines extends Formatter {
  /** From now on all logs of this JVM that go to the handlers of its root logger are such lines. */
  static void use() {
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setFormatter(new JsonLines());
    }
  }

  /** A line of the program itself. */
  static String of(String program, Level level, String message) {
    return line(Instant.now(), level, program, message).encode();
  }

  @Override
  public String format(LogRecord entry) {
    JsonObject line =
        line(entry.getInstant(), entry.getLevel(), entry.getLoggerName(), formatMessage(entry));
    Throwable thrown = entry.getThrown();
    if (thrown != null) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      line.put("error", trace.toString());
    }
    Map<String, String> fields = MDC.getCopyOfContextMap();
    if (fields != null) {
      fields.forEach((name, value) -> line.getMap().putIfAbsent(name, value));
    }
    return line.encode() + System.lineSeparator();
  }

  private static JsonObject line(Instant time, Level level, String logger, String message) {
    return new JsonObject()
        .put("time", time.toString())
        .put("level", name(level))
        .put("logger", logger)
        .put("message", message);
  }

  /** As most systems call it. */
  private static String name(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return "WARN";
    }
    return level.intValue() >= Level.CONFIG.intValue() ? "INFO" : "DEBUG";
  }
}
