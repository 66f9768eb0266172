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
      end();
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
        end();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void end() {
    try {
      errors.write(line);
    } catch (IOException | OutOfMemoryError e) {
      // The exit code says it too.
    } finally {
      Runtime.getRuntime().halt(ExitCodes.MEMORY);
    }
  }

  /** Sees what is logged. */
  private final class Log extends Handler {
    @Override
    public void publish(LogRecord logged) {
      if (HeapExhaustion.isCause(logged.getThrown())) {
        end();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
