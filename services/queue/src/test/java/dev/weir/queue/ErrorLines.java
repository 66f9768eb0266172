package dev.weir.queue;

import dev.weir.queue.je.JeFiles;
import dev.weir.queue.store.StoreReader;
import dev.weir.queue.store.StoreWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The errors that a store logs while this is open. */
final class ErrorLines extends Handler implements AutoCloseable {
  private final List<Logger> loggers = new ArrayList<>();
  private final SimpleFormatter formatter = new SimpleFormatter();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<String> details = new CopyOnWriteArrayList<>();

  ErrorLines() {
    this(StoreWriter.class.getName(), StoreReader.class.getName(), JeFiles.class.getName());
  }

  /** The errors of some classes. */
  ErrorLines(String... classes) {
    for (String name : classes) {
      Logger logger = Logger.getLogger(name);
      loggers.add(logger);
      logger.setLevel(Level.FINE);
      logger.setUseParentHandlers(false);
      logger.addHandler(this);
    }
  }

  /** What is said about a damaged or cut log. */
  static ErrorLines ofRepairs() {
    return new ErrorLines(JeFiles.class.getPackageName() + ".LogRepair");
  }

  List<String> lines() {
    return lines;
  }

  /** What it logs beside them. */
  List<String> details() {
    return details;
  }

  @Override
  public void publish(LogRecord entry) {
    boolean isError = entry.getLevel().intValue() >= Level.SEVERE.intValue();
    (isError ? lines : details).add(formatter.formatMessage(entry));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    for (Logger logger : loggers) {
      logger.removeHandler(this);
      logger.setUseParentHandlers(true);
      logger.setLevel(null);
    }
  }
}
