package dev.weir.queue;

import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Tells when JE begins to clean a file or to make a checkpoint; it says so in its log only. */
public final class JeMarks extends Handler {
  static final String OPEN = "M open";
  public static final String OPENED = "M opened";
  static final String CLEAN = "M clean";
  static final String CHECKPOINT = "M checkpoint";

  // Held here: a logger that nobody holds forgets its level.
  private static final List<Logger> LOGGERS =
      List.of(
          Logger.getLogger("com.sleepycat.je.cleaner.FileProcessor"),
          Logger.getLogger("com.sleepycat.je.recovery.Checkpointer"));

  private final Consumer<String> told;

  private JeMarks(Consumer<String> told) {
    this.told = told;
  }

  static void tell(Consumer<String> told) {
    JeMarks marks = new JeMarks(told);
    for (Logger logger : LOGGERS) {
      logger.setUseParentHandlers(false);
      logger.setLevel(Level.FINEST);
      logger.addHandler(marks);
    }
  }

  @Override
  public void publish(LogRecord line) {
    String message = line.getMessage();
    if (message.startsWith("Cleaner") && message.contains(" begins:")) {
      told.accept(CLEAN);
    } else if (message.endsWith(" runnable=true")) {
      told.accept(CHECKPOINT);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
