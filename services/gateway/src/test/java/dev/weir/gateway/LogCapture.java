package dev.weir.gateway;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;

/**
 * What is logged while it is open, with stack traces: by Weir down to the finest, by what it is
 * built on for debugging, by others as usual.
 */
final class LogCapture extends Handler implements AutoCloseable {
  private final Logger root = Logger.getLogger("");
  private final Logger weir = Logger.getLogger("dev.weir");
  private final List<Logger> below =
      Stream.of("io.vertx", "io.netty").map(Logger::getLogger).toList();
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final SimpleFormatter formatter = new SimpleFormatter();

  LogCapture() {
    setLevel(Level.ALL);
    weir.setLevel(Level.ALL);
    below.forEach(logger -> logger.setLevel(Level.FINE));
    root.addHandler(this);
  }

  @Override
  public void publish(LogRecord line) {
    lines.add(formatter.format(line));
  }

  String text() {
    return String.join("", lines);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    root.removeHandler(this);
    weir.setLevel(null);
    below.forEach(logger -> logger.setLevel(null));
  }
}
