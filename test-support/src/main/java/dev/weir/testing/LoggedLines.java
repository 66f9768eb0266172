package dev.weir.testing;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What one logger is told while this is open; it is logged nowhere else. */
public final class LoggedLines extends Handler implements AutoCloseable {
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  /** Held: the JDK forgets loggers that nobody holds. */
  private final Logger logger;

  private LoggedLines(Logger logger) {
    this.logger = logger;
  }

  /**
   * Listens from now on.
   *
   * @param name of the logger
   * @param least level of the lines
   */
  public static LoggedLines of(String name, Level least) {
    LoggedLines lines = new LoggedLines(Logger.getLogger(name));
    lines.logger.setUseParentHandlers(false);
    lines.logger.setLevel(least);
    lines.logger.addHandler(lines);
    return lines;
  }

  /** The messages so far, without those that were removed. */
  public Queue<String> lines() {
    return lines;
  }

  @Override
  public void publish(LogRecord line) {
    lines.add(line.getMessage());
  }

  @Override
  public void flush() {}

  /** The logger is as it was by default. */
  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }
}
