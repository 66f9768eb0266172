package dev.weir.launcher;

import dev.weir.options.HeapExhaustion;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Ends the program with {@link ExitCodes#MEMORY} when its heap is exhausted. Event loops, timers
 * and threads of libraries do not survive an {@link OutOfMemoryError} reliably, and the program
 * would answer nothing. Durably accepted messages are on disk.
 *
 * <p>An error shows in three ways: a thread does not catch it, a library logs it, or a small
 * allocation of this class fails too. Any thread.
 */
final class HeapGuard implements Thread.UncaughtExceptionHandler, Runnable {
  private static final long PROBE_INTERVAL_MS = 200;
  private static final int PROBE_BYTES = 64 << 10;

  /** How the JVM and its libraries begin to say that the heap is exhausted. */
  private static final String[] OF_THE_HEAP = {
    "Java heap space",
    "GC overhead limit",
    "Requested array size",
    "Required length",
    "Required array length"
  };

  /** Made before there is a need: nothing can be allocated then. */
  private final byte[] line =
      "the heap is exhausted: the program ends, a larger heap is set by -Xmx\n"
          .getBytes(StandardCharsets.UTF_8);

  private final FileOutputStream errors = new FileOutputStream(FileDescriptor.err);
  private volatile byte[] probe;

  private HeapGuard() {}

  /** Watches this JVM from now on; called once, by main. */
  static void start() {
    HeapGuard guard = new HeapGuard();
    Thread.setDefaultUncaughtExceptionHandler(guard);
    Logger.getLogger("").addHandler(guard.new Log());
    Thread thread = new Thread(guard, "weir-heap");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    if (HeapExhaustion.isCause(failure)) {
      end(failure);
    }
    System.err.print("Exception in thread \"" + thread.getName() + "\" ");
    failure.printStackTrace();
  }

  /** Allocates a little from time to time. */
  @Override
  public void run() {
    while (true) {
      try {
        probe = new byte[PROBE_BYTES];
        probe = null;
        Thread.sleep(PROBE_INTERVAL_MS);
      } catch (OutOfMemoryError e) {
        end(e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void end(Throwable failure) {
    try {
      String other = other(failure);
      errors.write(other == null ? line : other.getBytes(StandardCharsets.UTF_8));
    } catch (IOException | OutOfMemoryError e) {
      // The exit code says it too.
    } finally {
      Runtime.getRuntime().halt(ExitCodes.MEMORY);
    }
  }

  /**
   * A line for an error that a larger heap does not cure: no more threads, direct memory or
   * classes. Null if the heap is exhausted; nothing is allocated then.
   */
  static String other(Throwable failure) {
    Throwable cause = failure;
    while (!(cause instanceof OutOfMemoryError)) {
      cause = cause.getCause();
    }
    String said = cause.getMessage();
    if (said == null) {
      return null;
    }
    for (String ofTheHeap : OF_THE_HEAP) {
      if (said.startsWith(ofTheHeap)) {
        return null;
      }
    }
    return "memory other than the heap is exhausted: the program ends: " + said + "\n";
  }

  /** Sees what is logged. */
  private final class Log extends Handler {
    @Override
    public void publish(LogRecord logged) {
      if (HeapExhaustion.isCause(logged.getThrown())) {
        end(logged.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
