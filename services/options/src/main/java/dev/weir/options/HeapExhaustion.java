package dev.weir.options;

/** What code does with an {@link OutOfMemoryError} that it has to catch. */
public final class HeapExhaustion {
  private HeapExhaustion() {}

  /**
   * Hands an {@link OutOfMemoryError}, or what it caused, to the thread's handler of uncaught
   * exceptions, as if nobody had caught it. A program ends there; by default the error is printed.
   * Does nothing with any other failure.
   *
   * @param failure may be null
   */
  public static void report(Throwable failure) {
    if (isCause(failure)) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }
  }

  /**
   * Whether a failure, or one of its causes, is an {@link OutOfMemoryError}.
   *
   * @param failure may be null
   */
  public static boolean isCause(Throwable failure) {
    Throwable cause = failure;
    try {
      // A failure may be its own cause in a circle.
      for (int depth = 0; cause != null && depth < 32; depth++) {
        if (cause instanceof OutOfMemoryError) {
          return true;
        }
        cause = cause.getCause();
      }
    } catch (Throwable e) {
      // The method of a user's failure.
      return e instanceof OutOfMemoryError;
    }
    return false;
  }
}
