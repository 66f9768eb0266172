package dev.weir.options;

import java.io.PrintWriter;
import java.io.Writer;

/**
 * Asks a failure of a user's code what happened. Its methods may be the user's too, and throw; the
 * methods of this class never do.
 */
public final class UserFailure {
  private UserFailure() {}

  /**
   * The failure's class and message; the class alone if the failure throws when it is asked.
   *
   * @param failure may be null
   */
  public static String text(Throwable failure) {
    try {
      return String.valueOf(failure);
    } catch (Throwable e) {
      return className(failure, e);
    }
  }

  /**
   * The failure's message; its class if it has none, or throws when it is asked.
   *
   * @param failure not null
   */
  public static String message(Throwable failure) {
    try {
      return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    } catch (Throwable e) {
      return className(failure, e);
    }
  }

  /**
   * What a logger can print: the failure, or one in its place that names its class. A logger asks
   * for texts, causes and stack traces, and some let through what they throw.
   *
   * @param failure may be null
   */
  public static Throwable forLog(Throwable failure) {
    if (failure == null) {
      return null;
    }
    try {
      failure.printStackTrace(new PrintWriter(Writer.nullWriter()));
      return failure;
    } catch (Throwable e) {
      return new IllegalStateException(className(failure, e) + ", which cannot be printed");
    }
  }

  private static String className(Throwable failure, Throwable thrown) {
    HeapExhaustion.report(thrown);
    return failure.getClass().getName();
  }
}
