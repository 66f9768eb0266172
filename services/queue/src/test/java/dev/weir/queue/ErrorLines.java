package dev.weir.queue;

import dev.weir.queue.je.JeFiles;
import dev.weir.queue.store.StoreReader;
import dev.weir.queue.store.StoreWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The errors that a store logs while this is open. */
final class ErrorLines extends Handler implements AutoCloseable {
  private final List<Logger> loggers =
      List.of(
          Logger.getLogger(StoreWriter.class.getName()),
          Logger.getLogger(StoreReader.class.getName()),
          Logger.getLogger(JeFiles.class.getName()));
  private final SimpleFormatter formatter = new SimpleFormatter();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<String> details = new CopyOnWriteArrayList<>();

  ErrorLines() {
    for (Logger logger : loggers) {
      logger.setLevel(Level.FINE);
      logger.setUseParentHandlers(false);
      logger.addHandler(this);
    }
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
