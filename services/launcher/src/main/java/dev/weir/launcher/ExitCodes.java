package dev.weir.launcher;

import dev.weir.queue.QueueException;
import java.io.UncheckedIOException;
import java.net.BindException;

/** What our programs end with. */
public final class ExitCodes {
  /** Ended as asked. */
  public static final int STOPPED = 0;

  /** Could not start, or failed; the reason is on the standard error. */
  public static final int FAILED = 1;

  /** An option is wrong. */
  public static final int USAGE = 2;

  /** The data directory cannot be used: in use, not writable, of a newer format. */
  public static final int DIRECTORY = 3;

  /** A port is taken, or its address cannot be bound. */
  public static final int PORT = 4;

  /**
   * The heap, or another memory, was exhausted; durably accepted messages are there at the next
   * start.
   */
  public static final int MEMORY = 5;

  private ExitCodes() {}

  /** The code for a program that could not start because of this. */
  public static int of(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof BindException) {
        return PORT;
      }
      if (e instanceof QueueException) {
        return DIRECTORY;
      }
      if (e instanceof IllegalArgumentException) {
        return USAGE;
      }
    }
    return FAILED;
  }

  /** A failure in one line, without a stack trace. */
  public static String line(Throwable failure) {
    // The message of this one is its cause's, behind the name of a class.
    Throwable said = failure instanceof UncheckedIOException ? failure.getCause() : failure;
    String message = said.getMessage();
    return message == null ? said.toString() : message.lines().findFirst().orElse("");
  }
}
